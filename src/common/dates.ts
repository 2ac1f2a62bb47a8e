export interface Day<T> {
  readonly date: string;
  readonly events: readonly T[];
}

const milliseconds = 86_400_000;

/** The calendar date of a moment, `YYYY-MM-DD`, in the reader's own time zone as it is now: a computer may travel. */
export function calendarDate(moment: Date): string {
  const [month, day] = [moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${String(moment.getFullYear()).padStart(4, '0')}-${month}-${day}`;
}

export function addDays(date: string, days: number): string {
  return new Date(noonOf(date).getTime() + days * milliseconds).toISOString().slice(0, 10);
}

export function daysBetween(later: string, earlier: string): number {
  return Math.round((noonOf(later).getTime() - noonOf(earlier).getTime()) / milliseconds);
}

/** Noon UTC of a calendar date is that date whatever the clock changes are. */
export function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00Z`);
}

/** Groups events by the day on which they happened, keeping their order. What bears no date stays with what comes before it. */
export function groupByDay<T extends object>(events: readonly T[], now: Date): Day<T>[] {
  let date = calendarDate(now);
  const days = Map.groupBy(events, (event) => {
    const created = new Date('created_at' in event && typeof event.created_at === 'string' ? event.created_at : '');
    return (date = Number.isNaN(created.getTime()) ? date : calendarDate(created));
  });
  return [...days].map(([day, eventsOfDay]) => ({ date: day, events: eventsOfDay }));
}

/** Calendar days from one to another, both included, as `YYYY-MM-DD`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const longestPeriod = 50;

/**
 * Reads days that a user or a language model typed, in English: `yesterday`, `last week`, `3 days ago`, `last 7 days`, or a calendar date
 * such as `2026-11-21`. Weeks begin on Monday.
 *
 * @param now the moment that expressions are relative to.
 * @returns undefined if it is none of that.
 */
export function readPeriod(text: string, now: Date): Period | undefined {
  // Nothing that is longer names a day; it is not even read.
  const typed = text.length > longestPeriod ? '' : text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const period = daysOf(typed, calendarDate(now));
  // The days around it have to be years of four digits, too.
  return period && period.from >= '1000-01-02' && period.to <= '9999-12-30' ? period : undefined;
}

function daysOf(typed: string, today: string): Period | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed) ?? [];
  if (year !== undefined) {
    const date = [year, month?.padStart(2, '0'), day?.padStart(2, '0')].join('-');
    const noon = noonOf(date);
    return Number.isNaN(noon.getTime()) || noon.toISOString().slice(0, 10) !== date ? undefined : single(date);
  }
  const [, which, whole] = /^(this|last) (week|month|year)$/.exec(typed) ?? [];
  if (whole !== undefined) {
    const first = which === 'last' ? -1 : 0;
    return { from: startOf(whole, today, first), to: addDays(startOf(whole, today, first + 1), -1) };
  }
  const [, last, count, unit, ago] = /^(last )?(\d{1,4}) (day|week|month|year)s?( ago)?$/.exec(typed) ?? [];
  // A period of no days is none.
  if (unit !== undefined && (ago === undefined ? Number(count) > 0 : last === undefined)) {
    // A month of 30 days, a year of 365: words for a number of days.
    const days = Number(count) * { day: 1, week: 7, month: 30, year: 365 }[unit as 'day' | 'week' | 'month' | 'year'];
    return ago === undefined ? { from: addDays(today, 1 - days), to: today } : single(addDays(today, -days));
  }
  return typed === 'today' || typed === 'yesterday' ? single(addDays(today, typed === 'today' ? 0 : -1)) : undefined;
}

function startOf(unit: string, date: string, later: number): string {
  if (unit === 'week') {
    return addDays(date, 7 * later - ((noonOf(date).getUTCDay() + 6) % 7));
  }
  const [year = 0, month = 1] = date.split('-').map(Number);
  const first = unit === 'year' ? Date.UTC(year + later, 0) : Date.UTC(year, month - 1 + later);
  // No year has fewer digits.
  return new Date(Math.max(first, Date.UTC(999, 0))).toISOString().slice(0, 10);
}

function single(date: string): Period {
  return { from: date, to: date };
}

/** How long ago something happened, in the largest unit that fits, such as `5 minutes ago`. Never in the future: clocks differ. */
export function timeAgo(moment: Date, now: Date, language: string): string {
  const [count, unit] = ageOf(moment, now);
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-count, unit);
}

/** The same where there is little room, and where that it is past goes without saying: `5m`. */
export function shortAge(moment: Date, now: Date, language: string): string {
  const [count, unit] = ageOf(moment, now);
  // The narrowest name of a month is that of a minute.
  const unitDisplay = unit === 'month' ? 'short' : 'narrow';
  if (unit === 'second') {
    return timeAgo(moment, now, language);
  }
  const short = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count);
  const relative = new Intl.RelativeTimeFormat(language, { style: 'narrow' }).format(-count, unit);
  // Japanese has letters of other languages for units alone.
  const latin = /\p{Script=Latin}/u;
  return latin.test(short) && !latin.test(relative) ? relative : short;
}

function ageOf(moment: Date, now: Date): readonly [count: number, unit: 'second' | (typeof agoUnits)[number][0]] {
  const minutes = Math.floor((now.getTime() - moment.getTime()) / 60_000);
  const [unit, length] = agoUnits.find(([, size]) => minutes >= size) ?? ['second', Infinity];
  return [Math.floor(Math.max(0, minutes) / length), unit];
}

const agoUnits = [
  ['year', 525_600],
  ['month', 43_200],
  ['week', 10_080],
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** The calendar of the dates that an instance shows, also where a language counts years by another one. */
const calendar = 'gregory';

/** The name of a day: "Today", "Yesterday", or its date with the weekday. */
export function dayLabel(date: string, now: Date, language: string): string {
  const today = calendarDate(now);
  const daysAgo = daysBetween(today, date);
  if (daysAgo === 0 || daysAgo === 1) {
    return capitalized(new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-daysAgo, 'day'), language);
  }
  const year = date.slice(0, 4) === today.slice(0, 4) ? undefined : 'numeric';
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year } as const;
  return new Intl.DateTimeFormat(language, { timeZone: 'UTC', calendar, ...parts }).format(noonOf(date));
}

/** When on its day an event happened: how long ago for today, the time of day for earlier days. */
export function timeOnDay(createdAt: Date, now: Date, language: string): string {
  return calendarDate(createdAt) === calendarDate(now)
    ? shortAge(createdAt, now, language)
    : new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(createdAt);
}

export function fullTimeLabel(moment: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', calendar }).format(moment);
}

export function capitalized(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
