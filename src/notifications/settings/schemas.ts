import * as z from 'zod/mini';
import { type Edit, flags, isTextField, type NotificationScope, type Settings } from './settings.ts';

// Apart from `settings.ts`, which the form's page loads and needs no zod for.

/** A scope in messages of webviews, in what was stored, and as the argument of a command. */
export const scopeSchema: z.ZodMiniType<NotificationScope> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global'), accountId: z.string() }),
  z.object({ kind: z.enum(['group', 'project']), accountId: z.string(), id: z.int(), path: z.string() }),
]);

export const settingsSchema: z.ZodMiniType<Settings> = z.object({
  level: z.string(),
  email: z.optional(z.string()),
  flags: z.record(z.string(), z.enum(flags)),
});

function isTyped(fields: Edit): boolean {
  return Object.entries(fields).every(
    ([field, value]) => value === null || typeof value === (isTextField(field) ? 'string' : 'boolean'),
  );
}

const text = z.string().check(z.maxLength(1000));

export const editSchema = z
  .record(z.string(), z.union([text, z.boolean(), z.null()]))
  .check(z.refine((fields) => isTyped(fields)));

export const changeSchema = z
  .record(z.string(), z.union([text, z.boolean()]))
  .check(z.refine((fields) => isTyped(fields)));
