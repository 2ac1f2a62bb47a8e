const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** A time zone of the world, by chance. */
export function drawZone(): string {
  return pick(Intl.supportedValuesOf('timeZone'));
}

/**
 * A moment of the coming years in the time zone of the process, by chance, and more often than chance would have it one at which
 * programs go wrong: around midnight, the day on which clocks change, the turn of the year, 29 February.
 */
export function drawMoment(): Date {
  const year = new Date().getFullYear() + Math.floor(Math.random() * 4);
  const days = Array.from({ length: 365 }, (_, index) => new Date(year, 0, 1 + index));
  const changing = days.filter(
    (day) => day.getTimezoneOffset() !== new Date(year, day.getMonth(), day.getDate() + 1).getTimezoneOffset(),
  );
  const special = [
    pick([...changing, ...days.slice(-1)]),
    new Date(year, 0, 1),
    new Date(4 * Math.ceil(year / 4), 1, 29),
  ];
  const day = pick([pick(days), pick(special)]);
  const minute = pick([Math.floor(Math.random() * 24 * 60), pick([5, 23 * 60 + 55])]);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 0, minute);
}
