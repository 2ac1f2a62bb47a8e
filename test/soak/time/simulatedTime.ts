/** A call that is to happen. */
interface Timer {
  at: number;
  readonly run: () => void;
  /** Milliseconds between repetitions; undefined for a call that happens once. */
  readonly interval: number | undefined;
  readonly owner: Waiting | undefined;
}

/** Something that waits for time to pass, as long as it has timers. */
export interface Waiting {
  timers: number;
}

/** What `setTimeout` answers with, as far as the product uses it. */
export interface TimerHandle {
  ref(): TimerHandle;
  unref(): TimerHandle;
}

/** The time of the simulated day: passes when the day is played, and jumps when the computer sleeps. */
export class SimulatedTime {
  #now: number;
  /** How far the clock that users and programs set is ahead of the time that passes, in milliseconds. */
  ahead = 0;
  readonly #timers = new Map<TimerHandle, Timer>();

  readonly #ownerOf: () => Waiting | undefined;

  /**
   * @param start milliseconds since 1970.
   * @param ownerOf returns the owner of the timers that are set now.
   */
  constructor(start: number, ownerOf: () => Waiting | undefined = () => undefined) {
    this.#now = start;
    this.#ownerOf = ownerOf;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#now;
  }

  /** The time of day, milliseconds since 1970, by the clock as it is set. */
  get date(): number {
    return this.#now + this.ahead;
  }

  setTimeout(run: () => void, milliseconds = 0): TimerHandle {
    return this.#add(run, milliseconds, undefined);
  }

  setInterval(run: () => void, milliseconds: number): TimerHandle {
    return this.#add(run, milliseconds, milliseconds);
  }

  clear(handle: TimerHandle | undefined): void {
    if (handle) {
      this.#delete(handle);
    }
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
    for (;;) {
      const next = this.#next(end);
      if (!next) {
        break;
      }
      const [handle, timer] = next;
      this.#now = Math.max(this.#now, timer.at);
      if (timer.interval === undefined) {
        this.#delete(handle);
      } else {
        // Late ones do not catch up, like those of Node.
        timer.at = this.#now + Math.max(1, timer.interval);
      }
      timer.run();
      await settled();
    }
    this.#now = Math.max(this.#now, end);
  }

  /** Lets time pass while nothing can run: what falls due meanwhile happens late. */
  sleep(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #add(run: () => void, milliseconds: number, interval: number | undefined): TimerHandle {
    const handle: TimerHandle = { ref: () => handle, unref: () => handle };
    const owner = this.#ownerOf();
    if (owner) {
      owner.timers += 1;
    }
    this.#timers.set(handle, { at: this.#now + Math.max(0, milliseconds), run, interval, owner });
    return handle;
  }

  #delete(handle: TimerHandle): void {
    const owner = this.#timers.get(handle)?.owner;
    if (owner) {
      owner.timers -= 1;
    }
    this.#timers.delete(handle);
  }

  #next(end: number): [TimerHandle, Timer] | undefined {
    let next: [TimerHandle, Timer] | undefined;
    for (const entry of this.#timers) {
      if (entry[1].at <= end && (!next || entry[1].at < next[1].at)) {
        next = entry;
      }
    }
    return next;
  }
}
