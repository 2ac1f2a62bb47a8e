/** Time: one clock to wait by, which nobody sets, and one for what is shown. */
export interface Clock {
  /** Milliseconds since some moment. Never goes back and does not jump; to be compared with other values of the same process. */
  now(): number;
  /** The time of day, to be shown or compared with dates of others. May jump at any time, as clocks are set. */
  date(): Date;
  /** Resolves after a time in milliseconds, however long, or as soon as the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls a function after a time in milliseconds, however long, unless the function that it returns is called before. */
  after(milliseconds: number, action: () => void): () => void;
}

/** What a clock is made of: the globals of the platform, or what a test puts in their place. */
export interface Timers {
  readonly Date: new () => Date;
  readonly performance: { now(): number };
  readonly setTimeout: (run: () => void, milliseconds: number) => unknown;
  readonly clearTimeout: (timer: never) => void;
}

/** The longest that a timer waits. One for longer is called at once. */
const longestTimer = 2 ** 31 - 1;

export function clockOf(timers: Timers): Clock {
  // Not as methods: those of a browser are the global object's alone.
  const { setTimeout: start, clearTimeout: stop } = timers;
  const clock: Clock = {
    now: () => timers.performance.now(),
    date: () => new timers.Date(),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const finish = () => {
          cancel();
          signal?.removeEventListener('abort', finish);
          resolve();
        };
        const cancel = clock.after(milliseconds, finish);
        signal?.addEventListener('abort', finish);
        if (signal?.aborted) {
          finish();
        }
      }),
    after(milliseconds, action) {
      const due = clock.now() + milliseconds;
      let timer = start(wake, Math.min(milliseconds, longestTimer));
      function wake(): void {
        const left = due - clock.now();
        // Timers may be a little early.
        if (milliseconds <= longestTimer || left <= 1) {
          action();
        } else {
          timer = start(wake, Math.min(left, longestTimer));
        }
      }
      return () => stop(timer as never);
    },
  };
  return clock;
}

/** The time of the machine, by what the globals are at each use. */
export const systemClock: Clock = clockOf({
  get Date() {
    return Date;
  },
  get performance() {
    return performance;
  },
  setTimeout: (run, milliseconds) => setTimeout(run, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer),
});
