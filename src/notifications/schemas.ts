import * as z from 'zod/mini';
import { isFullPath } from '../api/grammar.ts';
import type { NotificationScope } from './scope.ts';
import { isTextField, type Settings, type Value } from './settings.ts';

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
export const fieldName = /^[a-z][a-z0-9_]{1,200}$/;
const field = z.string().check(z.regex(fieldName, 'Not the name of a field'));

function isTyped(fields: Readonly<Record<string, Value>>): boolean {
  return Object.entries(fields).every(
    ([name, value]) =>
      (value ?? undefined) === undefined || typeof value === (isTextField(name) ? 'string' : 'boolean'),
  );
}

export const changeSchema = z.record(field, z.union([text, z.boolean()])).check(z.refine(isTyped));

export const editSchema = z.record(field, z.union([text, z.boolean(), z.null()])).check(z.refine(isTyped));

export const settingsSchema = z
  .record(field, z.optional(z.union([text, z.boolean(), z.null()])))
  .check(z.refine((fields) => isTyped(fields) && Boolean(fields['level']))) as unknown as z.ZodMiniType<Settings>;
