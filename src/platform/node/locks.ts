import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { isRunning } from './storage.ts';

interface Holder {
  readonly pid: number;
  /** Milliseconds, as `machineTime` counts them. */
  readonly until: number;
}

/** Milliseconds. */
const retryAfter = 50;

/** Milliseconds since the machine was started, the same for all its processes: setting the clock does not change them. */
function machineTime(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/**
 * Runs something exclusively under a name, across all windows. If the folder cannot be written, everything runs without the lock.
 *
 * @param path of the lock's files, without their number.
 * @param milliseconds that `run` takes at most: another window does not wait longer for one that hangs.
 */
export async function withLock<T>(path: string, milliseconds: number, run: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  let release = await takeLock(path, milliseconds);
  while (!release) {
    await systemClock.sleep(retryAfter);
    release = await takeLock(path, milliseconds);
  }
  try {
    return await run();
  } finally {
    await release();
  }
}

/**
 * Takes a lock, unless another window has it that neither ended nor hangs.
 *
 * Each time a lock passes to another owner, its file gets the next number: creating a file fails where there is one, so of several
 * windows that find a lock which has run out, only one succeeds. The last file stays, so that no number is used twice.
 *
 * @returns what releases it.
 */
export async function takeLock(
  path: string,
  milliseconds: number,
  now = machineTime,
): Promise<(() => Promise<void>) | undefined> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const last = Math.max(0, ...(await numbersOf(path)));
    const holder = await read(`${path}.${last}`);
    const left = (holder?.until ?? 0) - now();
    // One that ends later than it could if it were taken now is of another start of the machine, or none of ours.
    if (holder && left > 0 && left <= milliseconds && isRunning(holder.pid)) {
      return undefined;
    }
    const own = last + 1;
    // Into its place whole, or not at all.
    await writeFile(draft, JSON.stringify({ pid: process.pid, until: now() + milliseconds } satisfies Holder));
    await link(draft, `${path}.${own}`);
    const numbers = await numbersOf(path);
    if (numbers.some((number) => number > own)) {
      await rm(`${path}.${own}`, { force: true });
      return undefined;
    }
    // The one before stays: who lists the folder meanwhile sees the new one or that.
    const older = numbers.filter((number) => number < own - 1);
    await Promise.all(older.map((number) => rm(`${path}.${number}`, { force: true })));
    // An empty file is nobody's lock.
    return async () => await truncate(`${path}.${own}`).catch(() => undefined);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? undefined : async () => undefined;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function numbersOf(path: string): Promise<number[]> {
  const prefix = `${basename(path)}.`;
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name.startsWith(prefix) && /^\d{1,15}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
}

async function read(path: string): Promise<Holder | undefined> {
  try {
    const { pid, until } = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>;
    return { pid: Number(pid) || 0, until: Number(until) || 0 };
  } catch {
    return undefined;
  }
}
