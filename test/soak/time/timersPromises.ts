import { time } from './globals.ts';

export { setImmediate } from 'node:timers/promises';

/** How many wait at the moment. */
export const waiting = { count: 0 };

/** Waits on the simulated day as `setTimeout` of `node:timers/promises` waits on the machine's clock. */
export async function setTimeout(
  milliseconds: number,
  value?: unknown,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  waiting.count += 1;
  return await new Promise((resolve, reject) => {
    const timer = time.setTimeout(() => resolve(value), milliseconds);
    signal?.addEventListener('abort', () => {
      time.clear(timer);
      reject(new DOMException('The wait was aborted', 'AbortError'));
    });
  }).finally(() => (waiting.count -= 1));
}
