import type { Clock } from '../../src/api/clock.ts';

/** Time that passes when a test says so. */
export class TestTimers implements Clock {
  time: number;
  /** How far the time of day is ahead of the time that passes, in milliseconds: it may be set at any moment. */
  ahead = 0;
  readonly #waiting = new Set<{ at: number; run: () => void }>();

  /** @param time the time to begin with, in milliseconds since 1970. */
  constructor(time = 0) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void) {
    const timer = { at: this.time + milliseconds, run };
    this.#waiting.add(timer);
    return () => void this.#waiting.delete(timer);
  }

  date(): Date {
    return new Date(this.time + this.ahead);
  }

  /** Resolves when so much time has passed. */
  async sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => void this.after(milliseconds, resolve));
  }

  /**
   * Lets time pass, with all that falls due meanwhile.
   *
   * @param settled waits until what was started has ended, before time goes on.
   */
  async pass(milliseconds: number, settled: () => Promise<unknown> = () => new Promise(setImmediate)): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      const [next] = [...this.#waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) {
        break;
      }
      this.#waiting.delete(next);
      this.time = Math.max(this.time, next.at);
      next.run();
      await settled();
    }
    this.time = end;
  }

  /** Lets time pass while nothing can run, as a computer does that is busy. */
  skip(milliseconds: number): void {
    this.time += milliseconds;
  }
}
