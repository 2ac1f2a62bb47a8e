import type { EventRecord } from '../../api/events.ts';
import { momentOf, usernameOf } from '../events/eventLabel.ts';
import { eventKind } from '../events/kinds.ts';
import { type FeedFilter, passes, type Today, withoutEmpty } from '../feed/filter.ts';
import { isMuted } from '../feed/merge.ts';

const millisecondsPerDay = 86_400_000;
const hoursPerWeek = 7 * 24;

/** What is counted of an event. */
export interface Counted {
  readonly event: EventRecord;
  /** Days since 1970-01-01, and the hour of the week from Monday, by the reader's clock; undefined for what has no time. */
  readonly day: number | undefined;
  readonly hour: number | undefined;
  readonly kind: string;
  /** Undefined for what belongs to no project. */
  readonly project: number | undefined;
  /** Undefined for authors that the instance does not name, as of deleted accounts. */
  readonly author: string | undefined;
}

export function countedOf(event: EventRecord): Counted {
  const moment = momentOf(event);
  const day =
    moment && Math.round(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / millisecondsPerDay);
  return {
    event,
    day,
    hour: moment && day !== undefined ? weekdayOf(day) * 24 + moment.getHours() : undefined,
    kind: eventKind(event),
    project: event.project_id ?? undefined,
    author: usernameOf(event),
  };
}

/** The number of a calendar date, `YYYY-MM-DD`: days since 1970-01-01. */
export function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / millisecondsPerDay);
}

/** The calendar date of a number of days since 1970-01-01, `YYYY-MM-DD`. */
export function dateOfDay(day: number): string {
  return new Date(day * millisecondsPerDay).toISOString().slice(0, 10);
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Days since 1970-01-01, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/**
 * How many events there are of each. The counts of a chart follow all conditions but its own, so that what else could be chosen
 * in it stays to be seen.
 */
export interface Counts {
  /** Of the period, whatever is chosen; those left out are not among them. */
  readonly all: number;
  readonly muted: number;
  /** Under all conditions. */
  readonly chosen: number;
  /** Of the period, without a time. */
  readonly undated: number;
  readonly days: ReadonlyMap<number, number>;
  readonly hours: readonly number[];
  readonly kinds: ReadonlyMap<string, number>;
  readonly projects: ReadonlyMap<number | undefined, number>;
  readonly people: ReadonlyMap<string | undefined, number>;
}

/** Why an event does not count. */
const [byDays, byKind, byProject, byAuthor] = [1, 2, 4, 8] as const;

/** Counts events of a period by what a filter lets through. */
export function count(
  events: Iterable<Counted>,
  { from, to }: DayRange,
  filter: FeedFilter,
  muted: ReadonlySet<string>,
  today: Today,
): Counts {
  const { actions, types, kind, project, author, since, until } = filter;
  const test = (conditions: Parameters<typeof withoutEmpty>[0]) => passes(withoutEmpty(conditions), today, true);
  const [ofKind, ofProject] = [test({ actions, types, kind }), test({ project })];
  const [ofAuthor, ofDays] = [test({ author }), test({ since, until })];
  const hours = Array.from({ length: hoursPerWeek }, () => 0);
  const [days, kinds] = [new Map<number, number>(), new Map<string, number>()];
  const [projects, people] = [new Map<number | undefined, number>(), new Map<string | undefined, number>()];
  let [all, chosen, undated, mutedCount] = [0, 0, 0, 0];
  for (const one of events) {
    const { event, day, hour } = one;
    if (day !== undefined && (day < from || day > to)) {
      continue;
    }
    if (isMuted({ muted }, event)) {
      mutedCount += 1;
      continue;
    }
    all += 1;
    undated += day === undefined ? 1 : 0;
    const failed =
      (ofDays(event) ? 0 : byDays) |
      (ofKind(event) ? 0 : byKind) |
      (ofProject(event) ? 0 : byProject) |
      (ofAuthor(event) ? 0 : byAuthor);
    // What fails one condition counts in the chart of that condition, what fails none in all.
    const isIn = (condition: number): boolean => (failed & ~condition) === 0;
    chosen += failed === 0 ? 1 : 0;
    if (day !== undefined && isIn(byDays)) {
      increase(days, day);
    }
    if (hour !== undefined && failed === 0) {
      hours[hour] = (hours[hour] ?? 0) + 1;
    }
    if (isIn(byKind)) {
      increase(kinds, one.kind);
    }
    if (isIn(byProject)) {
      increase(projects, one.project);
    }
    if (isIn(byAuthor)) {
      increase(people, one.author);
    }
  }
  return { all, muted: mutedCount, chosen, undated, days, hours, kinds, projects, people };
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
