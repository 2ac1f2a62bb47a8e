import { isDeepStrictEqual } from '#platform/runtime.ts';
import type { EventRecord } from '../../api/events.ts';

type Events = readonly EventRecord[];

/** Events that happened meanwhile push older ones to the next page, where they come a second time. */
export function withoutRepeats(items: Events): Events {
  const seen = new Set<number>();
  return items.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Whether newer items and known ones have one in common, so that none is missing between them. */
export function meets(newer: Events, known: Events): boolean {
  const ids = new Set(newer.map(({ id }) => id));
  return known.length === 0 || known.some(({ id }) => ids.has(id));
}

/**
 * Newer items followed by those known ones that are older. Known items that are missing between the newer ones are gone.
 *
 * @returns undefined if the feed begins again with the newer ones: because the two do not meet, so that there may be others between
 *   them; because nothing is the same where they meet, as when the instance has begun again; or because it would be too much.
 */
export function joinNewer(newer: Events, known: Events): Events | undefined {
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
  const all = withoutRepeats([...kept, ...known.slice(last + 1)]);
  return isSameList && !isTooMuch(all) ? all : undefined;
}

/**
 * What a further page adds to the items before it. Events that happened meanwhile push older ones to it, which are known, or are
 * on it themselves if they are very many: where new events come first, those are left to the next refresh.
 */
export function addedBy(items: Events, known: Events, isAscending: boolean): Events {
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

/**
 * The most items, and characters of them as JSON, that may come together by refreshing: an instance can answer each time with
 * others, and a window may stay open for weeks.
 */
const mostItems = 50_000;
const mostLength = 64 * 1024 * 1024;
const lengths = new WeakMap<EventRecord, number>();

export function isTooMuch(items: Events): boolean {
  let sum = 0;
  return (
    items.length > mostItems ||
    items.some((item) => {
      const length = lengths.get(item) ?? JSON.stringify(item).length;
      lengths.set(item, length);
      return (sum += length) > mostLength;
    })
  );
}
