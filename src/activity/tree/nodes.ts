import type * as vscode from 'vscode';
import type { ProjectRef } from '../../accounts/account.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { groupByDay } from '../../common/dates.ts';
import type { Feed } from '../feed/feed.ts';
import { type FeedItem, itemKey } from '../feed/loadedFeed.ts';
import type { OpenFeed, ShownFeed } from '../feed/openFeeds.ts';

/** What the tree consists of. Nodes stay the same objects from refresh to refresh, as long as what they stand for is there. */
export type ActivityNode = FeedNode | DayNode | EventNode | MessageNode;

/** A feed among several. */
export interface FeedNode {
  readonly kind: 'feed';
  readonly shown: ShownFeed;
  /** Whose feed it is; undefined if it is that of a user or of all projects. */
  readonly project: ProjectRef | undefined;
}

/** The events of a feed on one day. */
export interface DayNode {
  readonly kind: 'day';
  readonly open: OpenFeed;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** All of the day's, whether they are shown or not. */
  events: readonly EventNode[];
  /** How many of them are shown. */
  limit: number;
  /** Whether it was open when it first showed. */
  readonly isExpanded: boolean;
}

export interface EventNode {
  readonly kind: 'event';
  readonly open: OpenFeed;
  readonly item: FeedItem;
  /** Where it happened; undefined if the instance does not say. */
  readonly project: ProjectRef | undefined;
  readonly key: string;
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Something to do, in the place where it is wanted. */
export interface MessageNode {
  readonly kind: 'message';
  readonly id: string;
  readonly open: OpenFeed | undefined;
  readonly command: vscode.Command;
  /** The id of a codicon. */
  readonly icon: string;
  readonly description?: string;
  /** What menus ask for. */
  readonly contextValue?: string;
}

/** Days are open from the top until this many events show; the others wait closed. */
const eventsShownAtFirst = 30;
/** The same for days that were loaded later, such as by "Load More": they are expanded, because the user asked for them. */
const eventsShownLater = 60;
/** A day shows so many events until it is asked for more, because an editor that shows thousands at once stalls. */
export const eventsPerShowMore = 100;

/** The days and events of a feed as nodes, kept from refresh to refresh. */
export class FeedNodes {
  readonly #open: OpenFeed;
  readonly #openDays: () => number | undefined;
  readonly #days = new Map<string, DayNode>();
  #events = new Map<string, EventNode>();
  #list: readonly DayNode[] = [];
  #of: readonly FeedItem[] | undefined;
  #today = '';

  /** @param openDays so many days are open at first; without it, as many as show enough events. */
  constructor(open: OpenFeed, openDays: () => number | undefined) {
    this.#open = open;
    this.#openDays = openDays;
  }

  /** As they were at the last update. */
  get days(): readonly DayNode[] {
    return this.#list;
  }

  /**
   * Follows what the feed holds now.
   *
   * @returns whether there are other days, or fewer; and the days that are still there and have other events.
   */
  update(now: Date): { readonly areDaysOther: boolean; readonly changed: readonly DayNode[] } {
    const { shown } = this.#open;
    const today = now.toDateString();
    if (shown === this.#of && today === this.#today) {
      return { areDaysOther: false, changed: [] };
    }
    this.#of = shown;
    const isNewDay = today !== this.#today;
    this.#today = today;
    const before = this.#list;
    const isFirst = before.length === 0;
    const events = new Map<string, EventNode>();
    const changed: DayNode[] = [];
    let mayShow = isFirst ? eventsShownAtFirst : eventsShownLater;
    const openDays = isFirst ? this.#openDays() : undefined;
    this.#list = groupByDay(shown, now).map(({ date, events: items }, index) => {
      const nodes = items.map((item) => {
        const node = this.#eventNode(item, date, events);
        events.set(node.key, node);
        return node;
      });
      const known = this.#days.get(date);
      if (known) {
        if (!isSame(known.events, nodes)) {
          known.events = nodes;
          changed.push(known);
        }
        return known;
      }
      const day: DayNode = {
        kind: 'day',
        open: this.#open,
        date,
        events: nodes,
        limit: eventsPerShowMore,
        isExpanded: openDays === undefined ? mayShow > 0 : index < openDays,
      };
      mayShow -= nodes.length;
      this.#days.set(date, day);
      return day;
    });
    this.#events = events;
    return { areDaysOther: isNewDay || !isSame(before, this.#list), changed };
  }

  /** @param taken the keys of other events: those of what has no id of its own may be the same. */
  #eventNode(item: FeedItem, date: string, taken: ReadonlyMap<string, unknown>): EventNode {
    let key = String(itemKey(item));
    while (taken.has(key)) {
      key += '+';
    }
    const known = this.#events.get(key);
    if (known?.item === item) {
      known.date = date;
      return known;
    }
    return { kind: 'event', open: this.#open, item, project: projectOf(item, this.#open.feed), key, date };
  }
}

/** A feed as an item of the tree. */
export function feedNode(shown: ShownFeed): FeedNode {
  const feed = shown.open?.feed;
  const project = feed?.kind === 'project' ? { accountId: feed.accountId, idOrPath: feed.id ?? feed.path } : undefined;
  return { kind: 'feed', shown, project };
}

function projectOf(item: FeedItem, { accountId }: Feed): ProjectRef | undefined {
  const id = isUnrecognized(item) ? undefined : item.project_id;
  return typeof id === 'number' ? { accountId, idOrPath: id } : undefined;
}

function isSame<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((element, index) => element === others[index]);
}
