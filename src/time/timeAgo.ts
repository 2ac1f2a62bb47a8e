/**
 * How long ago something happened, in the largest unit that fits, such as `5m ago` or, long, `5 minutes ago`. Never in the
 * future: clocks differ.
 *
 * @param language a BCP 47 tag.
 */
export function timeAgo(moment: Date, now: Date, language: string, style: 'narrow' | 'long' = 'long'): string {
  const format = new Intl.RelativeTimeFormat(language, { style, numeric: 'auto' });
  const minutes = Math.max(0, Math.floor((now.getTime() - moment.getTime()) / 60_000));
  if (minutes === 0) {
    return format.format(0, 'second');
  }
  const [unit, length] = units.find(([, size]) => minutes >= size) ?? (['minute', 1] as const);
  return format.format(-Math.floor(minutes / length), unit);
}

/** Units of time with their lengths in minutes, the largest first. */
const units = [
  ['year', 525_600],
  ['month', 43_200],
  ['week', 10_080],
  ['day', 1_440],
  ['hour', 60],
] as const;
