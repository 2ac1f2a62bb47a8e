/** The events of one calendar day. */
export interface Day<T> {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly events: readonly T[];
}

/**
 * Groups events by the calendar day on which they happened, keeping their order. What bears no date stays with what comes
 * before it.
 *
 * @param timeZone an IANA name; the reader's own by default.
 */
export function groupByDay<T extends object>(events: readonly T[], now: Date, timeZone?: string): Day<T>[] {
  const calendarDate = new Intl.DateTimeFormat('sv-SE', timeZone === undefined ? {} : { timeZone });
  let date = calendarDate.format(now);
  const days = Map.groupBy(events, (event) => {
    const created = new Date(
      'created_at' in event && typeof event.created_at === 'string' ? event.created_at : Number.NaN,
    );
    return Number.isNaN(created.getTime()) ? date : (date = calendarDate.format(created));
  });
  return [...days].map(([day, eventsOfDay]) => ({ date: day, events: eventsOfDay }));
}

/**
 * The name of a day: "Today", "Yesterday", or its date with the weekday.
 *
 * @param date `YYYY-MM-DD`.
 * @param language a BCP 47 tag.
 */
export function dayName(date: string, now: Date, language: string): string {
  // Noon UTC of a calendar date is that date whatever the clock changes are.
  const day = new Date(`${date}T12:00:00Z`);
  const today = new Date(`${new Intl.DateTimeFormat('sv-SE').format(now)}T12:00:00Z`);
  const daysAgo = Math.round((today.getTime() - day.getTime()) / 86_400_000);
  if (daysAgo === 0 || daysAgo === 1) {
    return capitalized(new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-daysAgo, 'day'), language);
  }
  return new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(day.getUTCFullYear() === today.getUTCFullYear() ? {} : { year: 'numeric' }),
  }).format(day);
}

/**
 * When on its day an event happened: how long ago if that was today, else the time of day.
 *
 * @param language a BCP 47 tag.
 */
export function timeOnDay(createdAt: Date, now: Date, language: string): string {
  if (createdAt.toDateString() !== now.toDateString()) {
    return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(createdAt);
  }
  const minutes = Math.max(0, Math.floor((now.getTime() - createdAt.getTime()) / 60_000));
  const ago = new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'auto' });
  if (minutes === 0) {
    return ago.format(0, 'second');
  }
  return minutes < 60 ? ago.format(-minutes, 'minute') : ago.format(-Math.floor(minutes / 60), 'hour');
}

function capitalized(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
