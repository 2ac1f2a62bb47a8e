import type * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { NotificationSettingsChange } from '../api/notificationSettings.ts';
import type { App } from '../app.ts';
import { apiScope, type NotificationScope } from './scope.ts';
import {
  type Change,
  conflicts,
  isEmptyChange,
  type Plan,
  type Settings,
  settingsOf,
  verify,
  withoutFields,
} from './settings.ts';

const requestsAtOnce = 4;

/** Runs something for each of the items, a few at a time; rejects with the first failure, after which nothing new is begun. */
export async function mapBounded<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  // Where one of the loops over a generator fails, it ends for all.
  const queue = (function* entries() {
    yield* items.entries();
  })();
  const work = async (): Promise<void> => {
    for (const [index, item] of queue) {
      results[index] = await run(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(requestsAtOnce, items.length) }, work));
  return results;
}

export function isCancellation(error: unknown): boolean {
  return isApiError(error) ? error.reason === 'aborted' : error instanceof Error && error.name === 'AbortError';
}

/** Whether an error means that a request had no effect, rather than that its answer is not known. */
function isRefusal(error: unknown): boolean {
  return !(isApiError(error) && ['unavailable', 'notAnInstance', 'aborted'].includes(error.reason));
}

export type Outcome =
  /** The settings have the change, as far as they show it. */
  | {
      readonly kind: 'applied';
      readonly before: Settings;
      readonly now: Settings;
      /** What the platform took; empty if all of it was so already. */
      readonly taken: Change;
      /** Fields that the platform did not take; where the answer is missing, those that are not shown, too. */
      readonly missing: readonly string[];
      /** Why the answer is missing, where the settings that were read afterwards show that it took effect. */
      readonly error?: unknown;
    }
  /** The settings were changed elsewhere; nothing was sent. */
  | { readonly kind: 'conflict'; readonly now: Settings }
  /** It was refused, or could not be sent: nothing was changed. */
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It was sent, its answer is missing, and the settings do not show that it took effect. It may still do so. */
  | { readonly kind: 'unknown'; readonly error: unknown; readonly now: Settings | undefined };

export interface Sent {
  readonly plan: Plan;
  readonly outcome: Outcome;
}

export interface Reading {
  readonly scope: NotificationScope;
  readonly settings?: Settings;
  readonly error?: unknown;
}

/** Reads and changes notification settings: the one way for all features. */
export class SettingsService {
  readonly #app: App;
  readonly #listeners = new Set<(scope: NotificationScope) => unknown>();

  constructor(app: App) {
    this.#app = app;
  }

  /** Fires when settings were changed here, or may have been: what shows them, or inherits from them, is out of date. */
  readonly onDidChange = (listener: (scope: NotificationScope) => unknown): vscode.Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  /** @throws SignedOutError if the account is gone, or any error of the API client. */
  async read(scope: NotificationScope, signal?: AbortSignal): Promise<Settings> {
    const { client } = await this.#app.connections.of(scope.accountId);
    return settingsOf(scope.kind, await client.notificationSettings.get(apiScope(scope), { signal }));
  }

  /** Reads settings of many scopes, a few at a time. Rejects only when the signal ends it. @param onRead is called with each. */
  async readAll(
    scopes: readonly NotificationScope[],
    signal?: AbortSignal,
    onRead?: (reading: Reading) => void,
  ): Promise<Reading[]> {
    return await mapBounded(scopes, async (scope) => {
      const reading = await this.read(scope, signal).then(
        (settings): Reading => ({ scope, settings }),
        (error: unknown): Reading => ({ scope, error }),
      );
      signal?.throwIfAborted();
      onRead?.(reading);
      return reading;
    });
  }

  /**
   * Carries a plan out, in one request that is sent once and holds what differs. Just before, the settings are read: if they are no
   * longer those that were expected, nothing is sent. If the answer is missing, they are read again.
   */
  async apply(
    plan: Plan,
    signal?: AbortSignal,
    isExpected = (now: Settings) => conflicts(plan.expected, now, plan.change).length === 0,
  ): Promise<Outcome> {
    const outcome = await this.#apply(plan, signal, isExpected);
    if (outcome.kind === 'unknown' || (outcome.kind === 'applied' && outcome.before !== outcome.now)) {
      this.#listeners.forEach((listener) => listener(plan.scope));
    }
    return outcome;
  }

  async #apply(
    { scope, change }: Plan,
    signal: AbortSignal | undefined,
    isExpected: (now: Settings) => boolean,
  ): Promise<Outcome> {
    let before: Settings;
    try {
      signal?.throwIfAborted();
      before = await this.read(scope, signal);
    } catch (error) {
      return { kind: 'failed', error: await this.#reasonOf(error, scope, signal) };
    }
    const sent = withoutFields(change, verify(change, before).holding);
    if (isEmptyChange(sent)) {
      return { kind: 'applied', before, now: before, taken: {}, missing: [] };
    }
    if (!isExpected(before)) {
      return { kind: 'conflict', now: before };
    }
    try {
      const { client } = await this.#app.connections.of(scope.accountId);
      const body = sent as NotificationSettingsChange;
      // A window elsewhere may have changed the settings by the time that a repetition arrives.
      const record = await client.notificationSettings.update(apiScope(scope), body, { signal });
      const now = settingsOf(scope.kind, record);
      const { missing } = verify(sent, now);
      return { kind: 'applied', before, now, taken: withoutFields(sent, missing), missing };
    } catch (error) {
      return await this.#findOut(scope, before, sent, await this.#reasonOf(error, scope, signal));
    }
  }

  /** Why something failed: a request is given up as well where the user signs out. */
  async #reasonOf(error: unknown, { accountId }: NotificationScope, signal: AbortSignal | undefined): Promise<unknown> {
    if (isCancellation(error) && signal?.aborted !== true) {
      try {
        await this.#app.connections.of(accountId);
      } catch (reason) {
        return reason;
      }
    }
    return error;
  }

  async #findOut(scope: NotificationScope, before: Settings, sent: Change, error: unknown): Promise<Outcome> {
    const now = await this.read(scope).catch(() => undefined);
    if (now) {
      const { holding, missing, unseen } = verify(sent, now);
      if (holding.length > 0) {
        const lost = [...missing, ...unseen];
        return { kind: 'applied', before, now, taken: withoutFields(sent, lost), missing: lost, error };
      }
    }
    return isRefusal(error) ? { kind: 'failed', error } : { kind: 'unknown', error, now };
  }
}
