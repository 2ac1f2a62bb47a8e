import { csvCell } from '../commands/summary.ts';

/**
 * Counts events by what charts show, in one pass over numbers, and writes the counts as CSV: the page does this at each choice. Runs
 * in the page and in the extension host alike.
 */

const millisecondsPerDay = 86_400_000;

/** So many numbers describe an event: day, hour, and the places of its kind, project and author among the names of each. */
export const fieldsPerEvent = 5;
/** In the place of day and hour where an event has no time. */
export const noTime = -0x7fff_ffff;

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

/** Which events count; an absent condition lets all pass. */
export interface Selection {
  /** What is looked at. What has no time passes. */
  readonly period: DayRange;
  readonly days: DayRange | undefined;
  /** By `hourOfWeek`. */
  readonly hours: ReadonlySet<number>;
  /** Places among the names, as of projects and authors below. */
  readonly kinds: ReadonlySet<number> | undefined;
  readonly projects: ReadonlySet<number> | undefined;
  readonly authors: ReadonlySet<number> | undefined;
}

/** How many names there are. */
export interface Sizes {
  readonly kinds: number;
  readonly projects: number;
  readonly authors: number;
}

/**
 * How many events there are of each. The counts of a chart follow all conditions but its own, so that what else could be chosen
 * in it stays to be seen.
 */
export interface Counts {
  /** Of the period, whatever is chosen. */
  readonly all: number;
  /** Under all conditions. */
  readonly chosen: number;
  /** Of the period, without a time. */
  readonly undated: number;
  /** By day of the period. */
  readonly days: Uint32Array;
  /** By week of the period, the first of which may have begun before it. */
  readonly pushes: Uint32Array;
  readonly comments: Uint32Array;
  readonly hours: Uint32Array;
  readonly kinds: Uint32Array;
  readonly projects: Uint32Array;
  readonly authors: Uint32Array;
}

const [byDays, byHours, byKind, byProject, byAuthor] = [1, 2, 4, 8, 16] as const;

/**
 * @param rows `fieldsPerEvent` numbers for each event.
 * @param length how many of the numbers count.
 * @param push the place of pushes among the kinds, and so on; -1 for none.
 */
export function aggregate(
  rows: Int32Array,
  length: number,
  sizes: Sizes,
  { push, comment }: { readonly push: number; readonly comment: number },
  { period, days, hours, kinds, projects, authors }: Selection,
): Counts {
  const first = mondayOf(period.from);
  const weeks = Math.max(0, Math.floor((mondayOf(period.to) - first) / 7) + 1);
  const counts = {
    ...{ all: 0, chosen: 0, undated: 0 },
    days: new Uint32Array(Math.max(0, period.to - period.from + 1)),
    pushes: new Uint32Array(weeks),
    comments: new Uint32Array(weeks),
    hours: new Uint32Array(7 * 24),
    kinds: new Uint32Array(sizes.kinds),
    projects: new Uint32Array(sizes.projects),
    authors: new Uint32Array(sizes.authors),
  };
  const isChosen = {
    hours: flags(hours, 7 * 24),
    kinds: flags(kinds, sizes.kinds),
    projects: flags(projects, sizes.projects),
    authors: flags(authors, sizes.authors),
  };
  const anyHour = hours.size === 0;
  for (let at = 0; at < length; at += fieldsPerEvent) {
    const day = rows[at] ?? noTime;
    const [kind, project, author] = [rows[at + 2] ?? 0, rows[at + 3] ?? 0, rows[at + 4] ?? 0];
    const hasTime = day !== noTime;
    if (hasTime && (day < period.from || day > period.to)) {
      continue;
    }
    const hour = hasTime ? hourOfWeek(day, rows[at + 1] ?? 0) : -1;
    const failed =
      (days === undefined || (hasTime && day >= days.from && day <= days.to) ? 0 : byDays) |
      (anyHour || (hasTime && isChosen.hours[hour] === 1) ? 0 : byHours) |
      (isChosen.kinds[kind] === 1 ? 0 : byKind) |
      (isChosen.projects[project] === 1 ? 0 : byProject) |
      (isChosen.authors[author] === 1 ? 0 : byAuthor);
    counts.all += 1;
    counts.undated += hasTime ? 0 : 1;
    counts.chosen += failed === 0 ? 1 : 0;
    if (hasTime && (failed & ~byDays) === 0) {
      increase(counts.days, day - period.from);
      if (kind === push || kind === comment) {
        increase(kind === push ? counts.pushes : counts.comments, Math.floor((day - first) / 7));
      }
    }
    if (hasTime && (failed & ~byHours) === 0) {
      increase(counts.hours, hour);
    }
    if ((failed & ~byKind) === 0) {
      increase(counts.kinds, kind);
    }
    if ((failed & ~byProject) === 0) {
      increase(counts.projects, project);
    }
    if ((failed & ~byAuthor) === 0) {
      increase(counts.authors, author);
    }
  }
  return counts;
}

/** 1 for what is chosen; for everything where nothing is said. */
function flags(chosen: ReadonlySet<number> | undefined, size: number): Uint8Array {
  const all = new Uint8Array(size).fill(chosen ? 0 : 1);
  chosen?.forEach((place) => (all[place] = 1));
  return all;
}

function increase(counts: Uint32Array, place: number): void {
  counts[place] = (counts[place] ?? 0) + 1;
}

/** What a chart shows, in numbers: an item, a series or nothing, and how many events. */
export interface ChartNumbers {
  readonly chart: string;
  readonly rows: readonly (readonly [item: string, series: string, events: number])[];
}

/** Charts as comma-separated values (RFC 4180) with a row of headings. */
export function numbersAsCsv(headings: readonly string[], charts: readonly ChartNumbers[]): string {
  const rows = charts.flatMap(({ chart, rows: ofChart }) => ofChart.map((row) => [chart, ...row]));
  return [headings, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}
