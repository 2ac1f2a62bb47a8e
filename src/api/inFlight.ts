import { apiError, isApiError, type RequestFacts } from './errors.ts';

/** Work under way, such as a request, that others who want the same can join. */
export class InFlight<T> {
  readonly #shared = new Map<unknown, Shared<T>>();
  readonly #running = new Set<Shared<T>>();
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
    copy: (result: T) => T,
  ): Promise<T> {
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal?.reason as Error);
    let shared: Shared<T> | undefined;
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
      if (shared && (shared.waiting -= 1) === 0) {
        this.#end(key, shared, signal?.aborted === true);
      }
    }
  }

  /** Lets no one join any more what is under way now, because its result may be out of date. */
  forgetAll(): void {
    this.#shared.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#running.forEach(({ controller }) => controller.abort());
  }

  #start(key: unknown, start: (controller: AbortController) => Promise<T>): Shared<T> {
    const controller = new AbortController();
    if (this.#isClosed) {
      controller.abort();
    }
    const shared: Shared<T> = { controller, waiting: 0, result: start(controller) };
    this.#running.add(shared);
    this.#shared.set(key, shared);
    return shared;
  }

  #end(key: unknown, shared: Shared<T>, isLeft: boolean): void {
    this.#running.delete(shared);
    if (this.#shared.get(key) === shared) {
      this.#shared.delete(key);
    }
    if (isLeft) {
      shared.controller.abort();
    }
  }
}

interface Shared<T> {
  readonly controller: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}
