import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Leases, machineTime } from '../../common/leases.ts';

/** How long a claim holds that was not renewed, in milliseconds: its window may have crashed. */
const claimHolds = 5 * 60_000;
/** How long it is remembered what was done: other windows learn of it long before. */
const remembered = 30 * 24 * 60 * 60_000;

/**
 * Lets one window do what several want to do at the same time, once. Where its folder cannot be written, each window does it:
 * that it is done matters more than that it is done once.
 */
export class Claims {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #onFailure: (error: unknown) => void;
  readonly #leaseTime: () => number;

  /**
   * @param folder shared by all windows; made when it is needed.
   * @param now the time of day, by which it is remembered what was done.
   * @param onFailure is told why the folder cannot be used.
   * @param leaseTime milliseconds by a clock that is the same for all windows.
   */
  constructor(
    folder: string,
    now: () => number,
    onFailure: (error: unknown) => void = () => undefined,
    leaseTime = machineTime,
  ) {
    this.#folder = folder;
    this.#now = now;
    this.#onFailure = onFailure;
    this.#leaseTime = leaseTime;
  }

  /**
   * Runs something unless another window is at it.
   *
   * @param run answers whether it is done for good, and then never runs again under that name.
   * @param name made of letters, digits and hyphens.
   * @returns what became of it.
   */
  async run(
    name: string,
    run: (renew: () => Promise<unknown>) => Promise<boolean>,
  ): Promise<'done' | 'open' | 'claimed'> {
    const done = join(this.#folder, `${name}.done`);
    const claim = join(this.#folder, `${name}.claim`);
    // With an owner of its own: what this window is at already is not begun twice, either.
    const leases = new Leases(this.#leaseTime);
    if (await this.#isThere(done)) {
      return 'done';
    }
    const isClaimed = await this.#tried(async () => {
      await mkdir(this.#folder, { recursive: true });
      return await leases.take(claim, claimHolds);
    });
    if (isClaimed === false) {
      return 'claimed';
    }
    try {
      // The other window may have finished between the two looks.
      if (!(await this.#isThere(done))) {
        if (!(await run(() => leases.take(claim, claimHolds)))) {
          return 'open';
        }
        await this.#tried(async () => {
          await writeFile(done, '');
          const time = new Date(this.#now());
          await utimes(done, time, time);
          await this.#tidy();
        });
      }
      return 'done';
    } finally {
      await leases.releaseAll();
    }
  }

  /** What is done in the folder; undefined if that is not possible. */
  async #tried<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }

  async #isThere(file: string): Promise<boolean> {
    return (await stat(file).catch(() => undefined)) !== undefined;
  }

  async #tidy(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const file = join(this.#folder, name);
      const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: this.#now() };
      if (/\.(?:done|claim\.\d+)$/.test(name) && this.#now() - mtimeMs > remembered) {
        await rm(file, { force: true });
      }
    }
  }
}
