import * as z from 'zod/mini';
import type { Draft } from '../model/change.ts';
import type { NotificationScope } from '../model/scope.ts';
import type { Settings } from '../model/settings.ts';

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
export const scopeSchema: z.ZodMiniType<NotificationScope> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global'), accountId: z.string() }),
  z.object({ kind: z.enum(['group', 'project']), accountId: z.string(), id: z.int(), path: z.string() }),
]);

/** A scope with what is kept of its settings. */
export const keptScopeSchema = z.object({ scope: scopeSchema, snapshot: snapshotSchema });
export type KeptScope = z.infer<typeof keptScopeSchema>;

/** What can be kept of settings. Events that are unknown are left out: nobody could tell what to put back. */
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
export function draftOf({ level, notification_email: email, events }: Snapshot): Draft {
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
