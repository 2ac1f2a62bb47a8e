import * as z from 'zod/mini';
import type { NotificationScope } from './scope.ts';
import { changeTo, type Edit, flagOf, flags, isEmptyChange, isTextField, type Settings } from './settings.ts';

/** A scope in messages of the page, in what is kept, and as the argument of a command. */
export const scopeSchema: z.ZodMiniType<NotificationScope> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global'), accountId: z.string() }),
  z.object({ kind: z.enum(['group', 'project']), accountId: z.string(), id: z.int(), path: z.string() }),
]);

export const settingsSchema: z.ZodMiniType<Settings> = z.object({
  level: z.string(),
  email: z.optional(z.string()),
  flags: z.record(z.string(), z.enum(flags)),
});

const text = z.string().check(z.maxLength(1000));

function isTyped(fields: Edit): boolean {
  return Object.entries(fields).every(
    ([field, value]) => value === null || typeof value === (isTextField(field) ? 'string' : 'boolean'),
  );
}

export const editSchema = z
  .record(z.string(), z.union([text, z.boolean(), z.null()]))
  .check(z.refine((fields) => isTyped(fields)));

export const changeSchema = z
  .record(z.string(), z.union([text, z.boolean()]))
  .check(z.refine((fields) => isTyped(fields)));

const storedEvent = z.string().check(z.regex(/^[a-z][a-z0-9_]{1,80}$/, 'Not the name of a notification event'));

/** Settings as they are in profiles and in files that a user exports. What is unknown is left out. */
export const storedSettingsSchema = z.strictObject({
  level: z.string().check(z.minLength(1), z.maxLength(100)),
  notification_email: z.optional(z.string().check(z.maxLength(320))),
  /** The events that were on or off. */
  events: z.optional(z.record(storedEvent, z.boolean())),
  /** The events that stood at the platform's default. */
  defaults: z.optional(z.array(storedEvent)),
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

/** Settings in the form in which they are stored. */
export function toStored(settings: Settings): StoredSettings {
  const { level, notification_email: email, ...events } = changeTo(settings);
  const defaults = Object.entries(settings.flags).flatMap(([event, flag]) => (flag === 'default' ? event : []));
  return {
    level: String(level),
    ...(email === undefined ? {} : { notification_email: String(email) }),
    ...(isEmptyChange(events) ? {} : { events: events as Record<string, boolean> }),
    ...(defaults.length > 0 ? { defaults } : {}),
  };
}

/** Settings that were stored. */
export function fromStored({ level, notification_email: email, events = {}, defaults = [] }: StoredSettings): Settings {
  const entries = [
    ...defaults.map((event) => [event, 'default'] as const),
    ...Object.entries(events).map(([event, value]) => [event, flagOf(value)] as const),
  ];
  return { level, email, flags: Object.fromEntries(entries) };
}
