import * as z from 'zod/mini';
import { changeSchema, editSchema, scopeSchema, settingsSchema } from '../settings/settings.ts';

/** An edit by the user. Edits have increasing numbers, so that one that is sent again counts once. */
export const numberedEditSchema = z.object({ scope: z.string(), number: z.number(), edit: editSchema });
export type NumberedEdit = z.infer<typeof numberedEditSchema>;

/** A message from the form to the host. `scope` is the key of the scope that was shown when the user acted. */
export const fromFormSchema = z.discriminatedUnion('type', [
  /** The form has loaded. `unconfirmed` are edits that the host has not confirmed to the form before. */
  z.object({ type: z.literal('ready'), unconfirmed: z.array(numberedEditSchema) }),
  z.object({ type: z.literal('edit'), edit: numberedEditSchema }),
  z.object({
    type: z.literal('act'),
    action: z.enum(['save', 'undo', 'discard', 'reload', 'cancel', 'fix', 'keepDraft', 'useOtherDraft']),
    scope: z.string(),
  }),
  /** Goes on after a conflict, without the choices for these fields. */
  z.object({ type: z.literal('resolve'), scope: z.string(), discardedFields: z.array(z.string()) }),
  z.object({ type: z.literal('chooseScope') }),
  /** Shows the global settings of the account that the window works with. */
  z.object({ type: z.literal('openInUse') }),
]);
export type FromForm = z.infer<typeof fromFormSchema>;

const noticeSchema = z.object({
  severity: z.enum(['success', 'info', 'warning', 'error']),
  sentence: z.string(),
  details: z.array(z.string()),
  /** The label of the button that fixes it. */
  remedy: z.optional(z.string()),
});
export type Notice = z.infer<typeof noticeSchema>;

/** A message from the host to the form: all that it shows. */
export const toFormSchema = z.object({
  type: z.literal('state'),
  scope: scopeSchema,
  scopeKey: z.string(),
  /** The account, and if that does not name it, the instance. */
  account: z.string(),
  /** The account that the window works with, if that is another one. */
  otherAccount: z.optional(z.string()),
  phase: z.enum(['loading', 'ready', 'saving']),
  settings: z.optional(settingsSchema),
  /** What the level `global` stands for here, such as `Watch, from group harbor`; undefined if it is not known. */
  inherited: z.optional(z.string()),
  draft: changeSchema,
  /** What another window has chosen at the same time. */
  otherDraft: z.optional(changeSchema),
  /** The number of the last edit in the draft. */
  confirmed: z.number(),
  notice: z.optional(noticeSchema),
  /** What the platform says of a field, by its name in the API. */
  fieldErrors: z.record(z.string(), z.string()),
  /** The settings that were found elsewhere than they were read. */
  conflict: z.optional(settingsSchema),
  /** Sentences on what undoing the last save does, and what it cannot; whether it does anything. */
  undo: z.optional(z.object({ sentences: z.array(z.string()), isPossible: z.boolean() })),
  /** Events that the platform does not show, as they were last set from here, with the formatted day. */
  written: z.record(z.string(), z.object({ value: z.boolean(), day: z.string() })),
});
export type ToForm = z.infer<typeof toFormSchema>;
