import { createClock } from '@sinonjs/fake-timers';

/** Something that waits for time to pass, as long as it has timers. */
export interface Waiting {
  timers: number;
}

/** The time of the simulated day: passes when the day is played, and jumps when the computer sleeps. */
export class SimulatedTime {
  readonly #clock;
  readonly #ownerOf: () => Waiting | undefined;
  /** What each timer that has an owner takes off its count. */
  readonly #releases = new Map<unknown, () => void>();
  #ahead = 0;

  /**
   * @param start milliseconds since 1970.
   * @param ownerOf returns the owner of the timers that are set now.
   */
  constructor(start: number, ownerOf: () => Waiting | undefined = () => undefined) {
    this.#clock = createClock(start);
    this.#ownerOf = ownerOf;
  }

  /** What stands in for the globals of these names. */
  get globals(): { readonly Date: typeof Date; readonly performance: { now(): number } } {
    return { Date: this.#clock.Date, performance: this.#clock.performance as { now(): number } };
  }

  /** Milliseconds since 1970, as if nobody had set the clock. */
  get now(): number {
    return this.#clock.now - this.#ahead;
  }

  /** How far the clock that users and programs set is ahead of the time that passes, in milliseconds. */
  get ahead(): number {
    return this.#ahead;
  }

  set ahead(milliseconds: number) {
    this.#clock.setSystemTime(this.now + milliseconds);
    this.#ahead = milliseconds;
  }

  setTimeout(run: () => void, milliseconds = 0): unknown {
    const timer: unknown = this.#clock.setTimeout(() => {
      this.#release(timer);
      run();
    }, milliseconds);
    return this.#own(timer);
  }

  setInterval(run: () => void, milliseconds: number): unknown {
    return this.#own(this.#clock.setInterval(run, milliseconds));
  }

  clear(timer: unknown): void {
    this.#release(timer);
    this.#clock.clearTimeout(timer as never);
  }

  /** Resolves after so many milliseconds of the simulated day. */
  async wait(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => void this.setTimeout(resolve, milliseconds));
  }

  /**
   * Lets time pass, with all that falls due meanwhile.
   *
   * @param settled waits until what was started has gone as far as it gets without time.
   */
  async passUntil(end: number, settled: () => Promise<void>): Promise<void> {
    const reached = { end: end < this.now };
    if (!reached.end) {
      this.#clock.setTimeout(() => (reached.end = true), end - this.now);
    }
    while (!reached.end) {
      this.#clock.next();
      await settled();
    }
  }

  /** Lets time pass while nothing can run: what falls due meanwhile happens late, and once. */
  sleep(milliseconds: number): void {
    this.#clock.jump(milliseconds);
  }

  #own(timer: unknown): unknown {
    const owner = this.#ownerOf();
    if (owner) {
      owner.timers += 1;
      this.#releases.set(timer, () => (owner.timers -= 1));
    }
    return timer;
  }

  #release(timer: unknown): void {
    this.#releases.get(timer)?.();
    this.#releases.delete(timer);
  }
}
