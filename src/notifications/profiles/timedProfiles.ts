import { withLock } from '#platform/locks.ts';
import { inspect } from '#platform/runtime.ts';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Clock } from '../../common/clock.ts';
import type { SendHooks } from '../settings/bulkChanges.ts';
import type { Applied, SettingsEngine } from '../settings/engine.ts';
import { changeSchema, scopeSchema } from '../settings/schemas.ts';
import type { ScopeFiles } from '../settings/scopeFiles.ts';
import {
  type Change,
  changeTo,
  isEmptyChange,
  isTextField,
  planFor,
  scopeKey,
  type ScopePlan,
  type Settings,
  verify,
  withChange,
  withoutFields,
} from '../settings/settings.ts';

/** A scope in which a profile holds for a while. Kept before anything is sent, so that it ends whatever happens. */
export const heldSchema = z.object({
  scope: scopeSchema,
  /** The name of the profile. */
  profile: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
  /** What was set before, as far as it was known. */
  before: changeSchema,
  /**
   * What profiles and undos of them have set here, or may have: the level, the address, and the events that they sent. An event that
   * was at its default or unknown before is not in it: nothing can be put back there.
   */
  ours: z.array(changeSchema),
});
export type Held = z.infer<typeof heldSchema>;

/** Scopes in which the same profile holds until the same moment. */
export interface TimedProfile {
  readonly profile: string;
  readonly until: number;
  readonly scopes: readonly Held[];
}

/** What became of a scope when its profile ended. */
export interface EndResult {
  readonly held: Held;
  readonly outcome:
    | { readonly kind: 'restored'; readonly plan: ScopePlan; readonly applied: Applied }
    | { readonly kind: 'alreadyRestored' | 'changedElsewhere' }
    /** Tried again later. */
    | { readonly kind: 'failed'; readonly error: unknown };
}

export interface TimedProfilesDeps {
  readonly files: Pick<ScopeFiles<Held>, 'read' | 'all' | 'write' | 'remove'>;
  /** See `withLock`. */
  readonly lock: string;
  readonly engine: Pick<SettingsEngine, 'read' | 'apply'>;
  readonly clock: Pick<Clock, 'date'>;
  readonly log: { error(text: string): void };
  /** Shows what became of a profile's scopes. */
  readonly onDidEnd: (profile: string, results: readonly EndResult[]) => void;
}

/** Another window waits so many milliseconds at most for one that hangs while it ends profiles. */
const longestEnd = 600_000;

/** Whether settings are those that a change sets, as far as they show it. */
function areThere(change: Change, now: Settings): boolean {
  return verify(change, now).missing.length === 0;
}

/** Whether a field is compared: the level, the address, and the events that profiles have set. */
function isCompared(field: string, ours: readonly Change[]): boolean {
  return isTextField(field) || ours.some((one) => Object.hasOwn(one, field));
}

/** What is put back. */
function restoredBy({ before, ours }: Held): Change {
  return withoutFields(
    before,
    Object.keys(before).filter((field) => !isCompared(field, ours)),
  );
}

/** What of settings is compared: where nothing was known before, nothing can be put back. */
function comparedOf(settings: Settings, before: Change, ours: readonly Change[]): Change {
  const all = changeTo(settings);
  const left = Object.keys(all).filter((field) => !Object.hasOwn(before, field) || !isCompared(field, ours));
  return withoutFields(all, left);
}

/** What is to be kept of a scope before a plan is sent there. */
function heldBy(
  { scope, expected, change }: ScopePlan,
  kept: Held | undefined,
  named: Pick<Held, 'profile' | 'until'>,
): Held {
  const ours = kept?.ours ?? [];
  const known = changeTo(expected);
  const knownOurs = Object.keys(known).filter((field) => isCompared(field, ours));
  // While another profile holds, what was there before it is what comes back.
  const isHeld = kept !== undefined && ours.some((one) => areThere(one, expected));
  const before = isHeld ? { ...kept.before, ...withoutFields(known, knownOurs) } : known;
  const after = comparedOf(withChange(expected, change), before, [...ours, change]);
  return { scope, ...named, before, ours: [...ours, after] };
}

/**
 * The profiles that hold for a while. They end by comparison: settings that are those from before are done, those that a profile has set
 * are put back, and all others were changed elsewhere since and stay.
 */
export class TimedProfiles {
  readonly #deps: TimedProfilesDeps;
  #latest: readonly Held[] = [];

  constructor(deps: TimedProfilesDeps) {
    this.#deps = deps;
  }

  /** As far as this window has read it last. */
  get latest(): readonly Held[] {
    return this.#latest;
  }

  /** The scopes in which a profile holds, the one that ends soonest first. */
  async read(): Promise<readonly Held[]> {
    this.#latest = (await this.#deps.files.all()).toSorted((one, other) => one.until - other.until);
    return this.#latest;
  }

  /** The same by profile. */
  async all(): Promise<readonly TimedProfile[]> {
    const profiles = new Map<string, TimedProfile>();
    for (const held of await this.read()) {
      const { profile, until } = held;
      const key = JSON.stringify([profile, until]);
      profiles.set(key, { profile, until, scopes: [...(profiles.get(key)?.scopes ?? []), held] });
    }
    return [...profiles.values()];
  }

  /** Leaves settings as they are now. */
  async forget(scopes: readonly Held[]): Promise<void> {
    for (const { scope } of scopes) {
      await this.#deps.files.remove(scope);
    }
  }

  /**
   * What is to be done around sending a profile that ends, and around its undo.
   *
   * @param endedError what an undo rejects with once the profile has ended: what it leads to may be another profile, which has ended as well.
   */
  hooks(named: Pick<Held, 'profile' | 'until'>, endedError: () => Error): SendHooks {
    const { files } = this.#deps;
    const earlier = new Map<string, Held | undefined>();
    return {
      before: async (plans, isUndo) => {
        const all = await Promise.all(plans.map(async (plan) => ({ plan, kept: await files.read(plan.scope) })));
        if (isUndo && all.some(({ kept }) => !kept)) {
          throw endedError();
        }
        for (const { plan, kept } of all) {
          earlier.set(scopeKey(plan.scope), kept);
          await files.write(heldBy(plan, kept, isUndo && kept ? kept : named));
        }
      },
      after: async (outcomes, isUndo) => {
        for (const outcome of outcomes) {
          const { scope } = outcome.plan;
          const kept = await files.read(scope);
          if (!kept) {
            continue;
          }
          if (outcome.kind === 'applied') {
            if (isUndo && areThere(restoredBy(kept), outcome.settings)) {
              await files.remove(scope);
            } else if (outcome.missing.length > 0) {
              await files.write({
                ...kept,
                ours: [...kept.ours, comparedOf(outcome.settings, kept.before, kept.ours)],
              });
            }
          } else if (outcome.kind !== 'unknown' && !isUndo) {
            // Nothing was sent.
            const before = earlier.get(scopeKey(scope));
            await (before ? files.write(before) : files.remove(scope));
          }
        }
      },
    };
  }

  /** Ends the profiles whose time has come. */
  async endDue(): Promise<void> {
    const now = this.#deps.clock.date().getTime();
    await this.end(({ until }) => until <= now);
  }

  /** Ends profiles in scopes, once for all windows. A failure in one scope holds up no other; it stays kept. */
  async end(isWanted: (held: Held) => boolean): Promise<void> {
    const results = await withLock(this.#deps.lock, longestEnd, async () => {
      const ended: EndResult[] = [];
      for (const held of (await this.read()).filter(isWanted)) {
        ended.push({ held, outcome: await this.#end(held) });
      }
      return ended;
    });
    for (const profile of new Set(results.map(({ held }) => held.profile))) {
      this.#deps.onDidEnd(
        profile,
        results.filter(({ held }) => held.profile === profile),
      );
    }
  }

  async #end(held: Held): Promise<EndResult['outcome']> {
    const { log } = this.#deps;
    try {
      const outcome = await this.#restore(held);
      if (outcome.kind !== 'failed') {
        // If it stays, the next attempt finds that nothing is to be done.
        await this.#deps.files.remove(held.scope).catch((error: unknown) => log.error(inspect(error)));
      }
      return outcome;
    } catch (error) {
      log.error(inspect(error));
      return { kind: 'failed', error };
    }
  }

  async #restore(held: Held): Promise<EndResult['outcome']> {
    const { scope, ours } = held;
    const { engine } = this.#deps;
    const now = await engine.read(scope);
    const before = restoredBy(held);
    if (areThere(before, now)) {
      return { kind: 'alreadyRestored' };
    }
    if (!ours.some((one) => areThere(one, now))) {
      return { kind: 'changedElsewhere' };
    }
    const plan = planFor(scope, now, settingsBefore(held));
    if (isEmptyChange(plan.change)) {
      return { kind: 'alreadyRestored' };
    }
    const applied = await engine.apply(scope, plan);
    switch (applied.kind) {
      case 'applied':
        return { kind: 'restored', plan, applied };
      case 'conflict':
        return { kind: 'changedElsewhere' };
      case 'unknown':
        return { kind: 'failed', error: applied.error };
    }
  }
}

/** The settings that are put back in a scope. */
export function settingsBefore(held: Held): Settings {
  return withChange({ level: '', flags: {} }, restoredBy(held));
}

/** How long after an end that failed it is tried again, in milliseconds. */
const retryDelay = 5 * 60_000;
/** Leaves the start of the window to others. */
const startDelay = 5_000;
/** The time of day may be set, and the computer may sleep: the timer looks again after so many milliseconds. */
const longestWait = 15 * 60_000;

export interface ScheduleDeps {
  readonly clock: Pick<Clock, 'date' | 'now' | 'after'>;
  /** Subscribe to what gives a reason to look, such as that the window is focused, or that another account is in use. */
  readonly reasons: readonly ((look: () => void) => vscode.Disposable)[];
  /** When the first profile ends, in milliseconds since 1970; undefined if there is none. */
  readonly soonest: () => Promise<number | undefined>;
  /** Ends the profiles that are due. */
  readonly end: () => Promise<void>;
}

/**
 * Sees to it that profiles end when their time is over, also across restarts: by a timer, and whenever there is a reason to
 * look, such as after the computer slept. Requests nothing as long as nothing is due.
 */
export class ProfileSchedule implements vscode.Disposable {
  readonly #deps: ScheduleDeps;
  readonly #subscriptions: readonly vscode.Disposable[];
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** By the clock that nobody sets. */
  #retryAt = 0;
  #isDisposed = false;

  constructor(deps: ScheduleDeps) {
    this.#deps = deps;
    this.#subscriptions = deps.reasons.map((subscribe) => subscribe(() => void this.check()));
    void this.arm(startDelay);
  }

  /** Sets the timer by what is kept now. To be called when that has changed. */
  async arm(leastDelay = 0): Promise<void> {
    const soonest = await this.#deps.soonest();
    this.#cancel?.();
    this.#cancel = undefined;
    if (soonest !== undefined && !this.#isDisposed) {
      const { clock } = this.#deps;
      const left = soonest - clock.date().getTime();
      const wait = left > 0 ? Math.min(left, longestWait) : Math.max(this.#retryAt - clock.now(), 0);
      this.#cancel = clock.after(Math.max(wait, leastDelay), () => void this.check());
    }
  }

  /** Does what is due; callers at the same time share one run. */
  async check(): Promise<void> {
    const { clock, soonest, end } = this.#deps;
    const time = await soonest();
    if (time !== undefined && time <= clock.date().getTime()) {
      this.#running ??= end().finally(() => {
        this.#running = undefined;
        this.#retryAt = clock.now() + retryDelay;
      });
      await this.#running;
    }
    await this.arm();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
    this.#subscriptions.forEach((subscription) => void subscription.dispose());
  }
}
