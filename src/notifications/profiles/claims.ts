import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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

  /**
   * @param folder shared by all windows; made when it is needed.
   * @param onFailure is told why the folder cannot be used.
   */
  constructor(folder: string, now: () => number, onFailure: (error: unknown) => void = () => undefined) {
    this.#folder = folder;
    this.#now = now;
    this.#onFailure = onFailure;
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
    if (await this.#isThere(done)) {
      return 'done';
    }
    const isClaimed = await this.#tried(async () => {
      await mkdir(this.#folder, { recursive: true });
      return await this.#take(claim);
    });
    if (isClaimed === false) {
      return 'claimed';
    }
    try {
      // The other window may have finished between the two looks.
      if (!(await this.#isThere(done))) {
        if (!(await run(() => this.#tried(() => this.#setTime(claim))))) {
          return 'open';
        }
        await this.#tried(async () => {
          await writeFile(done, '');
          await this.#setTime(done);
          await this.#tidy();
        });
      }
      return 'done';
    } finally {
      await this.#tried(() => rm(claim, { force: true }));
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

  async #take(claim: string): Promise<boolean> {
    if (await this.#create(claim)) {
      return true;
    }
    const age = this.#now() - ((await stat(claim).catch(() => undefined))?.mtimeMs ?? this.#now());
    // A claim of the future was made before the clock was set back.
    if (Math.abs(age) < claimHolds) {
      return false;
    }
    await rm(claim, { force: true });
    return await this.#create(claim);
  }

  /** Makes a file; fails if there is one, whoever made it. */
  async #create(file: string): Promise<boolean> {
    // As a link to a file that has its time: no other window sees it without.
    const made = `${file}.${randomUUID()}`;
    try {
      await writeFile(made, '');
      await this.#setTime(made);
      await link(made, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        return false;
      }
      throw error;
    } finally {
      await rm(made, { force: true });
    }
  }

  /** Gives a file the time of the clock that its age is counted by. */
  async #setTime(file: string): Promise<void> {
    const time = new Date(this.#now());
    await utimes(file, time, time);
  }

  async #isThere(file: string): Promise<boolean> {
    return (await stat(file).catch(() => undefined)) !== undefined;
  }

  async #tidy(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const file = join(this.#folder, name);
      const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: this.#now() };
      if (name.endsWith('.done') && this.#now() - mtimeMs > remembered) {
        await rm(file, { force: true });
      }
    }
  }
}
