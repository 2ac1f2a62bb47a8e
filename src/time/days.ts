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
