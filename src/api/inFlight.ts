/** Work under way, such as a request, that others who want the same can join. */
export class InFlight<T> {
  readonly #shared = new Map<unknown, Shared<T>>();
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  /**
   * Joins what is under way by this key, or starts it. It is aborted once all who joined have left it by their signals.
   *
   * @param start Starts the work; its signal is aborted when no one waits any more.
   * @param copy Makes a result of their own for those who did not start the work.
   * @returns The result of the work; rejects with the signal's reason when it is aborted.
   */
  async join(
    key: unknown,
    signal: AbortSignal | undefined,
    start: (signal: AbortSignal) => Promise<T>,
    copy: (result: T) => T,
  ): Promise<T> {
    signal?.throwIfAborted();
    const joined = this.#shared.get(key);
    const shared = joined ?? this.#start(key, start);
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        this.#forget(key, shared);
        shared.controller.abort();
      }
      reject(signal?.reason as Error);
    };
    shared.waiting += 1;
    signal?.addEventListener('abort', leave, { once: true });
    try {
      const result = await (signal ? Promise.race([shared.result, left]) : shared.result);
      return joined ? copy(result) : result;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Lets no one join any more what is under way now, because its result may be out of date. */
  forgetAll(): void {
    this.#shared.clear();
  }

  /** Aborts what is under way, and whatever is started from now on. */
  close(): void {
    this.#isClosed = true;
    this.#running.forEach((controller) => controller.abort());
  }

  #start(key: unknown, start: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const controller = new AbortController();
    this.#running.add(controller);
    if (this.#isClosed) {
      controller.abort();
    }
    const shared: Shared<T> = { controller, waiting: 0, result: start(controller.signal) };
    this.#shared.set(key, shared);
    const forget = () => {
      this.#running.delete(controller);
      this.#forget(key, shared);
    };
    shared.result.then(forget, forget);
    return shared;
  }

  #forget(key: unknown, shared: Shared<T>): void {
    if (this.#shared.get(key) === shared) {
      this.#shared.delete(key);
    }
  }
}

interface Shared<T> {
  readonly controller: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}
