import * as vscode from 'vscode';
import { type ProjectRef, SignedOutError } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { messageItem } from '../../accounts/messageRows.ts';
import type { EventRecord } from '../../api/events.ts';
import { groupByDay } from '../../common/dates.ts';
import { dayLabel } from '../../common/timeText.ts';
import { eventCount, numberLabel } from '../events/eventLabel.ts';
import type { Feed } from '../feed/feed.ts';
import { feedIcons, feedLabel, feedNote } from '../feed/feedRef.ts';
import { filterLabel } from '../feed/filter.ts';
import type { ShownFeed } from '../feed/openFeeds.ts';
import { EventNode, type Look, accessContext } from './eventNode.ts';
import { problemOf } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';

const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;

/** What the tree consists of. Each draws itself; its id stays the same, by which the editor keeps the user's place. */
export type ActivityNode = FeedNode | DayNode | EventNode | MessageNode;

/** Days are open from the top until this many events show; the others wait closed. */
const eventsShownAtFirst = 30;
/** The same for days that were loaded later, such as by "Load More": they are expanded, because the user asked for them. */
const eventsShownLater = 60;

/** A feed: a root where there are several, else what the roots are below. */
export class FeedNode {
  readonly kind = 'feed';
  shown: ShownFeed;
  /** How often the editor waits for the rows below: what changes meanwhile is in the answer. */
  fetching = 0;
  drawn: readonly unknown[] = [];
  readonly #openDays: number;
  readonly #events = new WeakMap<EventRecord, EventNode>();
  readonly #days = new Map<string, DayNode>();
  #list: readonly DayNode[] = [];
  #grouped: readonly unknown[] = [];

  /** @param openDays how many days are open at first, at most. */
  constructor(shown: ShownFeed, openDays: number) {
    this.shown = shown;
    this.#openDays = openDays;
  }

  /** The project whose feed it is; undefined if it is that of a user or of all projects. */
  get project(): ProjectRef | undefined {
    const ref = this.shown.feed?.ref;
    return ref?.kind === 'project' ? { accountId: ref.accountId, idOrPath: ref.id ?? ref.path } : undefined;
  }

  daysAt(now: Date): readonly DayNode[] {
    const { feed } = this.shown;
    const grouped = [feed?.state.shown, now.toDateString()];
    if (feed && grouped.some((one, index) => one !== this.#grouped[index])) {
      this.#grouped = grouped;
      this.#list = this.#group(feed, now);
    }
    return this.#list;
  }

  treeItem({ accounts, hasSeveralAccounts }: Look): vscode.TreeItem {
    const { t } = vscode.l10n;
    const { choice, isPinned, isChosen, feed } = this.shown;
    const ref = feed?.ref ?? choice;
    const name = feedLabel(ref);
    const { accountId } = feed?.ref ?? {};
    const isNamed = accountId !== undefined && hasSeveralAccounts;
    const count = feed?.state.newItems.length ?? 0;
    const counts = feed?.state.reading.counts ?? true;
    // A narrow row cuts the end.
    const facts = [
      count === 0 ? '' : t('{0} new', numberLabel(count)),
      feed ? filterLabel(feed.filter) : '',
      counts ? '' : t('not in badge'),
      feedNote(ref, accounts),
    ].filter(Boolean);
    const said = [...(isNamed ? [accountLabel(accountId)] : []), ...facts];
    const row = new vscode.TreeItem(name, isChosen ? Expanded : Collapsed);
    row.id = feed?.id ?? choice.kind;
    // The editor shows buttons of rows under the pointer alone.
    row.iconPath = new vscode.ThemeIcon(isPinned ? 'pinned' : feedIcons[choice.kind]);
    row.description = said.join(' · ');
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

  #group(feed: Feed, now: Date): readonly DayNode[] {
    const isFirst = this.#days.size === 0;
    let mayShow = isFirst ? eventsShownAtFirst : eventsShownLater;
    return groupByDay(feed.state.shown, now).map(({ date, events }, index) => {
      let day = this.#days.get(date);
      if (!day) {
        day = new DayNode(feed, date, mayShow > 0 && (!isFirst || index < this.#openDays));
        mayShow -= events.length;
        this.#days.set(date, day);
      }
      day.events = events.map((event) => {
        const node = this.#events.get(event) ?? new EventNode(feed, event);
        this.#events.set(event, node);
        return node;
      });
      return day;
    });
  }
}

/** A day shows this many events until it is asked for more, because an editor that shows thousands at once stalls. */
export const eventsPerShowMore = 100;

export class DayNode {
  readonly kind = 'day';
  readonly feed: Feed;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly isExpanded: boolean;
  events: readonly EventNode[] = [];
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
      title: left === 1 ? vscode.l10n.t('Show 1 More Event') : vscode.l10n.t('Show {0} More Events', numberLabel(left)),
      arguments: [this],
    });
    return [...this.events.slice(0, this.limit), more];
  }

  treeItem({ now }: Look): vscode.TreeItem {
    const name = dayLabel(this.date, now, vscode.env.language);
    const { length } = this.events;
    const row = new vscode.TreeItem(name, this.isExpanded ? Expanded : Collapsed);
    row.id = `${this.feed.id}/day/${this.date}`;
    row.description = numberLabel(length);
    row.contextValue = this.events.some(({ isNew }) => isNew) ? 'day unread' : 'day';
    row.accessibilityInformation = {
      label: `${name}, ${eventCount(length)}`,
    };
    return row;
  }
}

/** Something to do, in the place where it is wanted. */
export class MessageNode {
  readonly kind = 'message';
  readonly feed: Feed | undefined;
  readonly id: string;
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

/**
 * The message rows above the events of a feed.
 *
 * @param isProblemShown whether the sentence of a failure is shown elsewhere, so that only its actions are needed.
 */
export function rowsAbove(feed: Feed, isProblemShown: boolean): MessageNode[] {
  const { t } = vscode.l10n;
  const { error, mutedCount, reading, unreadable } = feed.state;
  const rows = error === undefined ? [] : problemRows(feed, error, isProblemShown);
  if (feed.isFiltered) {
    // First what it does: a narrow view cuts the end.
    const filter = filterLabel(feed.filter);
    const tooltip = t('Filtered: {0}', filter);
    rows.push(row(feed, 'filter', 'filter-filled', 'clearFilter', t('Clear Filter'), { tooltip, description: filter }));
  }
  if (reading.onlyNew) {
    const tooltip = t('Only new events are shown, in all feeds.');
    const description = t('only new');
    rows.push(row(feed, 'onlyNew', 'eye', 'showRead', t('Show Read Activity'), { tooltip, description }));
  }
  if (mutedCount > 0) {
    const names = new Intl.ListFormat(vscode.env.language).format(feed.mutedNames);
    const title = t('Muted events: {0}. Manage…', numberLabel(mutedCount));
    rows.push(row(feed, 'muted', 'mute', 'manageMutes', title, { tooltip: t('Muted: {0}', names) }));
  }
  if (unreadable.size > 0) {
    const title = t('Entries that are no events: {0}. Show Log', numberLabel(unreadable.size));
    const tooltip = t(
      'The instance sent records that this version of Beacon cannot read. The log says what is wrong with them.',
    );
    rows.push(new MessageNode(feed, 'unreadable', 'question', { command: 'beacon.showLog', title, tooltip }));
  }
  return rows;
}

export function rowsBelow(feed: Feed): MessageNode[] {
  const { t } = vscode.l10n;
  const { next, loaded, error, shown, items, mutedCount, filteredCount, reading } = feed.state;
  const rows: MessageNode[] = [];
  const isNarrowed = reading.onlyNew || feed.isFiltered;
  // What is muted has happened, and its row says so.
  if (loaded && error === undefined && shown.length === 0 && (isNarrowed || mutedCount === 0)) {
    const description = reading.onlyNew
      ? t('Nothing is new')
      : !feed.isFiltered
        ? t('Nothing has happened here')
        : mutedCount > 0
          ? t('Nothing matches that is not muted')
          : t('No event matches the filter');
    rows.push(new MessageNode(feed, 'empty', 'info', selectAnother(), description));
  }
  if (next !== undefined) {
    const last = Date.parse(items.at(-1)?.created_at ?? '');
    const date = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' });
    // What the instance does not filter is read in vain.
    const description =
      filteredCount > 0 && !Number.isNaN(last)
        ? feed.isAscending
          ? t('searched up to {0}', date.format(last))
          : t('searched back to {0}', date.format(last))
        : undefined;
    const title = feed.isAscending ? t('Load Newer Events') : t('Load More');
    rows.push(row(feed, 'loadMore', 'fold-down', 'loadMore', title, { description }));
  }
  return rows;
}

/** What to do about a choice that stands for no feed: a workspace without a project of an account. */
export function rowsWithoutFeed({ choice }: ShownFeed): MessageNode[] {
  const reason = vscode.l10n.t('No repository of a project on your instances is open in this window');
  return [new MessageNode(undefined, `${choice.kind}/none`, 'info', selectAnother(), reason)];
}

/** The command that fixes a failure, and "Try Again". The sentence is the view's message, if possible. */
function problemRows(feed: Feed, error: unknown, isShownElsewhere: boolean): MessageNode[] {
  const { sentence, remedy } = problemOf(error, feed.ref.accountId);
  // A problem of the account affects all its feeds; after any other one, another feed may work.
  const others = isApiError(error, 'notFound') || (error instanceof SignedOutError && feed.ref.kind === 'project');
  const description = isShownElsewhere ? undefined : sentence;
  const tryAgain = vscode.l10n.t('Try Again');
  return [
    ...(remedy ? [new MessageNode(feed, 'remedy', 'arrow-right', remedy, description)] : []),
    ...(others ? [new MessageNode(feed, 'chooseFeed', 'rss', selectAnother(), remedy ? undefined : description)] : []),
    row(feed, 'tryAgain', 'refresh', 'refreshFeed', tryAgain, {
      tooltip: sentence,
      description: remedy || others ? undefined : description,
    }),
  ];
}

function selectAnother(): vscode.Command {
  return { command: 'beacon.activity.selectFeed', title: vscode.l10n.t('Select Another Feed…') };
}

function row(
  feed: Feed,
  name: string,
  icon: string,
  command: string,
  title: string,
  { tooltip, description }: { readonly tooltip?: string; readonly description?: string | undefined },
): MessageNode {
  const run = { command: `beacon.activity.${command}`, title, arguments: [{ feed }] };
  return new MessageNode(feed, name, icon, tooltip === undefined ? run : { ...run, tooltip }, description);
}
