/** The part of the Web Locks API that is used here. @see https://www.w3.org/TR/web-locks/ */
interface LockManager {
  request<T>(name: string, options: { readonly signal: AbortSignal }, run: () => Promise<T>): Promise<T>;
}

const { locks } = globalThis.navigator as unknown as { readonly locks: LockManager };

/**
 * Runs something exclusively under a name, across all tabs. Where the browser gives no locks, everything runs without.
 *
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
