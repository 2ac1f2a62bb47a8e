import { Leases, machineTime } from '#platform/locks.ts';
import { join, mkdir, readdir, rm, stat, utimes, writeFile } from '#platform/storage.ts';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Clock } from '../../common/clock.ts';
import { MementoList } from '../../common/mementoList.ts';
import { storedScopeSchema, snapshotSchema } from '../settings/scopeSettings.ts';
import { type NotificationScope, scopeKey } from '../settings/settings.ts';
import { restoresKey } from './restoreSchedule.ts';

const restoreScopeSchema = z.object({
  scope: storedScopeSchema,
  /** What is to be put back. */
  before: snapshotSchema,
  /** What the profile set. If the instance has another value at the restore, it was changed since. */
  after: snapshotSchema,
  /** Why it was not put back although it was time. */
  trouble: z.optional(z.enum(['changedElsewhere', 'failed'])),
});

const restoreSchema = z.object({
  id: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  /** The name of the profile. */
  profile: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
  scopes: z.array(restoreScopeSchema),
});

export type RestoreScope = z.infer<typeof restoreScopeSchema>;
/** What is to be put back when the time of a profile is over. */
export type Restore = z.infer<typeof restoreSchema>;

/** The restores that are still to be done; they survive restarts. */
export class Restores {
  readonly #list: MementoList<Restore>;

  /** @param memento shared by all windows. */
  constructor(memento: vscode.Memento) {
    this.#list = new MementoList(memento, restoresKey, (value) => restoreSchema.safeParse(value).data);
  }

  /** The soonest first. */
  get all(): readonly Restore[] {
    return this.#list.all.toSorted((one, other) => one.until - other.until);
  }

  find(id: string): Restore | undefined {
    return this.all.find((restore) => restore.id === id);
  }

  /** The restore that includes a scope. */
  of(scope: NotificationScope): { readonly restore: Restore; readonly part: RestoreScope } | undefined {
    for (const restore of this.all) {
      const part = restore.scopes.find((one) => scopeKey(one.scope) === scopeKey(scope));
      if (part) {
        return { restore, part };
      }
    }
    return undefined;
  }

  /** Stores a restore. Its scopes are removed from others; one without scopes is done and deleted. */
  async keep(restore: Restore): Promise<void> {
    const taken = new Set(restore.scopes.map(({ scope }) => scopeKey(scope)));
    const without = (other: Restore): Restore => {
      const scopes = other.scopes.filter(({ scope }) => !taken.has(scopeKey(scope)));
      return scopes.length === other.scopes.length ? other : { ...other, scopes };
    };
    await this.#list.update((all) =>
      [...all.filter(({ id }) => id !== restore.id).map(without), restore].filter(({ scopes }) => scopes.length > 0),
    );
  }

  /** Changes one scope of a restore, or ends it with undefined. Nothing happens to a restore that is gone. */
  async settle(id: string, scope: NotificationScope, part: RestoreScope | undefined): Promise<void> {
    const restore = this.find(id);
    if (restore) {
      const scopes = restore.scopes.flatMap((one) => (scopeKey(one.scope) === scopeKey(scope) ? (part ?? []) : one));
      await this.keep({ ...restore, scopes });
    }
  }

  async forget(id: string): Promise<void> {
    await this.#list.update((all) => all.filter((restore) => restore.id !== id));
  }
}

/** How long a claim holds that was not renewed, in milliseconds: its window may have crashed. */
const claimHolds = 5 * 60_000;
/** How long it is remembered what was done: other windows learn of it long before. */
const remembered = 30 * 24 * 60 * 60_000;

/**
 * Lets one window do what several want to do at the same time, once. Where its folder cannot be written, each window does it:
 * that it is done matters more than that it is done once.
 */
export class RestoreClaims {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'date'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #leaseTime: () => number;

  /**
   * @param folder shared by all windows; made when it is needed.
   * @param clock the time of day, by which it is remembered what was done.
   * @param onFailure called with the reason why the folder cannot be used.
   * @param leaseTime milliseconds by a clock that is the same for all windows.
   */
  constructor(
    folder: string,
    clock: Pick<Clock, 'date'>,
    onFailure: (error: unknown) => void = () => undefined,
    leaseTime = machineTime,
  ) {
    this.#folder = folder;
    this.#clock = clock;
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
          const time = this.#clock.date();
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
      const { mtimeMs } = (await stat(file).catch(() => undefined)) ?? { mtimeMs: this.#clock.date().getTime() };
      if (/\.(?:done|claim\.\d+)$/.test(name) && this.#clock.date().getTime() - mtimeMs > remembered) {
        await rm(file, { force: true });
      }
    }
  }
}
