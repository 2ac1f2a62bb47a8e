/** What callers without types, or with numbers from elsewhere, may pass, and what would go wrong silently. */

/**
 * Makes sure that numbers can be used as they are meant. Those that are undefined are left to their defaults.
 *
 * @param kind `count` and `number` are integers from 0 and from 1, `time` is milliseconds from 1, `wait` from 0.
 * @throws TypeError with the name of the first that cannot.
 */
export function checkNumbers(
  kind: 'count' | 'number' | 'time' | 'wait',
  numbers: Readonly<Record<string, number | undefined>>,
): void {
  const least = kind === 'number' || kind === 'time' ? 1 : 0;
  const isUsable = kind === 'count' || kind === 'number' ? Number.isSafeInteger : isDuration;
  for (const [name, value] of Object.entries(numbers)) {
    if (value !== undefined && !(isUsable(value) && value >= least)) {
      throw new TypeError(`Not a usable value of ${name}`);
    }
  }
}

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value);
}
