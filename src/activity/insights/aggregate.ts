/**
 * Counts events by what charts show, in one pass over numbers: the page does this at each choice. Runs
 * in the page and in the extension host alike.
 */

const millisecondsPerDay = 86_400_000;

/** So many numbers describe an event: day, hour of the week, and the places of its kind, project and author among the names of each. */
export const fieldsPerEvent = 5;
const hoursPerWeek = 7 * 24;
/** In the place of the day where an event has no time, and in that of the hour. */
export const [noDay, noHour] = [-0x7fff_ffff, hoursPerWeek] as const;

/** Something for each sort of names that events are counted by. */
export interface ByName<T> {
  readonly kinds: T;
  readonly projects: T;
  readonly authors: T;
}

/** Days since 1970-01-01, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
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

/** The Monday of the week of a day. */
export function mondayOf(day: number): number {
  return day - weekdayOf(day);
}

/** The place of an hour of a weekday among the 168 of a week. */
export function hourOfWeek(day: number, hour: number): number {
  return weekdayOf(day) * 24 + hour;
}

/** Which events count; an absent condition lets all pass. Names are given by their places. */
export interface Selection extends ByName<ReadonlySet<number> | undefined> {
  /** What is looked at. What has no time passes. */
  readonly period: DayRange;
  readonly days: DayRange | undefined;
  /** What is left out of everything. */
  readonly muted: ByName<readonly number[]>;
}

/**
 * How many events there are of each. The counts of a chart follow all conditions but its own, so that what else could be chosen
 * in it stays to be seen.
 */
export interface Counts extends ByName<Uint32Array> {
  /** Of the period, whatever is chosen. */
  readonly all: number;
  /** Of the period, left out. */
  readonly muted: number;
  /** Under all conditions. */
  readonly chosen: number;
  /** Of the period, without a time. */
  readonly undated: number;
  /** By day of the period. */
  readonly days: Uint32Array;
  readonly hours: Uint32Array;
}

/** Why an event does not count. */
const [byDays, byKind, byProject, byAuthor, byMute] = [1, 2, 4, 8, 16] as const;

/**
 * @param rows `fieldsPerEvent` numbers for each event.
 * @param length how many of the numbers count.
 * @param sizes how many names there are.
 */
export function aggregate(
  rows: Int32Array,
  length: number,
  sizes: ByName<number>,
  { period, days: chosenDays, muted: mutes, ...chosen }: Selection,
): Counts {
  const { from, to } = period;
  const days = new Uint32Array(Math.max(0, to - from + 1));
  const hours = new Uint32Array(hoursPerWeek);
  const kinds = new Uint32Array(sizes.kinds);
  const projects = new Uint32Array(sizes.projects);
  const authors = new Uint32Array(sizes.authors);
  let [all, passed, undated, muted] = [0, 0, 0, 0];
  // What has no time is before the first day.
  const { from: first, to: last } = chosenDays ?? { from: -Infinity, to: Infinity };
  const ofKind = failures(byKind, sizes.kinds, chosen.kinds, mutes.kinds);
  const ofProject = failures(byProject, sizes.projects, chosen.projects, mutes.projects);
  const ofAuthor = failures(byAuthor, sizes.authors, chosen.authors, mutes.authors);
  for (let at = 0; at < length; at += fieldsPerEvent) {
    const day = rows[at] ?? noDay;
    const hasTime = day !== noDay;
    if (hasTime && (day < from || day > to)) {
      continue;
    }
    const hour = rows[at + 1] ?? noHour;
    const kind = rows[at + 2] ?? 0;
    const project = rows[at + 3] ?? 0;
    const author = rows[at + 4] ?? 0;
    const failed =
      (ofKind[kind] ?? 0) |
      (ofProject[project] ?? 0) |
      (ofAuthor[author] ?? 0) |
      (day < first || day > last ? byDays : 0);
    if (failed >= byMute) {
      muted += 1;
      continue;
    }
    all += 1;
    undated += hasTime ? 0 : 1;
    // What fails one condition counts in the chart of that condition, what fails none in all.
    if (failed === 0) {
      passed += 1;
      increase(kinds, kind);
      increase(projects, project);
      increase(authors, author);
      if (hasTime) {
        increase(hours, hour);
        increase(days, day - from);
      }
    } else if (failed === byKind) {
      increase(kinds, kind);
    } else if (failed === byProject) {
      increase(projects, project);
    } else if (failed === byAuthor) {
      increase(authors, author);
    } else if (hasTime && failed === byDays) {
      increase(days, day - from);
    }
  }
  return { all, chosen: passed, undated, muted, days, hours, kinds, projects, authors };
}

/** By place, what it fails by: nothing if it is chosen, or nothing is. */
function failures(
  condition: number,
  size: number,
  chosen: ReadonlySet<number> | undefined,
  muted: readonly number[] = [],
): Uint8Array {
  const all = new Uint8Array(size).fill(chosen ? condition : 0);
  chosen?.forEach((place) => (all[place] = 0));
  muted.forEach((place) => (all[place] = byMute));
  return all;
}

function increase(counts: Uint32Array, place: number): void {
  counts[place] = (counts[place] ?? 0) + 1;
}
