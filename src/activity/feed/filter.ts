import type { EventFilter, EventRecord } from '../../api/events.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { addDays, calendarDate, type Period, readPeriod } from '../../common/dates.ts';
import { eventKind, canonicalKind } from '../events/eventKind.ts';
import type { FeedItem } from './feedRef.ts';

/** Which events of a feed to show, and in what order. All conditions hold together; an absent one lets everything pass. */
export interface FeedFilter {
  /** As the instance filters by, such as `pushed`. */
  readonly action?: string;
  /** As the instance filters by, such as `merge_request`. */
  readonly targetType?: string;
  /** The first day: a date, or a relative one such as `last week`, which moves on with time. */
  readonly since?: string;
  /** The last day, likewise. */
  readonly until?: string;
  /** `asc` for the oldest first. */
  readonly order?: 'asc';
  /** A username. */
  readonly author?: string;
  /** An id and the path that it had when it was chosen. */
  readonly project?: { readonly id: number; readonly path: string };
  /** See `eventKind`. */
  readonly kind?: string;
}

/** What relative days in a filter refer to. */
export interface Today {
  readonly now: Date;
  /** A BCP 47 tag. */
  readonly language: string;
  /** An IANA name; the reader's own by default. */
  readonly timeZone?: string;
}

/** Whether a filter lets everything pass in the usual order. */
export function isEmptyFilter(filter: FeedFilter): boolean {
  return Object.values(filter).every((condition) => condition === undefined);
}

/** Names a filter: the same text for filters that say the same. */
export function filterId(filter: FeedFilter): string {
  const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
  return JSON.stringify(conditions.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The part of a filter that the instance knows. Its limits exclude the day that they name, by the instance's calendar, which
 * may be a day off the reader's: the request takes in one more day at either side, and `passes` leaves it out.
 */
export function requestFilter(filter: FeedFilter, today: Today): EventFilter {
  const { action, targetType, order } = filter;
  const { from, to } = daysOf(filter, today);
  return {
    ...(action === undefined ? {} : { action }),
    ...(targetType === undefined ? {} : { target_type: targetType }),
    ...(from === undefined ? {} : { after: addDays(from, -2) }),
    ...(to === undefined ? {} : { before: addDays(to, 2) }),
    ...(order === undefined ? {} : { sort: order }),
  };
}

/** A test for what is left to do when the instance has filtered. What is no event record passes. */
export function passes(filter: FeedFilter, today: Today): (item: FeedItem) => boolean {
  const { author, project, kind } = filter;
  const { from, to } = daysOf(filter, today);
  const tests: ((event: EventRecord) => boolean)[] = [
    ...(from === undefined && to === undefined ? [] : [isBetween(from ?? '', to ?? '9999-12-31', today.timeZone)]),
    ...(author === undefined ? [] : [(event: EventRecord) => usernameOf(event) === author]),
    ...(project === undefined ? [] : [(event: EventRecord) => event.project_id === project.id]),
    ...(kind === undefined ? [] : [(event: EventRecord) => eventKind(event) === canonicalKind(kind)]),
  ];
  return (item) => isUnrecognized(item) || tests.every((test) => test(item));
}

/** The username of the author, if the instance gives it. */
export function usernameOf({ author, author_username: username }: EventRecord): string | undefined {
  return (author?.username ?? username) || undefined;
}

/** Reads a filter as it was remembered; conditions that are none are left out. */
export function readFilter(remembered: unknown): FeedFilter {
  const given: Record<string, unknown> = typeof remembered === 'object' ? { ...remembered } : {};
  const texts = textConditions.filter((name) => typeof given[name] === 'string').map((name) => [name, given[name]]);
  const { id, path } = (given['project'] ?? {}) as { id?: unknown; path?: unknown };
  return {
    ...(Object.fromEntries(texts) as FeedFilter),
    ...(given['order'] === 'asc' ? { order: 'asc' } : {}),
    ...(typeof id === 'number' && typeof path === 'string' ? { project: { id, path } } : {}),
  };
}

const textConditions = ['action', 'targetType', 'since', 'until', 'author', 'kind'] as const;

/** The first and the last day of a filter; undefined where it names none. */
export function daysOf(
  { since = '', until = '' }: FeedFilter,
  { now, language, timeZone }: Today,
): Record<keyof Period, string | undefined> {
  return {
    from: readPeriod(since, now, language, timeZone)?.from,
    to: readPeriod(until, now, language, timeZone)?.to,
  };
}

function isBetween(from: string, to: string, timeZone: string | undefined): (event: EventRecord) => boolean {
  return ({ created_at: createdAt }) => {
    const time = Date.parse(createdAt ?? '');
    const date = Number.isNaN(time) ? undefined : calendarDate(new Date(time), timeZone);
    // An event is never hidden for what is wrong with it.
    return date === undefined || (date >= from && date <= to);
  };
}
