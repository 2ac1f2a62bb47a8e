import type { Clock } from '../../src/api/clock.ts';

/** A clock on which waiting takes no time, and timeouts happen when a test says so. */
export class TestClock implements Clock {
  /** How long was waited, in milliseconds, wait by wait. */
  readonly waits: number[] = [];
  readonly #timeouts = new Set<() => void>();
  #now: number;
  /** How far the time of day is ahead of the time that passes, in milliseconds: it may be set at any moment. */
  ahead = 0;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(this.#now + this.ahead);
  }

  async sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) {
      this.waits.push(milliseconds);
      this.#now += milliseconds;
    }
  }

  after(_milliseconds: number, action: () => void): () => void {
    this.#timeouts.add(action);
    return () => this.#timeouts.delete(action);
  }

  /** Lets all timeouts that run now happen. */
  expireTimeouts(): void {
    const due = [...this.#timeouts];
    this.#timeouts.clear();
    for (const action of due) {
      action();
    }
  }
}
