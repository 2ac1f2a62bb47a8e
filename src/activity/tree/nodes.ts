import * as vscode from 'vscode';
import type { ProjectRef } from '../../accounts/account.ts';
import { accountLabel, briefAccountLabel } from '../../accounts/accountInUse.ts';
import { messageItem } from '../../accounts/messageRows.ts';
import type { EventRecord } from '../../api/events.ts';
import { groupByDay } from '../../common/dates.ts';
import { dayLabel } from '../../common/timeText.ts';
import type { Feed } from '../feed/feed.ts';
import { feedIcons, feedLabel, feedNote } from '../feed/feedRef.ts';
import { filterLabel } from '../feed/filter.ts';
import type { ShownFeed } from '../feed/openFeeds.ts';
import { accessContext, EventNode, type Look } from './eventNode.ts';

const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;

/** What the tree consists of. Each draws itself; its id stays the same, by which the editor keeps the user's place. */
export type ActivityNode = FeedNode | DayNode | EventNode | MessageNode;

/** A feed among several. */
export class FeedNode {
  readonly kind = 'feed';
  readonly shown: ShownFeed;
  /** The project whose feed it is; undefined if it is that of a user or of all projects. */
  readonly project: ProjectRef | undefined;

  constructor(shown: ShownFeed) {
    const ref = shown.feed?.ref;
    this.shown = shown;
    this.project = ref?.kind === 'project' ? { accountId: ref.accountId, idOrPath: ref.id ?? ref.path } : undefined;
  }

  treeItem({ accounts, hasSeveralAccounts }: Look): vscode.TreeItem {
    const { t } = vscode.l10n;
    const { choice, isPinned, isChosen, feed } = this.shown;
    const ref = feed?.ref ?? choice;
    const name = feedLabel(ref);
    const { accountId } = feed?.ref ?? {};
    const account = accounts.all.find(({ id }) => id === accountId);
    const isNamed = accountId !== undefined && hasSeveralAccounts;
    const count = feed?.state.newItems.length ?? 0;
    const counts = feed?.state.reading.counts ?? true;
    // A narrow row cuts the end.
    const facts = [
      count === 0 ? '' : t('{0} new', count),
      feed ? filterLabel(feed.filter) : '',
      counts ? '' : t('not in badge'),
      feedNote(ref, account),
    ];
    const said = [isNamed ? accountLabel(accountId) : '', ...facts].filter(Boolean);
    const row = new vscode.TreeItem(name, isChosen ? Expanded : Collapsed);
    row.id = feed?.id ?? choice.kind;
    // The editor shows buttons of rows under the pointer alone.
    row.iconPath = new vscode.ThemeIcon(isPinned ? 'pinned' : feedIcons[choice.kind]);
    row.description = [isNamed ? briefAccountLabel(accountId, accounts) : '', ...facts].filter(Boolean).join(' · ');
    row.tooltip = [name, ...said].join('\n');
    row.contextValue = [
      'feed',
      isPinned ? 'pinned' : 'unpinned',
      counts ? 'counted' : 'uncounted',
      feed?.isFiltered === true ? 'filtered' : 'unfiltered',
      ...(feed?.ref.kind === 'project' ? ['projectFeed'] : []),
      ...(feed ? accessContext(feed.ref.accountId, accounts) : []),
    ].join(' ');
    row.accessibilityInformation = {
      label: [t('Feed {0}', name), ...(isPinned ? [t('pinned')] : []), ...said].join(', '),
    };
    return row;
  }
}

/** A day shows this many events until it is asked for more, because an editor that shows thousands at once stalls. */
export const eventsPerShowMore = 100;

/** The events of a feed on one day. */
export class DayNode {
  readonly kind = 'day';
  readonly feed: Feed;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Whether it was open when it first showed. */
  readonly isExpanded: boolean;
  /** All of the day's, whether they are shown or not. */
  events: readonly EventNode[] = [];
  /** How many of them are shown. */
  limit = eventsPerShowMore;

  constructor(feed: Feed, date: string, isExpanded: boolean) {
    this.feed = feed;
    this.date = date;
    this.isExpanded = isExpanded;
  }

  get rows(): ActivityNode[] {
    const left = this.events.length - this.limit;
    if (left <= 0) {
      return [...this.events];
    }
    const more = new MessageNode(this.feed, `day/${this.date}/more`, 'fold-down', {
      command: 'beacon.activity.showMoreOfDay',
      title: left === 1 ? vscode.l10n.t('Show 1 More Event') : vscode.l10n.t('Show {0} More Events', left),
      arguments: [this],
    });
    return [...this.events.slice(0, this.limit), more];
  }

  treeItem({ now }: Look): vscode.TreeItem {
    const name = dayLabel(this.date, now, vscode.env.language);
    const { length } = this.events;
    const row = new vscode.TreeItem(name, this.isExpanded ? Expanded : Collapsed);
    row.id = `${this.feed.id}/day/${this.date}`;
    row.description = String(length);
    row.contextValue = this.events.some(({ isNew }) => isNew) ? 'day unread' : 'day';
    row.accessibilityInformation = {
      label: length === 1 ? vscode.l10n.t('{0}, 1 event', name) : vscode.l10n.t('{0}, {1} events', name, length),
    };
    return row;
  }
}

/** Something to do, in the place where it is wanted. */
export class MessageNode {
  readonly kind = 'message';
  readonly feed: Feed | undefined;
  readonly id: string;
  /** The id of a codicon. */
  readonly icon: string;
  readonly command: vscode.Command;
  readonly description: string | undefined;

  /** @param name unique among the rows of the feed that show at once. */
  constructor(feed: Feed | undefined, name: string, icon: string, command: vscode.Command, description?: string) {
    this.feed = feed;
    this.id = `${feed?.id ?? ''}/${name}`;
    this.icon = icon;
    this.command = command;
    this.description = description;
  }

  treeItem(): vscode.TreeItem {
    const { id, icon, command, description } = this;
    return messageItem({
      id,
      icon,
      command,
      description,
      label: command.title,
      sentence: command.tooltip ?? description,
    });
  }
}

/** Days are open from the top until this many events show; the others wait closed. */
const eventsShownAtFirst = 30;
/** The same for days that were loaded later, such as by "Load More": they are expanded, because the user asked for them. */
const eventsShownLater = 60;

/** The days and events of a feed as nodes. */
export class FeedDays {
  readonly #feed: Feed;
  readonly #openDays: number;
  readonly #events = new WeakMap<EventRecord, EventNode>();
  readonly #days = new Map<string, DayNode>();
  #list: readonly DayNode[] = [];
  #shown: readonly EventRecord[] | undefined;
  #today = '';

  /** @param openDays how many days are open at first, at most. */
  constructor(feed: Feed, openDays = Infinity) {
    this.#feed = feed;
    this.#openDays = openDays;
  }

  /** As they are now. */
  at(now: Date): readonly DayNode[] {
    const { shown } = this.#feed.state;
    const today = now.toDateString();
    if (shown !== this.#shown || today !== this.#today) {
      this.#shown = shown;
      this.#today = today;
      this.#list = this.#group(shown, now);
    }
    return this.#list;
  }

  #group(shown: readonly EventRecord[], now: Date): readonly DayNode[] {
    const isFirst = this.#days.size === 0;
    let mayShow = isFirst ? eventsShownAtFirst : eventsShownLater;
    return groupByDay(shown, now).map(({ date, events }, index) => {
      let day = this.#days.get(date);
      if (!day) {
        day = new DayNode(this.#feed, date, mayShow > 0 && (!isFirst || index < this.#openDays));
        mayShow -= events.length;
        this.#days.set(date, day);
      }
      day.events = events.map((event) => this.#node(event));
      return day;
    });
  }

  #node(event: EventRecord): EventNode {
    const node = this.#events.get(event) ?? new EventNode(this.#feed, event);
    this.#events.set(event, node);
    return node;
  }
}
