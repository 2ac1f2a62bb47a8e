import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

interface Lease {
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Settles which of several windows does something, by files in a folder that they share. A window that ends lets go by time. */
export class Leases {
  readonly #now: () => number;
  readonly #owner = randomUUID();
  readonly #held = new Set<string>();

  constructor(now: () => number) {
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
    const lease: Lease = { owner: this.#owner, until: this.#now() + milliseconds };
    const draft = `${path}.${this.#owner}`;
    try {
      const current = await read(path);
      if (current && current.owner !== this.#owner && current.until > this.#now()) {
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
}

/** Undefined if there is no file; one that holds something else is a lease that has run out. */
async function read(path: string): Promise<Lease | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return undefined;
  }
  try {
    const { owner, until } = JSON.parse(text) as Partial<Lease>;
    return { owner: String(owner), until: Number(until) || 0 };
  } catch {
    return { owner: '', until: 0 };
  }
}
