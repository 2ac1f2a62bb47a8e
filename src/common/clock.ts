/** Time: one clock to wait by, which nobody sets, and one for what is shown. */
export interface Clock {
  /** Milliseconds since some moment. Never goes back and does not jump; to be compared with other values of the same process. */
  now(): number;
  /** The time of day, to be shown or compared with dates of others. May jump at any time, as clocks are set. */
  date(): Date;
  /** Resolves after a time in milliseconds, or as soon as the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls a function after a time in milliseconds, unless the function that it returns is called before. */
  after(milliseconds: number, action: () => void): () => void;
}

function after(milliseconds: number, action: () => void): () => void {
  const timer = setTimeout(action, milliseconds);
  return () => clearTimeout(timer);
}

/** The time of the machine, by what the globals are at each use. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      const finish = (): void => {
        cancel();
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = after(milliseconds, finish);
      signal?.addEventListener('abort', finish);
      if (signal?.aborted) {
        finish();
      }
    }),
};
