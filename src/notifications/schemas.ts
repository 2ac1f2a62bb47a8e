import * as z from 'zod/mini';
import { isFullPath } from '../api/grammar.ts';
import type { NotificationScope } from './scope.ts';
import { type Edit, flags, isTextField, type Settings } from './settings.ts';

/** A scope in messages of the page, in what is kept, and as the argument of a command. */
export const scopeSchema: z.ZodMiniType<NotificationScope> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global'), accountId: z.string() }),
  z.object({
    kind: z.enum(['group', 'project']),
    accountId: z.string(),
    id: z.int(),
    path: z.string().check(z.refine(isFullPath)),
  }),
]);

const text = z.string().check(z.maxLength(1000));
const event = z.string().check(z.regex(/^[a-z][a-z0-9_]{1,200}$/, 'Not the name of a notification event'));

/** Settings in drafts, in profiles and in files that a user exports. */
export const settingsShape = {
  level: text.check(z.minLength(1)),
  email: z.optional(text),
  flags: z.record(event, z.enum(flags)),
};
export const settingsSchema: z.ZodMiniType<Settings> = z.object(settingsShape);

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
