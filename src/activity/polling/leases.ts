import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

interface Lease {
  readonly owner: string;
  /** The process that has it. */
  readonly pid: number;
  /** Milliseconds, as the leases count them. */
  readonly until: number;
  /** Milliseconds for which it was taken. */
  readonly length: number;
}

/** Milliseconds since the machine was started, the same for all its processes: setting the clock does not change them. */
export function machineTime(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/** Settles which of several windows does something, by files in a folder that they share. A window that ends lets go by time. */
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
   * @param path of the lease's file.
   * @param milliseconds for how long.
   * @returns whether this window has it now. If the folder cannot be written, every window has.
   */
  async take(path: string, milliseconds: number): Promise<boolean> {
    const lease: Lease = {
      owner: this.#owner,
      pid: process.pid,
      until: this.#now() + milliseconds,
      length: milliseconds,
    };
    const draft = `${path}.${this.#owner}`;
    try {
      const current = await read(path);
      if (current && current.owner !== this.#owner && this.#holds(current)) {
        return false;
      }
      await writeFile(draft, JSON.stringify(lease));
      // A link fails where there is a file: of several windows that find none, one succeeds.
      await (current ? rename(draft, path) : link(draft, path));
      // Of several that replace an old one, the last to do so has it.
      const isTaken = (await read(path))?.owner === this.#owner;
      if (isTaken) {
        this.#held.add(path);
      }
      return isTaken;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'EEXIST';
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /** Lets go of all leases, so that another window need not wait until they have run out. */
  async releaseAll(): Promise<void> {
    const held = [...this.#held];
    this.#held.clear();
    await Promise.all(
      held.map(async (path) => {
        if ((await read(path))?.owner === this.#owner) {
          await rm(path, { force: true }).catch(() => undefined);
        }
      }),
    );
  }

  /** One that ends later than it could if it were taken now is of another start of the machine, or of another clock. */
  #holds({ until, length, pid }: Lease): boolean {
    const left = until - this.#now();
    return left > 0 && left <= length && isRunning(pid);
  }
}

/** Whether a process is there, also if it is not ours to signal. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
