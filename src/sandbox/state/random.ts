/** A source of numbers that depend on its seed alone (the mulberry32 generator). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both possible. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** One of the items, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) {
      throw new RangeError('There is nothing to pick from.');
    }
    return item;
  }

  /** A string of that length from an alphabet. */
  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[this.integer(0, alphabet.length - 1)]).join('');
  }
}
