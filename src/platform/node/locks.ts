import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { isRunning } from './storage.ts';

interface Lease {
  readonly owner: string;
  /** The process that has it. */
  readonly pid: number;
  /** Milliseconds, as the leases count them. */
  readonly until: number;
  /** Milliseconds for which it was taken. */
  readonly length: number;
}

/** Milliseconds between two attempts at a lease that another window has. */
const retryAfter = 50;

/** Milliseconds since the machine was started, the same for all its processes: setting the clock does not change them. */
export function machineTime(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/**
 * The lock across windows: decides which of several windows does something, by files in a folder that they share. A window
 * that closes releases its leases at once; those of a window that hangs expire.
 *
 * Each time a lease passes to another owner, its file gets the next number: `name.lease.1`, `name.lease.2`. Creating a file
 * fails where there is one, so of several windows that find an expired lease, only one succeeds; replacing the file could
 * succeed for all of them. The file with the highest number stays when the lease is released, so that no number is used
 * twice.
 */
export class Leases {
  readonly #now: () => number;
  readonly #owner = randomUUID();
  readonly #held = new Set<string>();

  /** @param now milliseconds by a clock that is the same for all windows. */
  constructor(now: () => number = machineTime) {
    this.#now = now;
  }

  /**
   * Takes or prolongs a lease.
   *
   * @param path of the lease's files, without their number.
   * @param milliseconds for how long.
   * @returns whether this window has it now. If the folder cannot be written, every window has.
   */
  async take(path: string, milliseconds: number): Promise<boolean> {
    try {
      const { number, lease } = await latest(path);
      const isOwn = lease?.owner === this.#owner;
      if (lease && !isOwn && this.#holds(lease)) {
        return false;
      }
      const own = isOwn ? number : number + 1;
      await this.#write(path, own, this.#now() + milliseconds, milliseconds, isOwn ? rename : link);
      const isTaken = (await numbersOf(path)).every((other) => other <= own);
      if (isTaken) {
        this.#held.add(path);
        await removeOlder(path, own);
      } else {
        await rm(`${path}.${own}`, { force: true });
      }
      return isTaken;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'EEXIST';
    }
  }

  /** Releases all leases, so that other windows need not wait until they expire. */
  async releaseAll(): Promise<void> {
    const held = [...this.#held];
    this.#held.clear();
    await Promise.all(
      held.map(async (path) => {
        const { number, lease } = await latest(path).catch(() => ({ number: 0, lease: undefined }));
        if (lease?.owner === this.#owner) {
          await this.#write(path, number, 0, 0, rename).catch(() => undefined);
        }
      }),
    );
  }

  /** Puts a lease into its place, whole or not at all. */
  async #write(path: string, number: number, until: number, length: number, put: typeof rename): Promise<void> {
    const draft = `${path}.${this.#owner}`;
    const lease: Lease = { owner: this.#owner, pid: process.pid, until, length };
    try {
      await writeFile(draft, JSON.stringify(lease));
      await put(draft, `${path}.${number}`);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /** One that ends later than it could if it were taken now is of another start of the machine, or of another clock. */
  #holds({ until, length, pid }: Lease): boolean {
    const left = until - this.#now();
    return left > 0 && left <= length && isRunning(pid);
  }
}

/**
 * Runs something exclusively under a name, across all windows; waits for others first. A missing folder is created; if it
 * cannot be written, everything runs without the lock.
 *
 * @param path of the lease's files, without their number.
 * @param milliseconds that `run` takes at most: another window does not wait longer for one that hangs.
 */
export async function withLock<T>(path: string, milliseconds: number, run: () => Promise<T>): Promise<T> {
  const leases = new Leases();
  await mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  while (!(await leases.take(path, milliseconds))) {
    await systemClock.sleep(retryAfter);
  }
  try {
    return await run();
  } finally {
    await leases.releaseAll();
  }
}

/** The numbers of the files of a lease that are there. */
async function numbersOf(path: string): Promise<number[]> {
  const prefix = `${basename(path)}.`;
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name.startsWith(prefix) && /^\d{1,15}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
}

/** The lease as it was taken last; number 0 if it never was. */
async function latest(path: string): Promise<{ readonly number: number; readonly lease: Lease | undefined }> {
  const number = Math.max(0, ...(await numbersOf(path)));
  return { number, lease: number === 0 ? undefined : await read(`${path}.${number}`) };
}

/** The one before stays: who lists the folder meanwhile sees the new one or that. */
async function removeOlder(path: string, own: number): Promise<void> {
  const older = (await numbersOf(path)).filter((number) => number < own - 1);
  await Promise.all(older.map((number) => rm(join(dirname(path), `${basename(path)}.${number}`), { force: true })));
}

/** Undefined if there is no file; one that holds something else is a lease that has run out. */
async function read(path: string): Promise<Lease | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return undefined;
  }
  try {
    const { owner, pid, until, length } = JSON.parse(text) as Partial<Lease>;
    return { owner: String(owner), pid: Number(pid) || 0, until: Number(until) || 0, length: Number(length) || 0 };
  } catch {
    return { owner: '', pid: 0, until: 0, length: 0 };
  }
}
