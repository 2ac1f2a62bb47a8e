import { Leases, machineTime } from '#platform/locks.ts';
import { inspect } from '#platform/runtime.ts';
import { join, mkdir, readdir, rm, stat, utimes, writeFile } from '#platform/storage.ts';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Clock } from '../../common/clock.ts';
import { MementoList } from '../../common/mementoList.ts';
import type { SendHooks } from '../settings/bulkChanges.ts';
import type { Applied, PlanOutcome, SettingsEngine } from '../settings/engine.ts';
import { scopeSchema } from '../settings/schemas.ts';
import {
  differences,
  isEmptyChange,
  type NotificationScope,
  planFor,
  scopeKey,
  type ScopePlan,
  type Settings,
  withChange,
} from '../settings/settings.ts';
import { fromStored, storedSettingsSchema, toStored } from './profileStore.ts';

const states = ['applying', 'holding', 'undoing', 'failed', 'changedElsewhere'] as const;

/**
 * How far a scope is whose settings are to be restored when a profile ends: the profile is perhaps sent (`applying`), it holds
 * (`holding`), its undo is perhaps sent (`undoing`), restoring has failed and is tried again (`failed`), or the settings are
 * neither those of the profile nor those before it, and the user decides (`changedElsewhere`).
 */
export type RestoreState = (typeof states)[number];

/** What can happen to such a scope. */
export type RestoreEvent =
  | 'applied' // the profile was sent, and holds
  | 'notSent' // the profile was not sent, and none held before
  | 'stillHeld' // the profile was not sent, and the one before it holds
  | 'undoing' // the profile is about to be undone
  | 'restored' // what was there before has been sent, and holds
  | 'alreadyRestored' // what was there before holds already
  | 'changedElsewhere' // other settings were found
  | 'failed' // it could not be read or sent, or its answer is missing
  | 'kept' // the user keeps the current settings
  | 'takenOver'; // another profile restores what was there before

const whenItIsTime = {
  restored: 'done',
  alreadyRestored: 'done',
  changedElsewhere: 'changedElsewhere',
  failed: 'failed',
  kept: 'done',
  takenOver: 'done',
} as const;

/** The next state of a scope, by its state and what happens. What is not in it changes nothing: another window was faster. */
const transitions: Readonly<Record<RestoreState, Readonly<Partial<Record<RestoreEvent, RestoreState | 'done'>>>>> = {
  applying: { applied: 'holding', stillHeld: 'holding', notSent: 'done', undoing: 'undoing', ...whenItIsTime },
  holding: { stillHeld: 'holding', undoing: 'undoing', ...whenItIsTime },
  undoing: { stillHeld: 'holding', undoing: 'undoing', ...whenItIsTime },
  failed: { stillHeld: 'holding', undoing: 'failed', ...whenItIsTime },
  changedElsewhere: { undoing: 'changedElsewhere', ...whenItIsTime },
};

const restoreScopeSchema = z.object({
  scope: scopeSchema,
  /** What is to be put back. */
  before: storedSettingsSchema,
  /** What the profile sets. If the instance has another value at the restore, it was changed since. */
  after: storedSettingsSchema,
  /**
   * What else may be there while it is not known whether requests were sent: what a profile replaces, and undos lead to.
   * Pre-releases before 0.2 have stored one alone.
   */
  present: z.optional(z.union([storedSettingsSchema, z.array(storedSettingsSchema)])),
  /** `holding` if it is missing. */
  state: z.optional(z.enum(states)),
  /** Versions before 0.2 have stored this in the place of the state. */
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
/** A scope of a restore, with the profile that holds there. */
type HeldScope = RestoreScope & Pick<Restore, 'id' | 'profile' | 'until'>;

/** The state of a scope of a restore. */
export function stateOf({ state, trouble }: RestoreScope): RestoreState {
  return state ?? trouble ?? 'holding';
}

/** Settings that may be there unless they were changed elsewhere: those of the profile, or others that were on their way. */
function possibleOf({ after, present = [] }: RestoreScope): readonly Settings[] {
  return [after, ...[present].flat()].map(fromStored);
}

/** Where restores are kept in the memento. */
export const restoresKey = 'notificationRestores';

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

  /** The scope in whichever restore includes it. */
  of(scope: NotificationScope): HeldScope | undefined {
    return this.all
      .flatMap(({ scopes, ...restore }) => scopes.map((one) => ({ ...one, ...restore })))
      .find((one) => scopeKey(one.scope) === scopeKey(scope));
  }

  /** Stores a restore. Its scopes are taken over from others; one without scopes is done and deleted. */
  async keep(restore: Restore): Promise<void> {
    const taken = new Set(restore.scopes.map(({ scope }) => scopeKey(scope)));
    const without = (other: Restore): Restore => {
      const scopes = other.scopes.filter(
        (one) => !taken.has(scopeKey(one.scope)) || transitions[stateOf(one)].takenOver !== 'done',
      );
      return scopes.length === other.scopes.length ? other : { ...other, scopes };
    };
    await this.#list.update((all) =>
      [...all.filter(({ id }) => id !== restore.id).map(without), restore].filter(({ scopes }) => scopes.length > 0),
    );
  }

  /**
   * Takes a scope of a restore to its next state. Nothing happens to one that is gone.
   *
   * @param settings for `undoing` what the undo leads to, else what is known by now of what the profile set.
   */
  async advance(id: string, scope: NotificationScope, event: RestoreEvent, settings?: Settings): Promise<void> {
    const restore = this.find(id);
    if (!restore) {
      return;
    }
    const scopes = restore.scopes.flatMap((one): readonly RestoreScope[] => {
      if (scopeKey(one.scope) !== scopeKey(scope)) {
        return [one];
      }
      const next = transitions[stateOf(one)][event];
      if (next === 'done') {
        return [];
      }
      if (next === undefined || (next === stateOf(one) && !settings)) {
        return [one];
      }
      const { trouble: _, present = [], ...rest } = one;
      const given = settings ? [toStored(settings)] : [];
      if (next === 'holding') {
        return [{ ...rest, state: next, after: given[0] ?? rest.after }];
      }
      return [{ ...rest, state: next, present: [...[present].flat(), ...(event === 'undoing' ? given : [])] }];
    });
    await this.keep({ ...restore, scopes });
  }

  async forget(id: string): Promise<void> {
    await this.#list.update((all) => all.filter((restore) => restore.id !== id));
  }
}

/** Whether settings are the same, as far as both are known. */
function areSame(one: Settings, other: Settings): boolean {
  return differences(one, other).length === 0;
}

/** A profile that is applied for a while. */
interface RestoreHooksDeps {
  readonly restores: Restores;
  readonly profile: string;
  /** When it ends, in milliseconds since 1970. */
  readonly until: number;
  /** Called when a restore was added or changed. */
  readonly onChanged: () => void;
  /** What an undo rejects with once the profile has ended: what it leads to may be another profile, which has ended as well. */
  readonly endedError: () => Error;
}

/** Keeps what is to be put back when a profile ends, before anything of it is sent, so that it is there whatever happens. */
export function restoreHooks({ restores, profile, until, onChanged, endedError }: RestoreHooksDeps): SendHooks {
  const id = crypto.randomUUID();
  return {
    before: async (plans) => {
      const added = plans.map((plan) => restoreScope(plan, restores.of(plan.scope)));
      const keys = new Set(added.map(({ scope }) => scopeKey(scope)));
      const kept = (restores.find(id)?.scopes ?? []).filter(({ scope }) => !keys.has(scopeKey(scope)));
      await restores.keep({ id, profile, until, scopes: [...kept, ...added] });
      onChanged();
    },
    after: async (outcomes) => {
      for (const outcome of outcomes) {
        await settle(outcome);
      }
      onChanged();
    },
    undo: {
      before: async (plans) => {
        // Another profile may have taken a scope over, and been undone.
        const held = plans.map((plan) => ({ ...plan, one: restores.of(plan.scope) }));
        if (held.some(({ one }) => !one)) {
          throw endedError();
        }
        for (const { scope, expected, change, one } of held) {
          if (one) {
            await restores.advance(one.id, scope, 'undoing', withChange(withKnown(expected, one.after), change));
          }
        }
      },
      after: async (outcomes) => {
        for (const outcome of outcomes) {
          const held = restores.of(outcome.plan.scope);
          if (held && outcome.kind === 'applied') {
            await takeBack(held, outcome.settings, 'alreadyRestored');
          }
        }
        onChanged();
      },
    },
  };

  async function settle(outcome: PlanOutcome): Promise<void> {
    const { scope, expected } = outcome.plan;
    const held = restores.of(scope);
    if (held?.id !== id) {
      // Another profile has taken it over.
      return;
    }
    switch (outcome.kind) {
      case 'applied':
        await restores.advance(id, scope, 'applied', withKnown(outcome.settings, held.after));
        return;
      case 'conflict':
      case 'failed':
        await takeBack(held, expected, 'notSent');
        return;
      case 'unknown':
      // It may take effect later on: that shows when it is time.
    }
  }

  /** The profile does not hold: what does is what was there before it, or the profile before it. */
  async function takeBack(
    { id: holder, scope, before }: HeldScope,
    now: Settings,
    event: 'notSent' | 'alreadyRestored',
  ): Promise<void> {
    await restores.advance(holder, scope, areSame(fromStored(before), now) ? event : 'stillHeld', now);
  }
}

/** Settings with the events that their level hides, as they are known from before. */
function withKnown(settings: Settings, known: RestoreScope['after']): Settings {
  const shown = Object.entries(settings.flags).filter(([, flag]) => flag !== 'unknown');
  return { ...settings, flags: { ...fromStored(known).flags, ...Object.fromEntries(shown) } };
}

/** What to restore of the scope of a plan. While another profile holds there, that is what was there before it. */
function restoreScope({ scope, expected, change }: ScopePlan, other: RestoreScope | undefined): RestoreScope {
  const isHeld = other && possibleOf(other).some((one) => areSame(one, expected));
  const present = toStored(expected);
  return {
    ...{ scope, present: [present], state: 'applying' },
    before: isHeld ? other.before : present,
    after: toStored(withChange(expected, change)),
  };
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

/** What became of a scope when it was restored, with what it takes to say so. */
export type RestoreResult =
  | { readonly kind: 'restored'; readonly plan: ScopePlan; readonly outcome: Applied }
  | { readonly kind: 'alreadyRestored' | 'changedElsewhere' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A scope of a restore with what became of it. */
export interface ScopeResult {
  readonly scope: NotificationScope;
  readonly result: RestoreResult;
  /** Whether this window has not had this result before. */
  readonly isNew: boolean;
}

/** What a restorer needs. */
export interface RestorerDeps {
  readonly restores: Restores;
  readonly claims: RestoreClaims;
  readonly engine: Pick<SettingsEngine, 'read' | 'apply'>;
  readonly clock: Pick<Clock, 'date'>;
  readonly log: { error(text: string): void };
  /** Shows what became of the scopes of a restore; without those that wait for an answer of the user. */
  readonly onDidRestore: (restore: Restore, left: Restore | undefined, results: readonly ScopeResult[]) => void;
}

/** Puts back what was there before a profile, when its time is over. Never overwrites what was changed elsewhere since. */
export class Restorer {
  readonly #deps: RestorerDeps;
  /** What became of scopes in this window. */
  readonly #seen = new Set<string>();

  constructor(deps: RestorerDeps) {
    this.#deps = deps;
  }

  /** Does the restores whose time has come. A failure of one is no reason not to do the others; it is tried again at the next call. */
  async restoreDue(): Promise<void> {
    const { restores, clock, log } = this.#deps;
    for (const { id } of restores.all.filter(({ until }) => until <= clock.date().getTime())) {
      await this.restore(id).catch((error: unknown) => log.error(inspect(error)));
    }
  }

  /** Does one restore now, unless another window is at it or has done it. */
  async restore(id: string): Promise<void> {
    const { restores, claims, onDidRestore } = this.#deps;
    const result = await claims.run(id, async (renew) => {
      const restore = restores.find(id);
      const results: ScopeResult[] = [];
      for (const one of (restore?.scopes ?? []).filter((scope) => !this.#waitsForAnswer(id, scope))) {
        await renew();
        results.push(await this.#restoreScope(id, one));
      }
      if (restore) {
        onDidRestore(restore, restores.find(id), results);
      }
      return restores.find(id) === undefined;
    });
    if (result === 'done') {
      // This window may not have heard yet that another one did it.
      await restores.forget(id);
    }
  }

  /** Does a restore again that has failed; if it fails once more, that is new. */
  async retry(id: string, scope: NotificationScope): Promise<void> {
    this.#seen.delete(seenKey(id, scope, 'failed'));
    await this.restore(id);
  }

  /** What was changed elsewhere waits for an answer; it need not be read repeatedly, but once in each window. */
  #waitsForAnswer(id: string, one: RestoreScope): boolean {
    return stateOf(one) === 'changedElsewhere' && this.#seen.has(seenKey(id, one.scope, 'changedElsewhere'));
  }

  async #restoreScope(id: string, one: RestoreScope): Promise<ScopeResult> {
    const { restores, log } = this.#deps;
    const { scope } = one;
    let result: RestoreResult;
    try {
      result = await this.#resultOf(one);
    } catch (error) {
      result = { kind: 'failed', error };
    }
    if (result.kind === 'failed') {
      log.error(inspect(result.error));
    }
    // If it cannot be stored, the next attempt reads that it has been restored.
    await restores.advance(id, scope, result.kind).catch((error: unknown) => log.error(inspect(error)));
    const key = seenKey(id, scope, result.kind);
    const isNew = !this.#seen.has(key);
    this.#seen.add(key);
    return { scope, result, isNew };
  }

  async #resultOf(one: RestoreScope): Promise<RestoreResult> {
    const { engine } = this.#deps;
    const { scope } = one;
    const now = await engine.read(scope);
    const past = fromStored(one.before);
    if (!possibleOf(one).some((settings) => areSame(settings, now))) {
      return { kind: areSame(past, now) ? 'alreadyRestored' : 'changedElsewhere' };
    }
    const plan = planFor(scope, now, past);
    if (isEmptyChange(plan.change)) {
      return { kind: 'alreadyRestored' };
    }
    const outcome = await engine.apply(scope, plan);
    switch (outcome.kind) {
      case 'applied':
        return { kind: 'restored', plan, outcome };
      case 'conflict':
        return { kind: 'changedElsewhere' };
      case 'unknown':
        return { kind: 'failed', error: outcome.error };
    }
  }
}

function seenKey(id: string, scope: NotificationScope, kind: RestoreResult['kind']): string {
  return `${id} ${scopeKey(scope)} ${kind}`;
}

/** How long after a restore that failed it is tried again, in milliseconds. */
const retryDelay = 5 * 60_000;
/** Leaves the start of the window to others. */
const startDelay = 5_000;
/** The time of day may be set, and the computer may sleep: the timer looks again after so many milliseconds. */
const longestWait = 15 * 60_000;

/** What a schedule needs. */
export interface ScheduleDeps {
  readonly memento: vscode.Memento;
  readonly clock: Pick<Clock, 'date' | 'now' | 'after'>;
  /** Subscribe to what gives a reason to look, such as that the window is focused, or that another account is in use. */
  readonly reasons: readonly ((look: () => void) => vscode.Disposable)[];
  /** Does the restores that are due. */
  readonly restore: () => Promise<void>;
}

/**
 * Sees to it that profiles end when their time is over, also across restarts: by a timer, and whenever there is a reason to
 * look, such as after the computer slept. Loads and requests nothing as long as nothing is due.
 */
export class RestoreSchedule implements vscode.Disposable {
  readonly #deps: ScheduleDeps;
  readonly #subscriptions: readonly vscode.Disposable[];
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** By the clock that nobody sets. */
  #retryAt = 0;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
    this.#subscriptions = deps.reasons.map((subscribe) => subscribe(() => void this.check()));
    this.arm(startDelay);
  }

  /** Sets the timer by what is kept now. To be called when that has changed. */
  arm(leastDelay = 0): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const times = this.#times();
    if (times.length > 0) {
      const { clock } = this.#deps;
      const left = Math.min(...times) - clock.date().getTime();
      const wait = left > 0 ? Math.min(left, longestWait) : Math.max(this.#retryAt - clock.now(), 0);
      this.#cancel = clock.after(Math.max(wait, leastDelay), () => void this.check());
    }
  }

  /** Does what is due; callers at the same time share one run. */
  async check(): Promise<void> {
    const { clock, restore } = this.#deps;
    if (this.#times().some((time) => time <= clock.date().getTime())) {
      this.#running ??= restore().finally(() => {
        this.#running = undefined;
        this.#retryAt = clock.now() + retryDelay;
      });
      await this.#running;
    }
    this.arm();
  }

  dispose(): void {
    this.#cancel?.();
    this.#subscriptions.forEach((subscription) => void subscription.dispose());
  }

  #times(): readonly number[] {
    const stored = this.#deps.memento.get<unknown>(restoresKey);
    return (Array.isArray(stored) ? (stored as readonly unknown[]) : []).flatMap((restore) => {
      const until = (restore as { readonly until?: unknown } | null)?.until;
      return typeof until === 'number' ? until : [];
    });
  }
}
