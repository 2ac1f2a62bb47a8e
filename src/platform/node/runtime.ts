import { setImmediate } from 'node:timers/promises';
export { inspect, isDeepStrictEqual } from 'node:util';

/** Whether names that differ only in case are one file: on Windows, and by default on macOS. */
export const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/** Lets other tasks of the process run, such as the user's typing. */
export async function yieldThread(): Promise<void> {
  await setImmediate();
}
