import { withLock } from '#platform/locks.ts';
import { inspect } from '#platform/runtime.ts';
import { join } from '#platform/storage.ts';
import * as z from 'zod/mini';
import type { App } from '../app.ts';
import type { SendOptions } from './changes.ts';
import { type ScopeFiles, scopeKey, scopeSchema } from './scope.ts';
import {
  type Change,
  changeSchema,
  changeTo,
  isTextField,
  pick,
  type Plan,
  type Settings,
  verify,
  withChange,
  withoutFields,
} from './settings.ts';
import type { Sent, SettingsService } from './settingsService.ts';

/** A scope in which a profile holds for a while. Kept before anything is sent, so that it ends whatever happens. */
export const heldSchema = () =>
  z.object({
    scope: scopeSchema(),
    profile: z.string(),
    /** Milliseconds since 1970, as many as a date can hold. */
    until: z.number().check(z.minimum(0), z.maximum(8.64e15)),
    /** What was set before, as far as it was known. */
    before: changeSchema(),
    /**
     * What profiles have set here, or may have: the level, the address, and the events that they sent. An event that was at its default or
     * unknown before is not in it: nothing can be put back there.
     */
    ours: z.array(changeSchema()),
  });
export type Held = z.infer<ReturnType<typeof heldSchema>>;
export type Named = Pick<Held, 'profile' | 'until'>;

/** What became of a scope when its profile ended; what has failed is tried again later. */
export interface Ended extends Sent {
  readonly held: Held;
}

/** How long another window waits for one that hangs while it ends profiles, in milliseconds. */
const longestEnd = 600_000;
/** How long after an end that failed it is tried again, in milliseconds. */
const retryDelay = 5 * 60_000;
/** Leaves the start of the window to others. */
const startDelay = 5_000;
/** The time of day may be set, and the computer may sleep: the timer looks again after this time, in milliseconds. */
const longestWait = 15 * 60_000;

function areThere(change: Change, now: Settings): boolean {
  return verify(change, now).missing.length === 0;
}

/** What of a change is compared: the level, the address, and the events that profiles have set. */
function compared(change: Change, ours: readonly Change[]): Change {
  return pick(change, (field) => isTextField(field) || ours.some((one) => Object.hasOwn(one, field)));
}

/** What is put back: events count with the level Custom alone. */
function restoredBy({ before, ours }: Held): Change {
  return pick(compared(before, ours), (field) => isTextField(field) || before['level'] === 'custom');
}

/** What is compared of settings that a profile has set: where nothing was known before, nothing can be put back. */
function oursOf(settings: Settings, before: Change, ours: readonly Change[]): Change {
  return pick(compared(changeTo(settings), ours), (field) => Object.hasOwn(before, field));
}

/** What is to be kept of a scope before a plan is sent there. */
function heldBy({ scope, expected, change }: Plan, kept: Held | undefined, named: Named): Held {
  const ours = kept?.ours ?? [];
  const known = changeTo(expected);
  // While another profile holds, what was there before it is what comes back.
  const isHeld = kept !== undefined && ours.some((one) => areThere(one, expected));
  const before = isHeld ? { ...kept.before, ...withoutFields(known, Object.keys(compared(known, ours))) } : known;
  const after = oursOf(withChange(expected, change), before, [...ours, change]);
  return { scope, ...named, before, ours: [...ours, after] };
}

/**
 * The profiles that hold for a while. They end by comparison, when their time is over, also across restarts: settings that are those from
 * before are done, those that a profile has set are put back, and all others were changed elsewhere since and stay. Requests nothing as
 * long as nothing is due.
 */
export class TimedProfiles {
  readonly #app: App;
  readonly #service: SettingsService;
  readonly #files: ScopeFiles<Held>;
  readonly #onDidChange: (ended: readonly Ended[]) => void;
  #latest: readonly Held[] = [];
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** The scopes of which it was said that ending has failed, and is tried again. */
  readonly #failed = new Set<string>();
  /** By the clock that nobody sets. */
  #retryAt = 0;
  #isDisposed = false;

  /** @param onDidChange is called when other profiles may hold than before, with what there is to say of those that have ended. */
  constructor(
    app: App,
    service: SettingsService,
    files: ScopeFiles<Held>,
    onDidChange: (ended: readonly Ended[]) => void,
  ) {
    this.#app = app;
    this.#service = service;
    this.#files = files;
    this.#onDidChange = onDidChange;
    void this.#arm(startDelay).then(() => onDidChange([]));
  }

  get latest(): readonly Held[] {
    return this.#latest;
  }

  /** The scopes in which a profile holds, the one that ends soonest first. */
  async read(): Promise<readonly Held[]> {
    this.#latest = (await this.#files.all()).toSorted((one, other) => one.until - other.until);
    return this.#latest;
  }

  async forget(scopes: readonly Held[]): Promise<void> {
    for (const { scope } of scopes) {
      await this.#files.remove(scope);
    }
    await this.#arm();
    this.#onDidChange([]);
  }

  /** What is to be done around sending a profile that ends, and around its undo. */
  around(named: Named): Required<Pick<SendOptions, 'before' | 'after'>> {
    const files = this.#files;
    const earlier = new Map<string, Held | undefined>();
    return {
      before: async (plans, isUndo) => {
        for (const plan of plans) {
          const kept = await files.read(plan.scope);
          // Once it has ended, what an undo leads to may be another profile, which has ended as well: it leads there for good.
          if (kept || !isUndo) {
            earlier.set(scopeKey(plan.scope), kept);
            await files.write(plan.scope, heldBy(plan, kept, isUndo && kept ? kept : named));
          }
        }
      },
      after: async (sent, isUndo) => {
        for (const { plan, outcome } of sent) {
          const kept = await files.read(plan.scope);
          const before = earlier.get(scopeKey(plan.scope));
          if (kept && outcome.kind === 'applied') {
            if (isUndo && areThere(restoredBy(kept), outcome.now)) {
              await files.remove(plan.scope);
            } else if (outcome.missing.length > 0) {
              const ours = [...kept.ours, oursOf(outcome.now, kept.before, kept.ours)];
              await files.write(plan.scope, { ...kept, ours });
            }
          } else if (kept && outcome.kind !== 'unknown') {
            // Nothing was sent.
            await (before ? files.write(plan.scope, before) : files.remove(plan.scope));
          }
        }
        await this.#arm();
        this.#onDidChange([]);
      },
    };
  }

  /** Ends profiles in scopes, once for all windows. A failure in one scope holds up no other; it stays kept, and is said once. */
  async end(isWanted: (held: Held) => boolean): Promise<void> {
    const ended = await withLock(join(this.#files.folder, 'end.lease'), longestEnd, async () => {
      const all: Ended[] = [];
      for (const held of (await this.read()).filter(isWanted)) {
        all.push(await this.#end(held));
      }
      return all;
    });
    await this.#arm();
    this.#onDidChange(
      ended.filter(({ held, outcome }) => {
        const key = scopeKey(held.scope);
        const isSaid = this.#failed.delete(key);
        if (outcome.kind === 'failed' || outcome.kind === 'unknown') {
          this.#failed.add(key);
          return !isSaid;
        }
        // That all is as it was before needs no word.
        return outcome.kind === 'conflict' || outcome.before !== outcome.now;
      }),
    );
  }

  /** Ends what is due; callers at the same time share one run. To be called whenever there is a reason, such as after a sleep. */
  async check(): Promise<void> {
    const { clock, log } = this.#app;
    const isDue = ({ until }: Held): boolean => until <= clock.date().getTime();
    if ((await this.read()).some(isDue)) {
      // Before it fails, as the timer is set by it.
      this.#retryAt = clock.now() + retryDelay;
      this.#running ??= this.end(isDue)
        .catch((error: unknown) => log.error(inspect(error)))
        .finally(() => {
          this.#running = undefined;
        });
      await this.#running;
    }
    await this.#arm();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
  }

  /** Sets the timer by what is kept now. */
  async #arm(leastDelay = 0): Promise<void> {
    const [soonest] = await this.read();
    this.#cancel?.();
    this.#cancel = undefined;
    if (soonest && !this.#isDisposed) {
      const { clock } = this.#app;
      const left = soonest.until - clock.date().getTime();
      const wait = left > 0 ? Math.min(left, longestWait) : Math.max(this.#retryAt - clock.now(), 0);
      this.#cancel = clock.after(Math.max(wait, leastDelay), () => void this.check());
    }
  }

  async #end(held: Held): Promise<Ended> {
    const { scope, ours } = held;
    const expected = withChange({ level: '' }, ours.at(-1) ?? {});
    const plan: Plan = { scope, expected, change: restoredBy(held), notes: [] };
    const isOurs = (now: Settings): boolean => ours.some((one) => areThere(one, now));
    const outcome = await this.#service.apply(plan, undefined, isOurs);
    if (outcome.kind === 'applied' || outcome.kind === 'conflict') {
      // If it stays, the next attempt finds that nothing is to be done.
      await this.#files.remove(scope).catch((error: unknown) => this.#app.log.error(inspect(error)));
    } else {
      this.#app.log.error(inspect(outcome.error));
    }
    return { held, plan, outcome };
  }
}
