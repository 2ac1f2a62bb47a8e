import { createClock } from '@sinonjs/fake-timers';
import type { Clock } from '../../src/common/clock.ts';

/** A clock whose time passes when a test says so. */
export class FakeClock implements Clock {
  readonly #timers;

  /**
   * @param start the time of day to begin with.
   * @param timers those of the process, where they are stopped.
   */
  constructor(start: Date | number = Date.UTC(2026, 0, 1), timers = createClock(start)) {
    this.#timers = timers;
  }

  now(): number {
    return (this.#timers.performance as { now(): number }).now();
  }

  date(): Date {
    return new this.#timers.Date();
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.after(milliseconds, resolve);
      const wake = (): void => {
        cancel();
        resolve();
      };
      signal?.addEventListener('abort', wake);
      if (signal?.aborted) {
        wake();
      }
    });
  }

  after(milliseconds: number, action: () => void): () => void {
    const timer = this.#timers.setTimeout(action, milliseconds);
    return () => this.#timers.clearTimeout(timer);
  }

  /** Sets the time of day ahead or back, as a user may at any moment, without letting time pass. */
  shift(milliseconds: number): void {
    this.#timers.setSystemTime(this.#timers.now + milliseconds);
  }

  /**
   * Lets time pass, with all that falls due meanwhile.
   *
   * @param settled waits for what was started to come to its end, before time goes on.
   */
  async pass(milliseconds: number, settled?: () => Promise<unknown>): Promise<void> {
    const reached = { end: false };
    this.after(milliseconds, () => (reached.end = true));
    while (!reached.end) {
      await this.#timers.nextAsync();
      await settled?.();
    }
    // What falls due at the very end and was set meanwhile.
    await this.#timers.tickAsync(0);
    await settled?.();
  }

  /** Lets time pass while nothing can run, as a computer does that is busy or asleep: what fell due meanwhile runs then, once. */
  jump(milliseconds: number): void {
    this.#timers.jump(milliseconds);
  }

  /** Lets all timers that run now come to their end, without those that they start. */
  expire(): void {
    this.#timers.runToLast();
  }
}

/** A clock on which sleeping takes no time. */
export class SleeplessClock extends FakeClock {
  /** How long was slept, in milliseconds, one after the other. */
  readonly waits: number[] = [];

  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted !== true) {
      this.waits.push(milliseconds);
      this.jump(milliseconds);
    }
  }
}
