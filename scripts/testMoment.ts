/** A time zone of the world, by chance. */
export function drawZone(): string {
  return pick(Intl.supportedValuesOf('timeZone'));
}

/**
 * A moment of the coming years in the time zone of the process, by chance, and more often than chance would have it one at which
 * programs go wrong: around midnight, the day on which clocks change, the turn of the year, 29 February.
 */
export function drawMoment(now = new Date()): Date {
  const year = now.getFullYear() + Math.floor(Math.random() * 4);
  const anyDay = (): Date => new Date(year, 0, 1 + Math.floor(Math.random() * 365));
  const leapYear = [year, year + 1, year + 2, year + 3].find((one) => new Date(one, 1, 29).getDate() === 29) ?? year;
  const day = pick([
    anyDay,
    anyDay,
    anyDay,
    () => clockChange(year),
    () => new Date(year, 0, 1),
    () => new Date(leapYear, 1, 29),
  ])();
  const anyMinute = Math.floor(Math.random() * 24 * 60);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 0, pick([anyMinute, anyMinute, 5, 23 * 60 + 55]));
}

/**
 * The moment that a user means.
 *
 * @param text a date with a time, in the time zone of the process unless it names another; or "now".
 * @throws Error if it is neither.
 */
export function momentOf(text: string): Date {
  const moment = text === 'now' ? new Date() : new Date(text);
  if (Number.isNaN(moment.getTime())) {
    throw new Error(`"${text}" is not a moment. Give one such as 2028-02-29T00:05, or "now".`);
  }
  return moment;
}

/** A moment in the time zone of the process, with its weekday. */
export function describeMoment(moment: Date): string {
  return moment.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' });
}

/** A day of the year on which the clocks change; the last day where they never do. */
function clockChange(year: number): Date {
  const days = Array.from({ length: 365 }, (_, index) => new Date(year, 0, 1 + index));
  const changing = days.filter(
    (day) => day.getTimezoneOffset() !== new Date(year, day.getMonth(), day.getDate() + 1).getTimezoneOffset(),
  );
  return pick(changing.length > 0 ? changing : days.slice(-1));
}

function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T;
}
