import { isDeepStrictEqual } from '#platform/runtime.ts';
import type { EventRecord } from '../../api/events.ts';
import type { Page, PageLink } from '../../api/pagination.ts';
import { withoutSlash } from '../events/eventLink.ts';
import { eventKind, usernameOf } from '../events/eventLabel.ts';
import type { SavedFeed } from './feedStore.ts';
import type { ProjectFacts } from './projects.ts';

/** What the user has read of a feed, and does not want to see of it. */
export interface Reading {
  /** The id of the last event that has been read; undefined before the feed is loaded for the first time. */
  readonly readUpTo: number | undefined;
  /** Whether what is new counts in the badge and is notified. */
  readonly counts: boolean;
  readonly onlyNew: boolean;
  /** The username whose events are not new, as the user knows of them; undefined if they are. */
  readonly own?: string | undefined;
  /** The ids of single events that were read, and of those that were made new again, wherever they are. */
  readonly read: ReadonlySet<number>;
  readonly unread: ReadonlySet<number>;
  readonly open?: number | undefined;
  /** What is left out: `author/username`, `project/id` or `kind/kind`. */
  readonly muted: ReadonlySet<string>;
}

/** All that is known of an open feed at one moment. Never changed: each function of this file gives another one. */
export interface FeedState {
  /** In the order of the instance. */
  readonly items: readonly EventRecord[];
  /** What came in the place of events and is none, as JSON. */
  readonly unreadable: ReadonlySet<string>;
  /** When the items were last known to be up to date; undefined before there are any. */
  readonly checkedAt: Date | undefined;
  /** Whether the instance has answered since the feed was opened; else the items are those kept on disk. */
  readonly loaded: boolean;
  readonly loading: number;
  /** The place of the next page; undefined if there is none, or not yet. */
  readonly next: PageLink | undefined;
  /** The place of the page that the last items came with, where new ones come last; undefined for the first page. */
  readonly lastPage: PageLink | undefined;
  readonly complete: boolean;
  readonly etag: string | undefined;
  /** Why the last load failed, if it did; the items loaded before stay. */
  readonly error: unknown;
  /** The web address of the instance, without a slash at its end; undefined before it is known. */
  readonly instanceUrl: string | undefined;
  readonly projects: Readonly<Record<number, ProjectFacts>>;
  readonly reading: Reading;
  readonly shown: readonly EventRecord[];
  /** How many of the items pass the filter and are muted, and how many do not pass. */
  readonly mutedCount: number;
  readonly filteredCount: number;
  readonly newItems: readonly EventRecord[];
}

export interface FeedPage extends Pick<Page<EventRecord>, 'next' | 'etag' | 'notModified'> {
  readonly items: readonly EventRecord[];
}

export function emptyState(reading: Reading): FeedState {
  return {
    items: [],
    unreadable: new Set(),
    checkedAt: undefined,
    loaded: false,
    loading: 0,
    next: undefined,
    lastPage: undefined,
    complete: false,
    etag: undefined,
    error: undefined,
    instanceUrl: undefined,
    projects: {},
    reading,
    shown: [],
    mutedCount: 0,
    filteredCount: 0,
    newItems: [],
  };
}

/** Whether there is something to show: events, a failure, or that there are no events. */
export function isReady({ shown, error, loaded, loading }: FeedState): boolean {
  return shown.length > 0 || error !== undefined || (loaded && loading === 0);
}

/** Whether an event came after what has been read, or was made new again. What the user did is not new. */
export function isNew({ readUpTo, own, read, unread }: Reading, event: EventRecord): boolean {
  return (
    unread.has(event.id) ||
    (readUpTo !== undefined &&
      event.id > readUpTo &&
      !read.has(event.id) &&
      (own === undefined || usernameOf(event) !== own))
  );
}

export function isMuted({ muted }: Pick<Reading, 'muted'>, event: EventRecord): boolean {
  return (
    muted.size > 0 &&
    [`author/${usernameOf(event)}`, `project/${event.project_id}`, `kind/${eventKind(event)}`].some((subject) =>
      muted.has(subject),
    )
  );
}

export function projectIds({ items }: Pick<FeedState, 'items'>): ReadonlySet<number> {
  return new Set(items.flatMap(({ project_id: id }) => id ?? []));
}

/** Works out what is shown, where what that depends on differs from the state before. */
export function withRows(state: FeedState, before: FeedState, passes: (event: EventRecord) => boolean): FeedState {
  const { items, reading } = state;
  if (items === before.items && reading === before.reading) {
    return state;
  }
  const passing = items.filter(passes);
  const heard = passing.filter((item) => !isMuted(reading, item));
  const newItems = heard.filter((item) => isNew(reading, item));
  // A row does not vanish while it is looked at.
  const unread = heard.filter((item) => isNew(reading, item) || item.id === reading.open);
  return {
    ...state,
    shown: sameOr(before.shown, reading.onlyNew ? unread : heard),
    newItems: sameOr(before.newItems, newItems),
    mutedCount: passing.length - heard.length,
    filteredCount: items.length - passing.length,
  };
}

export function withReading(state: FeedState, reading: Reading): FeedState {
  return isDeepStrictEqual(state.reading, reading) ? state : { ...state, reading };
}

export function withProjects(state: FeedState, found: Readonly<Record<number, ProjectFacts>>): FeedState {
  return isDeepStrictEqual(state.projects, found) ? state : { ...state, projects: found };
}

export function withInstance(state: FeedState, url: string): FeedState {
  const instanceUrl = withoutSlash(url);
  return state.instanceUrl === instanceUrl ? state : { ...state, instanceUrl };
}

/** At most this many different records that are no events are told apart. */
const mostUnreadable = 1000;

export function withUnreadable(state: FeedState, records: readonly string[]): FeedState {
  const all = new Set([...state.unreadable, ...records].slice(0, mostUnreadable));
  return all.size === state.unreadable.size ? state : { ...state, unreadable: all };
}

/** Takes what was kept on disk, if nothing newer is there. */
export function restored(state: FeedState, { items, checkedAt, instanceUrl }: SavedFeed): FeedState {
  return state.loaded || state.items.length > 0
    ? state
    : withInstance({ ...state, items: withoutRepeats(items), checkedAt }, state.instanceUrl ?? instanceUrl);
}

/** Whether newer items and known ones have one in common, so that none is missing between them. */
export function meets(newer: readonly EventRecord[], known: readonly EventRecord[]): boolean {
  const ids = new Set(newer.map(({ id }) => id));
  return known.length === 0 || known.some(({ id }) => ids.has(id));
}

export interface Newest extends Pick<FeedPage, 'items' | 'next' | 'etag'> {
  readonly checkedAt: Date;
}

/**
 * Takes the newest items. What was loaded before stays, unless so much is new that the two do not meet: then the feed begins
 * again with what is new.
 */
export function newestLoaded(state: FeedState, { items: fresh, next, etag, checkedAt }: Newest): FeedState {
  const { items: known, complete, next: knownNext } = state;
  const all = joinNewer(fresh, known);
  // What would be too much begins again, too; what was before can be loaded once more.
  const items = all !== undefined && (all.length <= fresh.length || !isTooMuch(all)) ? all : withoutRepeats(fresh);
  const before = new Set(known);
  const goesOn = items === all && items.some((item) => before.has(item));
  return {
    ...state,
    items: sameOr(known, items),
    checkedAt,
    loaded: true,
    etag,
    error: undefined,
    next: goesOn ? (knownNext ?? (complete ? undefined : next)) : next,
    complete: goesOn ? complete || (knownNext === undefined && next === undefined) : next === undefined,
  };
}

/** Takes the first page, or the last one again, of a feed in which new items come last. */
export function endLoaded(state: FeedState, { items, next }: FeedPage, checkedAt: Date): FeedState {
  const { loaded, items: known } = state;
  const joined = withoutRepeats([...(loaded ? known : []), ...items]);
  const kept = sameOr(known, loaded && isTooMuch(joined) ? withoutRepeats(items) : joined);
  return { ...state, items: kept, checkedAt, loaded: true, error: undefined, next, complete: next === undefined };
}

/**
 * What a further page adds to the items before it. Events that happened meanwhile push older ones to it, which are known, or are
 * on it themselves if they are very many: where new events come first, those are left to the next refresh.
 */
export function addedBy(
  items: readonly EventRecord[],
  known: readonly EventRecord[],
  isAscending: boolean,
): readonly EventRecord[] {
  const ids = new Set(known.map(({ id }) => id));
  const last = items.findLastIndex(({ id }) => ids.has(id));
  const [newest] = known;
  const areNewer =
    !isAscending &&
    last < 0 &&
    newest !== undefined &&
    items.every((item) => item.id > newest.id && !isBefore(item, newest));
  return areNewer ? [] : items.slice(last + 1);
}

/** Whether an event happened before another one, or that cannot be said: what was imported may have any id. */
function isBefore(one: EventRecord, other: EventRecord): boolean {
  return !(Date.parse(one.created_at ?? '') >= Date.parse(other.created_at ?? ''));
}

/** Takes the next page, unless the feed has begun again since that page was asked for. */
export function pageLoaded(
  state: FeedState,
  from: PageLink,
  { items, next }: FeedPage,
  isAscending: boolean,
): FeedState {
  const { items: known } = state;
  if (state.next !== from) {
    return state;
  }
  const all = sameOr(known, withoutRepeats([...known, ...addedBy(items, known, isAscending)]));
  return { ...state, items: all, next, complete: next === undefined, lastPage: from, error: undefined };
}

/**
 * The most items, and characters of them as JSON, that may come together by refreshing: an instance can answer each time with
 * others, and a window may stay open for weeks.
 */
const mostItems = 50_000;
const mostLength = 64 * 1024 * 1024;

export function isTooMuch(items: readonly EventRecord[]): boolean {
  let length = 0;
  return items.length > mostItems || items.some((item) => (length += lengthOf(item)) > mostLength);
}

/**
 * Newer items followed by those known ones that are older. Known items that are missing between the newer ones are gone.
 *
 * @returns undefined if the two do not meet, so that there may be others between them. Where they meet and nothing is the same,
 *   the instance has begun again, and what is known means nothing: then the newer items alone.
 */
function joinNewer(newer: readonly EventRecord[], known: readonly EventRecord[]): EventRecord[] | undefined {
  if (known.length === 0) {
    return withoutRepeats(newer);
  }
  const places = new Map(known.map(({ id }, index) => [id, index]));
  let last = -1;
  let isSameList = false;
  // An item that is the same stays the same object, by which the rows know that nothing about it has changed.
  const kept = newer.map((item) => {
    const place = places.get(item.id) ?? -1;
    last = Math.max(last, place);
    const before = known[place];
    const isSameItem = before !== undefined && isDeepStrictEqual(before, item);
    isSameList ||= isSameItem;
    return isSameItem ? before : item;
  });
  if (last < 0) {
    return undefined;
  }
  return withoutRepeats(isSameList ? [...kept, ...known.slice(last + 1)] : newer);
}

const lengths = new WeakMap<EventRecord, number>();

function lengthOf(item: EventRecord): number {
  const length = lengths.get(item) ?? JSON.stringify(item).length;
  lengths.set(item, length);
  return length;
}

/** Events that happened meanwhile push older ones to the next page, where they come a second time. */
function withoutRepeats(items: readonly EventRecord[]): EventRecord[] {
  const seen = new Set<number>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** A list that is the same as before stays the same object. */
function sameOr<T>(before: readonly T[], list: readonly T[]): readonly T[] {
  return before.length === list.length && before.every((element, index) => element === list[index]) ? before : list;
}
