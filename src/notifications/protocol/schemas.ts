import * as z from 'zod/mini';

/** Schemas of the model, for what crosses a border: messages of webviews, what was stored, arguments of commands. */

export const scopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('global'), accountId: z.string() }),
  z.object({ kind: z.enum(['group', 'project']), accountId: z.string(), id: z.int(), path: z.string() }),
]);

export const settingsSchema = z.object({
  level: z.string(),
  email: z.optional(z.string()),
  flags: z.record(z.string(), z.enum(['on', 'off', 'default', 'unknown'])),
});

export const draftSchema = z.object({
  level: z.optional(z.string()),
  email: z.optional(z.string()),
  flags: z.record(z.string(), z.boolean()),
});

export const changeSchema = z.record(z.string(), z.union([z.string(), z.boolean()]));

export const editSchema = z.union([
  z.object({ level: z.string() }),
  z.object({ email: z.string().check(z.maxLength(1000)) }),
  z.object({ flags: z.record(z.string(), z.nullable(z.boolean())) }),
]);
