import type { EventRecord } from '../../api/events.ts';
import { momentOf, usernameOf } from '../events/eventLabel.ts';
import { eventKind } from '../events/kinds.ts';
import { daysOf, type FeedFilter, passes, type Today, withoutEmpty } from '../feed/filter.ts';
import { isMuted } from '../feed/merge.ts';

const millisecondsPerDay = 86_400_000;

/** What is counted of an event; undefined is what the instance does not say. */
export interface Counted {
  readonly event: EventRecord;
  /** Days since 1970-01-01, and the hour of the week from Monday, by the reader's clock. */
  readonly day: number | undefined;
  readonly hour: number | undefined;
  readonly kind: string;
  readonly project: number | undefined;
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

/** The events of a period that are not muted, and those of them that pass a filter. */
export interface Counts {
  readonly all: readonly Counted[];
  readonly muted: number;
  readonly chosen: readonly Counted[];
  /** Those of a chart pass all conditions but its own, so that what else could be chosen in it stays to be seen. */
  readonly but: (own: 'days' | 'kinds' | 'projects' | 'people') => readonly Counted[];
}

export function count(
  events: readonly Counted[],
  { from, to }: DayRange,
  filter: FeedFilter,
  muted: ReadonlySet<string>,
  today: Today,
): Counts {
  const { actions, types, kind, project, author } = filter;
  const days = daysOf(filter, today);
  const [first, last] = [days.from && dayNumber(days.from), days.to && dayNumber(days.to)];
  const test = (conditions: Parameters<typeof withoutEmpty>[0]): ((one: Counted) => boolean) => {
    const isPassing = passes(withoutEmpty(conditions), today, true);
    return ({ event }) => isPassing(event);
  };
  const tests = {
    days: ({ day }: Counted) => day === undefined || (day >= (first || -Infinity) && day <= (last || Infinity)),
    kinds: test({ actions, types, kind }),
    projects: test({ project }),
    people: test({ author }),
  };
  const ofPeriod = events.filter(({ day }) => day === undefined || (day >= from && day <= to));
  const all = ofPeriod.filter(({ event }) => !isMuted({ muted }, event));
  const but = (own?: keyof typeof tests): readonly Counted[] => {
    const others = Object.entries(tests).flatMap(([name, isPassing]) => (name === own ? [] : isPassing));
    return all.filter((one) => others.every((isPassing) => isPassing(one)));
  };
  return { all, muted: ofPeriod.length - all.length, chosen: but(), but };
}
