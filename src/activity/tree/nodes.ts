import type * as vscode from 'vscode';
import type { ProjectRef } from '../../accounts/account.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { groupByDay } from '../../common/dates.ts';
import type { Feed } from '../feed/feed.ts';
import type { FeedItem, FeedRef } from '../feed/feedRef.ts';
import { type FeedState, isAboveRead, isNew, itemKey } from '../feed/feedState.ts';
import type { ShownFeed } from '../feed/openFeeds.ts';
import type { ProjectFacts } from '../feed/projects.ts';

/** What the tree consists of. Nodes stay the same objects from refresh to refresh, as long as what they stand for is there. */
export type ActivityNode = FeedNode | DayNode | EventNode | MessageNode;

/** A feed among several. */
export interface FeedNode {
  readonly kind: 'feed';
  readonly shown: ShownFeed;
  /** The project whose feed it is; undefined if it is that of a user or of all projects. */
  readonly project: ProjectRef | undefined;
}

/** The events of a feed on one day. */
export interface DayNode {
  readonly kind: 'day';
  readonly feed: Feed;
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
  readonly feed: Feed;
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
  readonly feed: Feed | undefined;
  readonly command: vscode.Command;
  /** The id of a codicon. */
  readonly icon: string;
  readonly description?: string;
}

/** Days are open from the top until this many events show; the others wait closed. */
const eventsShownAtFirst = 30;
/** The same for days that were loaded later, such as by "Load More": they are expanded, because the user asked for them. */
const eventsShownLater = 60;
/** A day shows so many events until it is asked for more, because an editor that shows thousands at once stalls. */
export const eventsPerShowMore = 100;

/** What differs in the rows of a feed after a change of its state. */
export interface RowsDifference {
  /** Whether there are other days, or days have other names. */
  readonly areDaysOther: boolean;
  /** The days that are still there and have other events. */
  readonly days: readonly DayNode[];
  /** The events that are still there and look different: one is read now, or its project has become known. */
  readonly events: readonly EventNode[];
}

/** The days and events of a feed as nodes, kept from state to state. */
export class FeedNodes {
  readonly #feed: Feed;
  readonly #openDays: number | undefined;
  readonly #days = new Map<string, DayNode>();
  #events = new Map<string, EventNode>();
  #list: readonly DayNode[] = [];
  #state: FeedState | undefined;
  #today = '';

  /** @param openDays so many days are open at first; without it, as many as show enough events. */
  constructor(feed: Feed, openDays?: number) {
    this.#feed = feed;
    this.#openDays = openDays;
  }

  /** As they were at the last update. */
  get days(): readonly DayNode[] {
    return this.#list;
  }

  /** Shows the present state of the feed: gives the difference between it and the state at the last update. */
  update(now: Date): RowsDifference {
    const { state } = this.#feed;
    const before = this.#state;
    this.#state = state;
    const today = now.toDateString();
    const isNewDay = today !== this.#today;
    this.#today = today;
    const list = this.#list;
    const days = before?.shown === state.shown && !isNewDay ? [] : this.#group(state, now);
    const dates = new Set(days.map(({ date }) => date));
    return {
      areDaysOther: isNewDay || !isSame(list, this.#list),
      days,
      events: before ? this.#changedLooks(before, state).filter(({ date }) => !dates.has(date)) : [],
    };
  }

  /** @returns the days that were there before and have other events now. */
  #group({ shown }: FeedState, now: Date): readonly DayNode[] {
    const isFirst = this.#list.length === 0;
    const events = new Map<string, EventNode>();
    const changed: DayNode[] = [];
    let mayShow = isFirst ? eventsShownAtFirst : eventsShownLater;
    const openDays = isFirst ? this.#openDays : undefined;
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
        feed: this.#feed,
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
    return changed;
  }

  #changedLooks(before: FeedState, { projects, reading }: FeedState): readonly EventNode[] {
    const { readUpTo, own, opened } = before.reading;
    const isRead = readUpTo !== reading.readUpTo || own !== reading.own || opened !== reading.opened;
    if (!isRead && before.projects === projects) {
      return [];
    }
    const isOther = ({ item }: EventNode): boolean =>
      (isRead &&
        (isNew(before.reading, item) !== isNew(reading, item) ||
          isAboveRead(before.reading, item) !== isAboveRead(reading, item))) ||
      projectFacts(item, before) !== projectFacts(item, { projects });
    return [...this.#events.values()].filter(isOther);
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
    return { kind: 'event', feed: this.#feed, item, project: projectOf(item, this.#feed.ref), key, date };
  }
}

/** What is known of the project of an event. */
export function projectFacts(item: FeedItem, { projects }: Pick<FeedState, 'projects'>): ProjectFacts | undefined {
  const id = isUnrecognized(item) ? undefined : item.project_id;
  return typeof id === 'number' ? projects[id] : undefined;
}

/** A feed as an item of the tree. */
export function feedNode(shown: ShownFeed): FeedNode {
  const ref = shown.feed?.ref;
  const project = ref?.kind === 'project' ? { accountId: ref.accountId, idOrPath: ref.id ?? ref.path } : undefined;
  return { kind: 'feed', shown, project };
}

function projectOf(item: FeedItem, { accountId }: FeedRef): ProjectRef | undefined {
  const id = isUnrecognized(item) ? undefined : item.project_id;
  return typeof id === 'number' ? { accountId, idOrPath: id } : undefined;
}

function isSame<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((element, index) => element === others[index]);
}
