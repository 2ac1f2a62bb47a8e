import type * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import { isApiError } from '../../api/errors.ts';
import type { NotificationSettingsChange } from '../../api/notificationSettings.ts';
import {
  apiScope,
  type Change,
  conflicts,
  isEmptyChange,
  type NotificationScope,
  type ScopePlan,
  type Settings,
  settingsOf,
  verify,
  withoutFields,
} from './settings.ts';

/** How many requests are under way at once. */
export const requestsAtOnce = 4;

/**
 * Runs something for each of the items, a few at a time.
 *
 * @param limit how many may be under way at once.
 * @returns the results in the order of the items; rejects with the first failure, after which nothing new is begun.
 */
export async function mapBounded<T, R>(items: readonly T[], limit: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let failed = false;
  const queue = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failed) {
        return;
      }
      try {
        results[index] = await run(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

/** Whether something failed because the user cancelled it. */
export function isCancellation(error: unknown): boolean {
  return isApiError(error) ? error.reason === 'aborted' : error instanceof Error && error.name === 'AbortError';
}

/** Whether an error means that a request had no effect, rather than that its answer is not known. */
function isRefusal(error: unknown): boolean {
  return !(isApiError(error) && ['unavailable', 'notAnInstance', 'aborted'].includes(error.reason));
}

/** What is wanted: a change, and the settings that it was made on. */
export interface Wanted {
  readonly expected: Settings;
  readonly change: Change;
}

/** What is sent: the fields that differ, and the settings just before. */
export interface Sent {
  readonly before: Settings;
  readonly change: Change;
}

/** The settings have the change, as far as they show it. */
export interface Applied {
  readonly kind: 'applied';
  /** What was sent; its change is empty if all of it was so already. */
  readonly sent: Sent;
  /** The settings that hold now. */
  readonly settings: Settings;
  /** Whether this is known not from an answer, but from the settings that were read afterwards. */
  readonly isReconciled: boolean;
  /** Fields that the platform did not take, by their names in the API. */
  readonly missing: readonly string[];
  /** Fields that the platform does not show. */
  readonly unseen: readonly string[];
  /** Why there was no answer. */
  readonly error?: unknown;
}

/** The settings were changed elsewhere; nothing was sent. */
export interface Conflict {
  readonly kind: 'conflict';
  readonly now: Settings;
}

/** A request was sent, its answer is missing, and the settings do not show that it took effect. It may still do so. */
export interface Unknown {
  readonly kind: 'unknown';
  /** Why there was no answer. */
  readonly error: unknown;
  /** The settings as they were read afterwards; undefined if they could not be. */
  readonly now?: Settings;
}

/** What became of a change. That it was refused, or could not be sent, is an error instead. */
export type ApplyOutcome = Applied | Conflict | Unknown;

/** What was read of a scope, or why it was not. */
export type ScopeReading =
  | { readonly scope: NotificationScope; readonly settings: Settings }
  | { readonly scope: NotificationScope; readonly error: unknown };

/** What became of a plan; `failed` if it was refused, or could not be sent. */
export type PlanOutcome = { readonly plan: ScopePlan } & (
  | ApplyOutcome
  | { readonly kind: 'failed'; readonly error: unknown }
);

/** How a change is applied. */
export interface ApplyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Asked for the signal of the reading that follows an answer that is missing: the first signal may be what ended it. */
  readonly reconcileSignal?: (() => AbortSignal) | undefined;
}

/** How something for many scopes is run. */
export interface BulkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when one more is done. */
  readonly onStep?: (() => void) | undefined;
}

/** Reads and changes notification settings: the one way for all features. */
export class SettingsEngine {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #listeners = new Set<(scopes: readonly NotificationScope[]) => unknown>();

  constructor(connections: Pick<Connections, 'of'>) {
    this.#connections = connections;
  }

  /** Fires when settings were changed here, or may have been: what shows them, or inherits from them, is out of date. */
  readonly onDidChange = (listener: (scopes: readonly NotificationScope[]) => unknown): vscode.Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  /**
   * Reads the settings of a scope.
   *
   * @throws SignedOutError if the account is gone, or any error of the API client.
   */
  async read(scope: NotificationScope, signal?: AbortSignal): Promise<Settings> {
    const { client } = await this.#connections.of(scope.accountId);
    return settingsOf(scope.kind, await client.notificationSettings.get(apiScope(scope), { signal }));
  }

  /**
   * Changes the settings of a scope, in one request that is sent once and holds what differs. Just before, the settings are
   * read: if they are no longer those that were expected, nothing is sent. If the answer is missing, they are read again.
   *
   * @throws SignedOutError if the account is gone, or any error of the API client; then nothing was changed.
   */
  async apply(scope: NotificationScope, wanted: Wanted, options: ApplyOptions = {}): Promise<ApplyOutcome> {
    const outcome = await this.#apply(scope, wanted, options);
    this.#announce(mayHaveChanged(outcome) ? [scope] : []);
    return outcome;
  }

  async #apply(
    scope: NotificationScope,
    { expected, change }: Wanted,
    options: ApplyOptions = {},
  ): Promise<ApplyOutcome> {
    const { signal } = options;
    signal?.throwIfAborted();
    const before = await this.read(scope, signal);
    if (conflicts(expected, before, change).length > 0) {
      return { kind: 'conflict', now: before };
    }
    const sent = { before, change: withoutFields(change, verify(change, before).holding) };
    if (isEmptyChange(sent.change)) {
      return { kind: 'applied', sent, settings: before, isReconciled: false, missing: [], unseen: [] };
    }
    try {
      const settings = await this.#send(scope, sent.change, signal);
      const { missing, unseen } = verify(sent.change, settings);
      return { kind: 'applied', sent, settings, isReconciled: false, missing, unseen };
    } catch (error) {
      return await this.#reconcile(scope, sent, error, options.reconcileSignal?.());
    }
  }

  /** Reads settings of many scopes, a few at a time. Rejects only when the signal ends it. */
  async readAll(scopes: readonly NotificationScope[], { signal, onStep }: BulkOptions = {}): Promise<ScopeReading[]> {
    return await mapBounded(scopes, requestsAtOnce, async (scope) => {
      try {
        return { scope, settings: await this.read(scope, signal) };
      } catch (error) {
        signal?.throwIfAborted();
        return { scope, error };
      } finally {
        onStep?.();
      }
    });
  }

  /**
   * Carries plans out, a few at a time; one failure does not hold up the others.
   *
   * @param signal keeps what has not begun from being sent; such plans fail with its reason.
   */
  async applyAll(plans: readonly ScopePlan[], { signal, onStep }: BulkOptions = {}): Promise<PlanOutcome[]> {
    const outcomes = await mapBounded(plans, requestsAtOnce, async (plan): Promise<PlanOutcome> => {
      try {
        signal?.throwIfAborted();
        return { plan, ...(await this.#apply(plan.scope, plan)) };
      } catch (error) {
        return { plan, kind: 'failed', error };
      } finally {
        onStep?.();
      }
    });
    this.#announce(outcomes.filter(mayHaveChanged).map(({ plan }) => plan.scope));
    return outcomes;
  }

  #announce(scopes: readonly NotificationScope[]): void {
    if (scopes.length > 0) {
      this.#listeners.forEach((listener) => listener(scopes));
    }
  }

  async #send(scope: NotificationScope, change: Change, signal: AbortSignal | undefined): Promise<Settings> {
    const { client } = await this.#connections.of(scope.accountId);
    const body = change as NotificationSettingsChange;
    // A window elsewhere may have changed the settings by the time that a repetition arrives.
    const record = await client.notificationSettings.update(apiScope(scope), body, { signal, once: true });
    return settingsOf(scope.kind, record);
  }

  /** Finds out by reading what became of a request without an answer. */
  async #reconcile(
    scope: NotificationScope,
    sent: Sent,
    error: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Applied | Unknown> {
    let now: Settings | undefined;
    try {
      now = await this.read(scope, signal);
      const { holding, missing, unseen } = verify(sent.change, now);
      if (holding.length > 0) {
        return { kind: 'applied', sent, settings: now, isReconciled: true, missing, unseen, error };
      }
    } catch {
      // That it is not known is all there is to say.
    }
    if (isRefusal(error)) {
      throw error;
    }
    return now ? { kind: 'unknown', error, now } : { kind: 'unknown', error };
  }
}

/** Whether a request was sent that was not refused. */
function mayHaveChanged(outcome: ApplyOutcome | PlanOutcome): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'applied' && !isEmptyChange(outcome.sent.change));
}
