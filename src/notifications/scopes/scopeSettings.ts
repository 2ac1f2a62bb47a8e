import type { Connections } from '../../accounts/connections.ts';
import { ApiError } from '../../api/errors.ts';
import { verify } from '../model/comparison.ts';
import { apiScope, type NotificationScope } from '../model/scope.ts';
import { type Settings, settingsOf, type SettingsRecord, tellsEpics } from '../model/settings.ts';
import { mapBounded } from './bounded.ts';
import type { ScopePlan } from './plan.ts';
import { matches, snapshotOf } from './snapshot.ts';
import { requestsAtOnce } from './scopeFinder.ts';

/** What was read of a scope, or why it was not. */
export type ScopeReading =
  | { readonly scope: NotificationScope; readonly settings: Settings }
  | { readonly scope: NotificationScope; readonly error: unknown };

/** What became of a plan. */
export type ScopeOutcome =
  | { readonly kind: 'done'; readonly plan: ScopePlan; readonly after: Settings; readonly missing: readonly string[] }
  /** The settings were changed elsewhere since they were read; nothing was sent. */
  | { readonly kind: 'changedMeanwhile'; readonly plan: ScopePlan; readonly now: Settings }
  | { readonly kind: 'failed'; readonly plan: ScopePlan; readonly error: unknown };

/** How something for many scopes is run. */
export interface ManyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when one more is done. */
  readonly onStep?: (() => void) | undefined;
}

/** Reads and changes the notification settings of many scopes, a few at a time; one failure does not hold up the others. */
export class ScopeSettings {
  readonly #connections: Pick<Connections, 'of'>;

  constructor(connections: Pick<Connections, 'of'>) {
    this.#connections = connections;
  }

  /** Reads settings. Rejects only when the signal ends it. */
  async read(scopes: readonly NotificationScope[], { signal, onStep }: ManyOptions = {}): Promise<ScopeReading[]> {
    const records = await mapBounded(scopes, requestsAtOnce, async (scope) => {
      try {
        const { client } = await this.#connections.of(scope.accountId);
        return { scope, record: await client.notificationSettings.get(apiScope(scope), { signal }) };
      } catch (error) {
        signal?.throwIfAborted();
        return { scope, error };
      } finally {
        onStep?.();
      }
    });
    const withEpics = new Set(
      records.flatMap((read) =>
        'record' in read && tellsEpics(read.scope.kind, read.record) === true ? read.scope.accountId : [],
      ),
    );
    return records.map((read) =>
      'record' in read
        ? { scope: read.scope, settings: this.#settings(read.scope, read.record, withEpics.has(read.scope.accountId)) }
        : read,
    );
  }

  /**
   * Carries plans out, with one PUT each and none where there is nothing to change. Before it is sent, the settings are read
   * once more: what was changed elsewhere since the plan is not overwritten.
   *
   * @param signal keeps what has not begun from being sent; such plans fail with its reason.
   */
  async apply(plans: readonly ScopePlan[], { signal, onStep }: ManyOptions = {}): Promise<ScopeOutcome[]> {
    return await mapBounded(plans, requestsAtOnce, async (plan) => {
      try {
        signal?.throwIfAborted();
        return await this.#applyOne(plan);
      } catch (error) {
        return { kind: 'failed', plan, error };
      } finally {
        onStep?.();
      }
    });
  }

  async #applyOne(plan: ScopePlan): Promise<ScopeOutcome> {
    const { scope, before, change } = plan;
    const now = await this.#readOne(scope, before);
    if (!matches(snapshotOf(before), now)) {
      return { kind: 'changedMeanwhile', plan, now };
    }
    if (Object.keys(change).length === 0) {
      return { kind: 'done', plan, after: now, missing: [] };
    }
    try {
      const { client } = await this.#connections.of(scope.accountId);
      const record = await client.notificationSettings.update(apiScope(scope), change);
      const after = this.#settings(scope, record, 'new_epic' in before.flags);
      return { kind: 'done', plan, after, missing: verify(change, after).missing };
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'unavailable') {
        return await this.#lookAgain(plan, error);
      }
      throw error;
    }
  }

  /** The request may have been acted on: what counts is what the instance says now. */
  async #lookAgain(plan: ScopePlan, error: unknown): Promise<ScopeOutcome> {
    const after = await this.#readOne(plan.scope, plan.before).catch(() => undefined);
    return after && verify(plan.change, after).missing.length === 0
      ? { kind: 'done', plan, after, missing: [] }
      : { kind: 'failed', plan, error };
  }

  async #readOne(scope: NotificationScope, known: Settings): Promise<Settings> {
    const { client } = await this.#connections.of(scope.accountId);
    const record = await client.notificationSettings.get(apiScope(scope));
    return this.#settings(scope, record, 'new_epic' in known.flags);
  }

  #settings(scope: NotificationScope, record: SettingsRecord, offersEpics: boolean): Settings {
    return settingsOf(scope.kind, record, offersEpics);
  }
}
