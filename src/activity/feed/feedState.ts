import { sha256 } from '#platform/bytes.ts';
import { isDeepStrictEqual } from '#platform/runtime.ts';
import type { EventRecord } from '../../api/events.ts';
import type { Page, PageLink } from '../../api/pagination.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { eventKind } from '../events/eventKind.ts';
import type { FeedItem } from './feedRef.ts';
import type { SavedFeed } from './feedStore.ts';
import { type FeedFilter, passes, type Today, usernameOf } from './filter.ts';
import type { ProjectFacts } from './projects.ts';

/** What the user has read of a feed, and does not want to see of it. */
export interface Reading {
  /** The id of the last event that has been read; undefined before the feed is loaded for the first time. */
  readonly readUpTo: number | undefined;
  /** Whether what is new counts in the badge and is notified. */
  readonly counts: boolean;
  /** Whether events that have been read are left out. */
  readonly onlyNew: boolean;
  /** The username whose events are not new, as the user knows of them; undefined if they are. */
  readonly own?: string | undefined;
  /** The ids of events that were opened: they are not new, whatever was read. */
  readonly opened: ReadonlySet<unknown>;
  /** What is left out: `author/username`, `project/id` or `kind/kind`. */
  readonly muted: ReadonlySet<string>;
}

/** All that is known of an open feed at one moment. Never changed: each function of this file gives another one. */
export interface FeedState {
  /** In the order of the instance. */
  readonly items: readonly FeedItem[];
  /** When the items were last known to be up to date; undefined before there are any. */
  readonly checkedAt: Date | undefined;
  /** Whether the instance has answered since the feed was opened; else the items are those kept on disk. */
  readonly loaded: boolean;
  /** How many loads are under way. */
  readonly loading: number;
  /** The place of the next page; undefined if there is none, or not yet. */
  readonly next: PageLink | undefined;
  /** The place of the page that the last items came with, where new ones come last; undefined for the first page. */
  readonly lastPage: PageLink | undefined;
  /** Whether the end of the list is among the items. */
  readonly complete: boolean;
  readonly etag: string | undefined;
  /** Why the last load failed, if it did; the items loaded before stay. */
  readonly error: unknown;
  /** The web address of the instance, without a slash at its end; undefined before it is known. */
  readonly instanceUrl: string | undefined;
  /** What is known of the projects of the items, by id. */
  readonly projects: Readonly<Record<number, ProjectFacts>>;
  readonly reading: Reading;
  /** The items that are shown, in the order of the instance. */
  readonly shown: readonly FeedItem[];
  /** How many of the items pass the filter and are muted. */
  readonly mutedCount: number;
  /** The items that are shown and new. */
  readonly newItems: readonly FeedItem[];
}

/** A page as a feed reads it. */
export type FeedPage = Pick<Page<EventRecord>, 'items' | 'next' | 'etag' | 'notModified'>;

/** A feed of which nothing is loaded. */
export function emptyState(reading: Reading): FeedState {
  return {
    ...{ items: [], checkedAt: undefined, loaded: false, loading: 0, error: undefined, instanceUrl: undefined },
    ...{ next: undefined, lastPage: undefined, complete: false, etag: undefined, projects: {}, reading },
    ...{ shown: [], mutedCount: 0, newItems: [] },
  };
}

/** Whether there is something to show: events, a failure, or that there are no events. */
export function isReady({ shown, error, loaded, loading }: FeedState): boolean {
  return shown.length > 0 || error !== undefined || (loaded && loading === 0);
}

/** Whether an item came after what has been read, is not the user's own, and was not opened. */
export function isNew(
  { readUpTo, own, opened }: Pick<Reading, 'readUpTo' | 'own'> & Partial<Pick<Reading, 'opened'>>,
  item: FeedItem,
): boolean {
  const isOwn = own !== undefined && !isUnrecognized(item) && usernameOf(item) === own;
  return isAboveRead({ readUpTo }, item) && !isOwn && !('id' in item && opened?.has(item.id));
}

/** Whether an item is above what has been read. */
export function isAboveRead({ readUpTo }: Pick<Reading, 'readUpTo'>, item: FeedItem): boolean {
  return readUpTo !== undefined && 'id' in item && item.id > readUpTo;
}

/** Whether an item is left out because of its author, project or kind. What is no event record is not. */
export function isMuted({ muted }: Pick<Reading, 'muted'>, item: FeedItem): boolean {
  return (
    muted.size > 0 &&
    !isUnrecognized(item) &&
    [`author/${usernameOf(item)}`, `project/${item.project_id}`, `kind/${eventKind(item)}`].some((subject) =>
      muted.has(subject),
    )
  );
}

/** The ids of the projects of the items. */
export function projectIds({ items }: Pick<FeedState, 'items'>): ReadonlySet<number> {
  return new Set(items.flatMap((item) => (isUnrecognized(item) ? [] : (item.project_id ?? []))));
}

/** Works out what is shown, where what that depends on differs from the state before. */
export function withRows(state: FeedState, before: FeedState, filter: FeedFilter, today: Today): FeedState {
  const { items, reading } = state;
  if (items === before.items && reading === before.reading) {
    return state;
  }
  const passing = items.filter(passes(filter, today));
  const heard = passing.filter((item) => !isMuted(reading, item));
  const newItems = heard.filter((item) => isNew(reading, item));
  const { readUpTo, own, onlyNew } = reading;
  return {
    ...state,
    // What is opened stays where it is: a row does not vanish while it is looked at.
    shown: sameOr(before.shown, onlyNew ? heard.filter((item) => isNew({ readUpTo, own }, item)) : heard),
    newItems: sameOr(before.newItems, newItems),
    mutedCount: passing.length - heard.length,
  };
}

export function loadStarted(state: FeedState): FeedState {
  return { ...state, loading: state.loading + 1 };
}

export function loadEnded(state: FeedState): FeedState {
  return { ...state, loading: state.loading - 1 };
}

/** Keeps what was loaded, and says why there is nothing newer. */
export function failed(state: FeedState, error: unknown): FeedState {
  return { ...state, error };
}

/** Takes over what the user has read and muted. */
export function withReading(state: FeedState, reading: Reading): FeedState {
  return isDeepStrictEqual(state.reading, reading) ? state : { ...state, reading };
}

/** Takes over what is known of the projects of the items. */
export function withProjects(state: FeedState, found: Readonly<Record<number, ProjectFacts>>): FeedState {
  if (isDeepStrictEqual(state.projects, found)) {
    return state;
  }
  // Facts that are the same stay the same object, by which the rows know that nothing about them has changed.
  const projects = Object.entries(found).map(([id, facts]) => {
    const known = state.projects[Number(id)];
    return [id, known !== undefined && isDeepStrictEqual(known, facts) ? known : facts] as const;
  });
  return { ...state, projects: Object.fromEntries(projects) };
}

/** Takes over where the instance is. */
export function withInstance(state: FeedState, url: string): FeedState {
  const instanceUrl = url.replace(/(?<!\/)\/+$/, '');
  return state.instanceUrl === instanceUrl ? state : { ...state, instanceUrl };
}

/** Takes what was kept on disk, if nothing newer is there. */
export function restored(state: FeedState, { items, checkedAt, instanceUrl }: SavedFeed): FeedState {
  return state.loaded || state.items.length > 0
    ? state
    : withInstance({ ...state, items: withoutRepeats(items), checkedAt }, state.instanceUrl ?? instanceUrl);
}

/** Notes that nothing has changed. */
export function confirmed(state: FeedState, checkedAt: Date): FeedState {
  return { ...state, checkedAt, error: undefined };
}

/** Whether newer items and known ones have one in common, so that none is missing between them. */
export function meets(newer: readonly FeedItem[], known: readonly FeedItem[]): boolean {
  const keysOfNewer = new Set(newer.map(itemKey));
  return known.length === 0 || known.some((item) => keysOfNewer.has(itemKey(item)));
}

/** What the instance says of the newest items. */
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
    ...{ items: sameOr(known, items), checkedAt, loaded: true, etag, error: undefined },
    next: goesOn ? (knownNext ?? (complete ? undefined : next)) : next,
    complete: goesOn ? complete || (knownNext === undefined && next === undefined) : next === undefined,
  };
}

/** Takes the first page, or the last one again, of a feed in which new items come last. */
export function endLoaded(state: FeedState, { items, next }: FeedPage, checkedAt: Date): FeedState {
  const { loaded, items: known } = state;
  const joined = withoutRepeats([...(loaded ? known : []), ...items]);
  return {
    ...state,
    items: sameOr(known, loaded && isTooMuch(joined) ? withoutRepeats(items) : joined),
    ...{ checkedAt, loaded: true, error: undefined, next, complete: next === undefined },
  };
}

/**
 * What a further page adds to the items before it. Events that happened meanwhile push older ones to it, which are known, or are
 * on it themselves if they are very many: where new events come first, those are left to the next refresh.
 */
export function addedBy(
  items: readonly FeedItem[],
  known: readonly FeedItem[],
  isAscending: boolean,
): readonly FeedItem[] {
  const ids = new Set(known.flatMap((item) => ('id' in item ? item.id : [])));
  const last = items.findLastIndex((item) => 'id' in item && ids.has(item.id));
  const newest = known.find((item) => 'id' in item);
  const areNewer =
    !isAscending &&
    last < 0 &&
    newest !== undefined &&
    items.every((item) => 'id' in item && 'id' in newest && item.id > newest.id && !isBefore(item, newest));
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
  return state.next === from
    ? {
        ...state,
        items: sameOr(known, withoutRepeats([...known, ...addedBy(items, known, isAscending)])),
        ...{ next, complete: next === undefined, lastPage: from, error: undefined },
      }
    : state;
}

/**
 * So many items, and so many characters of them as JSON, may come together by refreshing: an instance can answer each time with
 * others, and a window may stay open for weeks.
 */
const mostItems = 50_000;
const mostLength = 64 * 1024 * 1024;

/** Whether items are more than a window should hold. */
export function isTooMuch(items: readonly FeedItem[]): boolean {
  let length = 0;
  return items.length > mostItems || items.some((item) => (length += lengthOf(item)) > mostLength);
}

/**
 * Newer items followed by those known ones that are older. Known items that are missing between the newer ones are gone.
 *
 * @returns undefined if the two do not meet, so that there may be others between them. Where they meet and nothing is the same,
 *   the instance has begun again, and what is known means nothing: then the newer items alone.
 */
function joinNewer(newer: readonly FeedItem[], known: readonly FeedItem[]): FeedItem[] | undefined {
  if (known.length === 0) {
    return withoutRepeats(newer);
  }
  const places = new Map(known.map((item, index) => [itemKey(item), index]));
  let last = -1;
  let isSameList = false;
  // An item that is the same stays the same object, by which the rows know that nothing about it has changed.
  const kept = newer.map((item) => {
    const place = places.get(itemKey(item)) ?? -1;
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

const lengths = new WeakMap<FeedItem, number>();

function lengthOf(item: FeedItem): number {
  const length = lengths.get(item) ?? JSON.stringify('id' in item ? item : item.raw).length;
  lengths.set(item, length);
  return length;
}

/** Events that happened meanwhile push older ones to the next page, where they come a second time. */
function withoutRepeats(items: readonly FeedItem[]): FeedItem[] {
  const seen = new Set<number>();
  // An item without an id may equal another one; it is rather shown twice than not at all.
  return items.filter((item) => !('id' in item) || (!seen.has(item.id) && seen.add(item.id)));
}

const keys = new WeakMap<FeedItem, string>();

/** The identity of an item: its id, or else its whole content. */
export function itemKey(item: FeedItem): number | string {
  if ('id' in item) {
    return item.id;
  }
  const key = keys.get(item) ?? `raw-${sha256(JSON.stringify(item.raw), 'base64url')}`;
  keys.set(item, key);
  return key;
}

/** A list that is the same as before stays the same object. */
function sameOr<T>(before: readonly T[], list: readonly T[]): readonly T[] {
  return before.length === list.length && before.every((element, index) => element === list[index]) ? before : list;
}
