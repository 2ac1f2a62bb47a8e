/** The events of one calendar day. */
export interface Day<T> {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly events: readonly T[];
}

const milliseconds = 86_400_000;

/**
 * The calendar date of a moment, `YYYY-MM-DD`.
 *
 * @param timeZone an IANA name; the reader's own by default.
 */
export function calendarDate(moment: Date, timeZone?: string): string {
  return dateFormat(timeZone).format(moment);
}

/** The date that is so many days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  return new Date(noonOf(date).getTime() + days * milliseconds).toISOString().slice(0, 10);
}

/** How many days the first of two dates is after the second. */
export function daysBetween(later: string, earlier: string): number {
  return Math.round((noonOf(later).getTime() - noonOf(earlier).getTime()) / milliseconds);
}

/** Noon UTC of a calendar date is that date whatever the clock changes are. */
export function noonOf(date: string): Date {
  return new Date(`${date}T12:00:00Z`);
}

/**
 * Groups events by the calendar day on which they happened, keeping their order. What bears no date stays with what comes
 * before it.
 *
 * @param timeZone an IANA name; the reader's own by default.
 */
export function groupByDay<T extends object>(events: readonly T[], now: Date, timeZone?: string): Day<T>[] {
  const dates = new DateCache(timeZone);
  let date = calendarDate(now, timeZone);
  const days = Map.groupBy(events, (event) => {
    const created = 'created_at' in event && typeof event.created_at === 'string' ? event.created_at : '';
    return (date = dates.dateOf(created) ?? date);
  });
  return [...days].map(([day, eventsOfDay]) => ({ date: day, events: eventsOfDay }));
}

/** Remembers the dates of whole hours: formatting a date costs a thousand times as much as looking it up. */
class DateCache {
  readonly #format: Intl.DateTimeFormat;
  readonly #dates = new Map<number, string>();

  constructor(timeZone: string | undefined) {
    this.#format = dateFormat(timeZone);
  }

  dateOf(timestamp: string): string | undefined {
    const time = Date.parse(timestamp);
    if (Number.isNaN(time)) {
      return undefined;
    }
    // Time zones differ by quarters of an hour; within one, the date is the same.
    const quarter = Math.floor(time / 900_000);
    const known = this.#dates.get(quarter);
    if (known !== undefined) {
      return known;
    }
    const date = this.#format.format(time);
    this.#dates.set(quarter, date);
    return date;
  }
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function dateFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    // In Swedish, dates are written as ISO 8601 has them.
    format = new Intl.DateTimeFormat('sv-SE', timeZone === undefined ? {} : { timeZone });
    formats.set(timeZone, format);
  }
  return format;
}

/** Calendar days from one to another, both included, as `YYYY-MM-DD`. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Characters of what names a day in any language. */
const longestPeriod = 200;

/**
 * Parses days that a user typed: expressions such as `yesterday`, `last week`, `3 days ago`, `last 7 days`, `7 days`,
 * `monday`, in the editor's language or in English, or a calendar date such as `2026-11-21` or as the language writes it.
 * Weeks begin on Monday.
 *
 * @param now the moment that expressions are relative to.
 * @param language a BCP 47 tag.
 * @param timeZone an IANA name; the reader's own by default.
 * @returns undefined if it is none of that.
 */
export function readPeriod(text: string, now: Date, language: string, timeZone?: string): Period | undefined {
  // Nothing that is longer names a day; it is not even read.
  const typed = text.length > longestPeriod ? '' : normalized(text, language);
  const today = calendarDate(now, timeZone);
  if (typed === '') {
    return undefined;
  }
  const date = readDate(typed, today, language);
  const period =
    (date === undefined ? undefined : { from: date, to: date }) ??
    readLast(typed, today, [language, 'en']) ??
    readRelative(typed, today, [language, 'en']) ??
    readWeekday(typed, today, [language, 'en']);
  // The days around it have to be years of four digits, too.
  return period && period.from >= '1000-01-02' && period.to <= '9999-12-30' ? period : undefined;
}

type Unit = 'day' | 'week' | 'month' | 'year';
const units: readonly Unit[] = ['day', 'week', 'month', 'year'];

/** `last 7 days`, or `7 days` as a language writes it: that many days up to today. */
function readLast(typed: string, today: string, languages: readonly string[]): Period | undefined {
  const [digits] = /\d{1,4}/.exec(typed) ?? [];
  // A period of no days is none.
  if (digits === undefined || Number(digits) === 0) {
    return undefined;
  }
  const amount = typed.replace(/^(?:last|past) /, '');
  const unit = units.find((candidate) =>
    languages.some((language) => {
      const format = new Intl.NumberFormat(language, { style: 'unit', unit: candidate, unitDisplay: 'long' });
      return normalized(format.format(Number(digits)), language) === amount;
    }),
  );
  return unit && { from: addDays(unitAgo(unit, Number(digits), today), 1), to: today };
}

/** `yesterday`, `last week`, `3 months ago`: what the platform writes for a number of units ago, read backwards. */
function readRelative(typed: string, today: string, languages: readonly string[]): Period | undefined {
  const digits = /\d{1,4}/.exec(typed)?.[0];
  const counts = digits === undefined ? [0, 1, 2] : [Number(digits)];
  for (const language of languages) {
    for (const numeric of ['auto', 'always'] as const) {
      const format = new Intl.RelativeTimeFormat(language, { numeric });
      for (const unit of units) {
        const count = counts.find((candidate) => normalized(format.format(-candidate, unit), language) === typed);
        if (count !== undefined) {
          return numeric === 'always' || digits !== undefined
            ? single(unitAgo(unit, count, today))
            : periodOf(unit, unitAgo(unit, count, today));
        }
      }
    }
  }
  return undefined;
}

/** The last day of a name, such as `monday` or `last monday`; today counts. */
function readWeekday(typed: string, today: string, languages: readonly string[]): Period | undefined {
  const name = typed.replace(/^last /, '');
  for (const language of languages) {
    for (const weekday of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
      for (let daysAgo = 0; daysAgo < 7; daysAgo += 1) {
        const date = addDays(today, -daysAgo);
        if (normalized(format.format(noonOf(date)), language) === name) {
          return single(date);
        }
      }
    }
  }
  return undefined;
}

/** `2026-11-21`, `2026/11/21`, or three numbers in the language's order; without a year it is the last such day, today included. */
function readDate(typed: string, today: string, language: string): string | undefined {
  const [, isoYear, , isoMonth, isoDay] = /^(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})\.?$/.exec(typed) ?? [];
  if (isoYear !== undefined) {
    return dateOf(isoYear, isoMonth, isoDay);
  }
  const [, first, second, year] = /^(\d{1,2})[./] ?(\d{1,2})(?:[./] ?(\d{4})?)?$/.exec(typed) ?? [];
  const order = new Intl.DateTimeFormat(language).formatToParts().map(({ type }) => type);
  const [month, day] = order.indexOf('day') < order.indexOf('month') ? [second, first] : [first, second];
  if (year !== undefined) {
    return dateOf(year, month, day);
  }
  // From one 29 February to the next there are eight years at most.
  const years = Array.from({ length: 9 }, (_, ago) => String(Number(today.slice(0, 4)) - ago));
  return years.map((one) => dateOf(one, month, day)).find((date) => date !== undefined && date <= today);
}

function dateOf(year?: string, month?: string, day?: string): string | undefined {
  if (year === undefined || month === undefined || day === undefined) {
    return undefined;
  }
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  // A day that its month has not becomes one of the next month, or none.
  const noon = noonOf(date);
  return Number.isNaN(noon.getTime()) || noon.toISOString().slice(0, 10) !== date ? undefined : date;
}

function unitAgo(unit: Unit, count: number, today: string): string {
  if (unit === 'day' || unit === 'week') {
    return addDays(today, -count * (unit === 'week' ? 7 : 1));
  }
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number);
  const months = Math.max(0, year * 12 + (month - 1) - count * (unit === 'year' ? 12 : 1));
  const first = `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`;
  // The 31st of a month that has 30 days is its last day.
  const last = Number(lastOfMonth(first).slice(8));
  return addDays(first, Math.min(day, last) - 1);
}

/** The whole day, week, month or year that a date is in. */
function periodOf(unit: Unit, date: string): Period {
  switch (unit) {
    case 'day':
      return single(date);
    case 'week': {
      const from = addDays(date, -((noonOf(date).getUTCDay() + 6) % 7));
      return { from, to: addDays(from, 6) };
    }
    case 'month': {
      const from = `${date.slice(0, 7)}-01`;
      return { from, to: lastOfMonth(from) };
    }
    case 'year':
      return { from: `${date.slice(0, 4)}-01-01`, to: `${date.slice(0, 4)}-12-31` };
  }
}

function lastOfMonth(first: string): string {
  const [year = 0, month = 1] = first.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

function single(date: string): Period {
  return { from: date, to: date };
}

function normalized(text: string, language: string): string {
  // In languages without spaces between words, a space beside a number is optional, as is what groups the digits of one.
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?<=\d)[ .,’](?=\d{3}(?!\d))/g, '')
    .replaceAll(/(?<=\d) (?=[^\p{ASCII}\p{Script=Latin}])/gu, '')
    .toLocaleLowerCase(language);
}

/**
 * How long ago something happened, in the largest unit that fits, such as `5 minutes ago`. Never in the future: clocks differ.
 *
 * @param language a BCP 47 tag.
 */
export function timeAgo(moment: Date, now: Date, language: string): string {
  const [count, unit] = ageOf(moment, now);
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-count, unit);
}

/** The same where there is little room, and where that it is past goes without saying: `5m`. */
export function shortAge(moment: Date, now: Date, language: string): string {
  const [count, unit] = ageOf(moment, now);
  // The narrowest name of a month is that of a minute.
  const unitDisplay = unit === 'month' ? 'short' : 'narrow';
  return unit === 'second'
    ? timeAgo(moment, now, language)
    : new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count);
}

function ageOf(moment: Date, now: Date): readonly [count: number, unit: 'second' | (typeof agoUnits)[number][0]] {
  const minutes = Math.floor((now.getTime() - moment.getTime()) / 60_000);
  const [unit, length] = agoUnits.find(([, size]) => minutes >= size) ?? ['second', Infinity];
  return [Math.floor(Math.max(0, minutes) / length), unit];
}

/** Units of time with their lengths in minutes, the largest first. */
const agoUnits = [
  ['year', 525_600],
  ['month', 43_200],
  ['week', 10_080],
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;
