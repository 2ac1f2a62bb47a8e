import { calendarDate, daysBetween, noonOf, shortAge } from './dates.ts';

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
