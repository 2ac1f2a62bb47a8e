/** Work under way, such as a request, that others who want the same can join. */
export class InFlight<T> {
  readonly #shared = new Map<unknown, Shared<T>>();
  readonly #running = new Set<AbortController>();
  #isClosed = false;
  readonly #copy: (result: T) => T;

  /** @param copy Makes a result of their own for those who did not start the work. */
  constructor(copy: (result: T) => T) {
    this.#copy = copy;
  }

  /**
   * Joins what is under way by this key, or starts it. It is aborted once all who joined have left it by their signals.
   *
   * @param start Starts the work; its signal is aborted when no one waits any more.
   * @returns The result of the work; rejects with the signal's reason when it is aborted.
   */
  async join(key: unknown, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const joined = this.#shared.get(key);
    const shared = joined ?? this.#start(key, start);
    shared.waiting += 1;
    const result = await (signal ? this.#leavingBy(signal, key, shared) : shared.result);
    return joined === undefined ? result : this.#copy(result);
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

  async #leavingBy(signal: AbortSignal, key: unknown, shared: Shared<T>): Promise<T> {
    const left = Promise.withResolvers<never>();
    const leave = () => {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        this.#forget(key, shared);
        shared.controller.abort();
      }
      left.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([shared.result, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
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
