/** The part of the Web Locks API that is used here. @see https://www.w3.org/TR/web-locks/ */
interface LockManager {
  request<T>(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    run: (lock: object | null) => T | Promise<T>,
  ): Promise<T>;
}

const { locks } = globalThis.navigator as unknown as { readonly locks: LockManager };

/** Milliseconds since 1970 by a clock that does not jump, near enough the same for all tabs. */
export function machineTime(): number {
  return performance.timeOrigin + performance.now();
}

/**
 * The lock across windows: decides which of several tabs does something, by the locks that the browser gives all workers of an origin.
 * What a tab holds is free as soon as it closes; a lease that is not prolonged expires.
 */
export class Leases {
  /** What releases a lease, and what stops the timer by which it expires. */
  readonly #held = new Map<string, { readonly release: () => void; timer: ReturnType<typeof setTimeout> }>();

  /** @param now not needed here: where leases are files, a clock that is the same for all windows. */
  constructor(now: () => number = machineTime) {
    void now;
  }

  /**
   * Takes or prolongs a lease.
   *
   * @param path its name.
   * @param milliseconds for how long.
   * @returns whether this tab has it now. Where the browser gives no locks, every tab has.
   */
  async take(path: string, milliseconds: number): Promise<boolean> {
    const held = this.#held.get(path);
    if (held) {
      clearTimeout(held.timer);
      held.timer = this.#expireAfter(path, milliseconds);
      return true;
    }
    return await new Promise((resolve) => {
      locks
        .request(path, { ifAvailable: true }, async (lock) => {
          if (lock) {
            const { promise, resolve: release } = Promise.withResolvers<void>();
            this.#held.set(path, { release, timer: this.#expireAfter(path, milliseconds) });
            resolve(true);
            await promise;
          } else {
            resolve(false);
          }
        })
        .catch(() => resolve(true));
    });
  }

  /** Releases all leases, so that other tabs need not wait until they expire. */
  async releaseAll(): Promise<void> {
    [...this.#held.keys()].forEach((path) => this.#release(path));
  }

  #expireAfter(path: string, milliseconds: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#release(path), milliseconds);
  }

  #release(path: string): void {
    const held = this.#held.get(path);
    this.#held.delete(path);
    clearTimeout(held?.timer);
    held?.release();
  }
}

/**
 * Runs something exclusively under a name, across all tabs; waits for others first. Where the browser gives no locks, everything runs
 * without.
 *
 * @param path the name.
 * @param milliseconds that `run` takes at most: another tab does not wait longer for one that hangs.
 */
export async function withLock<T>(path: string, milliseconds: number, run: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined;
  const once = (): Promise<T> => (begun ??= run());
  try {
    return await locks.request(path, { signal: AbortSignal.timeout(milliseconds) }, once);
  } catch (error) {
    if (begun) {
      throw error;
    }
    return await once();
  }
}
