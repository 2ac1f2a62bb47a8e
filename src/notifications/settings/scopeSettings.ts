import * as z from 'zod/mini';
import type { Connections } from '../../accounts/connections.ts';
import { isApiError } from '../../api/errors.ts';
import {
  apiScope,
  type Change,
  changeOf,
  type Draft,
  isEmptyChange,
  type NotificationScope,
  overwrittenDefaults,
  type Settings,
  settingsOf,
  type SettingsRecord,
  includesEpics,
  verify,
} from './settings.ts';

/** Whether something failed because the user cancelled it. */
export function isCancellation(error: unknown): boolean {
  return isApiError(error) ? error.reason === 'aborted' : error instanceof Error && error.name === 'AbortError';
}

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

const eventName = z.string().check(z.regex(/^[a-z][a-z0-9_]{1,80}$/, 'Not the name of a notification event'));

/** What can be kept of the notification settings of a scope. */
export const snapshotSchema = z.strictObject({
  level: z.string().check(z.minLength(1), z.maxLength(100)),
  notification_email: z.optional(z.string().check(z.maxLength(320))),
  /** The events that were on or off. */
  events: z.optional(z.record(eventName, z.boolean())),
  /** The events that stood at the platform's default, which cannot be written back. */
  defaults: z.optional(z.array(eventName)),
});

/** What can be kept of the notification settings of a scope, and put back later as far as the API allows. */
export type Snapshot = z.infer<typeof snapshotSchema>;

/** A scope as it is kept. */
export const storedScopeSchema: z.ZodMiniType<NotificationScope> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global'), accountId: z.string() }),
  z.object({ kind: z.enum(['group', 'project']), accountId: z.string(), id: z.int(), path: z.string() }),
]);

/** A scope with what is kept of its settings. */
export const keptScopeSchema = z.object({ scope: storedScopeSchema, snapshot: snapshotSchema });
export type KeptScope = z.infer<typeof keptScopeSchema>;

/** What can be stored of settings. Unknown events are left out: there would be no value to restore. */
export function snapshotOf({ level, email, flags }: Settings): Snapshot {
  const entries = Object.entries(flags);
  const known = entries.filter(([, flag]) => flag === 'on' || flag === 'off');
  const defaults = entries.filter(([, flag]) => flag === 'default').map(([event]) => event);
  return {
    level,
    ...(email === undefined ? {} : { notification_email: email }),
    ...(known.length > 0 ? { events: Object.fromEntries(known.map(([event, flag]) => [event, flag === 'on'])) } : {}),
    ...(defaults.length > 0 ? { defaults } : {}),
  };
}

/** The choices that lead to a snapshot. */
function draftOf({ level, notification_email: email, events }: Snapshot): Draft {
  return { level, ...(email === undefined ? {} : { email }), flags: events ?? {} };
}

/** Whether settings are as a snapshot has them, as far as both can be seen. */
export function matches(snapshot: Snapshot, settings: Settings): boolean {
  const { level, notification_email: email, events = {}, defaults = [] } = snapshot;
  const flagsMatch = Object.entries(settings.flags).every(([event, flag]) => {
    if (flag === 'unknown') {
      return true;
    }
    return flag === 'default'
      ? events[event] === undefined
      : (events[event] ?? flag === 'on') === (flag === 'on') && !defaults.includes(event);
  });
  return level === settings.level && (email === undefined || email === settings.email) && flagsMatch;
}

/** What a plan cannot do, or cannot undo; shown before anything is sent. */
export interface PlanNote {
  readonly kind:
    | 'overwritesDefault' // the default cannot be put back later
    | 'overwritesHidden' // the level hides how they stand, so that it cannot be put back later
    | 'defaultNotRestored' // it is to be at its default, which cannot be written
    | 'notOffered' // the scope has no such event
    | 'eventsUnreadable'; // ~the states of the events are not known
  readonly events: readonly string[];
}

/** What is to be sent for one scope, by the settings that were read. */
export interface ScopePlan {
  readonly scope: NotificationScope;
  readonly before: Settings;
  /** The body of the one PUT: what differs, and nothing else. Empty if all is as it should be. */
  readonly change: Change;
  readonly notes: readonly PlanNote[];
}

/** Plans what brings a scope from the settings that were read to a snapshot. */
export function planFor(scope: NotificationScope, before: Settings, wanted: Snapshot): ScopePlan {
  const change = changeOf(before, draftOf(wanted));
  const isCustom = wanted.level === 'custom';
  const { events = {}, defaults = [] } = wanted;
  const candidates: readonly PlanNote[] = [
    { kind: 'overwritesDefault', events: overwrittenDefaults(before, change) },
    { kind: 'overwritesHidden', events: Object.keys(change).filter((field) => before.flags[field] === 'unknown') },
    {
      kind: 'defaultNotRestored',
      events: isCustom ? defaults.filter((event) => before.flags[event] !== 'default' && event in before.flags) : [],
    },
    { kind: 'notOffered', events: isCustom ? Object.keys(events).filter((event) => !(event in before.flags)) : [] },
  ];
  const isUnreadable = isCustom && Object.keys(events).length === 0 && defaults.length === 0;
  return {
    scope,
    before,
    change,
    notes: [
      ...candidates.filter((note) => note.events.length > 0),
      ...(isUnreadable ? [{ kind: 'eventsUnreadable', events: [] } as const] : []),
    ],
  };
}

/** Whether there is nothing to send. */
export function changesNothing({ change }: ScopePlan): boolean {
  return isEmptyChange(change);
}

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
        'record' in read && includesEpics(read.scope.kind, read.record) === true ? read.scope.accountId : [],
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
      if (isApiError(error) && error.reason === 'unavailable') {
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
