/** A moment that a profile may end at. */
export interface UntilChoice {
  readonly kind: 'hour' | 'evening' | 'tomorrow' | 'monday';
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The moments that suggest themselves, in the person's time zone, the soonest first. */
export function untilChoices(now: Date): readonly UntilChoice[] {
  const at = (days: number, hours: number): number =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours).getTime();
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const choices: readonly UntilChoice[] = [
    { kind: 'hour', time: now.getTime() + 3_600_000 },
    { kind: 'evening', time: at(0, 18) },
    { kind: 'tomorrow', time: at(1, 9) },
    { kind: 'monday', time: at(untilMonday, 9) },
  ];
  return choices
    .filter(({ time }) => time > now.getTime())
    .filter(({ kind, time }) => kind !== 'monday' || time !== at(1, 9))
    .toSorted((one, other) => one.time - other.time);
}

/**
 * Reads a moment such as `2026-12-24 18:00` or `18:00` in the person's time zone.
 *
 * @returns milliseconds since 1970; undefined if it is not written like that or does not exist.
 */
export function parseMoment(text: string, now: Date): number | undefined {
  const match = /^(?:(\d{4})-(\d{1,2})-(\d{1,2})[ T]+)?(\d{1,2}):(\d{2})$/.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, year, month, day, hours, minutes] = match;
  const parts = [
    year === undefined ? now.getFullYear() : Number(year),
    month === undefined ? now.getMonth() : Number(month) - 1,
    day === undefined ? now.getDate() : Number(day),
    Number(hours),
    Number(minutes),
  ] as const;
  const date = new Date(...parts);
  const read = [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes()];
  // 31 April would be 1 May.
  return parts.every((part, index) => part === read[index]) ? date.getTime() : undefined;
}

/** How a moment is typed that `parseMoment` reads. */
export function writeMoment(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
