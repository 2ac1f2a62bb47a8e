import { apiError, isApiError, type RequestFacts } from './errors.ts';

/** Work under way, such as a request, that others who want the same can join. */
export class InFlight<T> {
  readonly #shared = new Map<unknown, Shared<T>>();
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  /**
   * Joins what is under way by this key, or starts it. It is aborted once all who joined have left it by their signals.
   *
   * @param copy makes a result of their own for those who did not start the work.
   * @throws ApiError `aborted` when the signal is, or all is closed.
   */
  async join(
    facts: RequestFacts,
    key: unknown,
    signal: AbortSignal | undefined,
    start: (controller: AbortController) => Promise<T>,
    copy = (result: T) => result,
  ): Promise<T> {
    const { promise: left, reject } = Promise.withResolvers<never>();
    let shared: Shared<T> | undefined;
    const leave = () => {
      reject(signal?.reason as Error);
      if (shared && (shared.waiting -= 1) === 0) {
        this.#forget(key, shared);
        shared.controller.abort();
      }
    };
    try {
      signal?.throwIfAborted();
      const joined = this.#shared.get(key);
      shared = joined ?? this.#start(key, start);
      shared.waiting += 1;
      signal?.addEventListener('abort', leave);
      const result = await (signal ? Promise.race([shared.result, left]) : shared.result);
      return joined ? copy(result) : result;
    } catch (error) {
      const isEnded = !isApiError(error) && (signal?.aborted === true || this.#isClosed);
      throw isEnded ? apiError(facts, { reason: 'aborted' }) : error;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  /** Lets no one join any more what is under way now, because its result may be out of date. */
  forgetAll(): void {
    this.#shared.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#running.forEach((controller) => controller.abort());
  }

  #start(key: unknown, start: (controller: AbortController) => Promise<T>): Shared<T> {
    const controller = new AbortController();
    this.#running.add(controller);
    if (this.#isClosed) {
      controller.abort();
    }
    const shared: Shared<T> = { controller, waiting: 0, result: start(controller) };
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
