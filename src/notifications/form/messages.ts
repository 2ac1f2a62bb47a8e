import * as z from 'zod/mini';
import type { Mails, NoiseState, ScopeMails } from '../noise/mails.ts';
import { editSchema } from '../settings/schemas.ts';
import { type Change, type NotificationScope, type Settings } from '../settings/settings.ts';

/** A message from the form to the host. `scope` is the key of the scope that was shown when the user acted. */
export const fromFormSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('edit'), scope: z.string(), edit: editSchema }),
  z.object({
    type: z.literal('act'),
    action: z.enum([
      'save',
      'undo',
      'discard',
      'reload',
      'cancel',
      'fix',
      'keepDraft',
      'useOtherDraft',
      'readNoise',
      'cancelNoise',
      'fixNoise',
    ]),
    scope: z.string(),
  }),
  /** Goes on after a conflict, without the choices for these fields. */
  z.object({ type: z.literal('resolve'), scope: z.string(), discardedFields: z.array(z.string()) }),
  z.object({ type: z.literal('chooseScope') }),
  /** Shows the global settings of the account that the window works with, or of `ableAccount`. */
  z.object({ type: z.literal('openOther') }),
]);
export type FromForm = z.infer<typeof fromFormSchema>;

export interface Notice {
  readonly severity: 'success' | 'info' | 'warning' | 'error';
  readonly sentence: string;
  readonly details: readonly string[];
  /** The label of the button that fixes it. */
  readonly remedy?: string | undefined;
}

/** A message from the host to the form: all that it shows. */
export interface ToForm {
  readonly scope: NotificationScope;
  readonly scopeKey: string;
  /** The account, and if that does not name it, the instance. */
  readonly account: string;
  /** The account that the window works with, if that is another one. */
  readonly otherAccount?: string | undefined;
  /** Another account whose token may read settings, where that of the form's, which is the window's, may not. */
  readonly ableAccount?: string | undefined;
  readonly phase: 'loading' | 'ready' | 'saving';
  readonly settings?: Settings | undefined;
  /** What the level `global` stands for here, such as `Watch, from group harbor`; undefined if it is not known. */
  readonly inherited?: string | undefined;
  readonly noise?: NoiseState | undefined;
  /** What each level and event sends; undefined if that was not read. */
  readonly mails?: ScopeMails | undefined;
  /** What the level `global` sends here. */
  readonly inheritedMails?: Mails | undefined;
  readonly draft: Change;
  /** What another window has chosen since. */
  readonly otherDraft?: Change | undefined;
  /** How many edits the host has taken since the page was ready: the draft has them. */
  readonly taken: number;
  readonly notice?: Notice | undefined;
  /** Whether nothing can be saved until the user signs in to the account again. */
  readonly isSignedOut: boolean;
  /** What the platform says of a field, by its name in the API. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  /** The settings that were found elsewhere than they were read. */
  readonly conflict?: Settings | undefined;
  /** Says what undoing the last save does, and what it cannot; whether it does anything. */
  readonly undo?: { readonly sentence: string; readonly isPossible: boolean } | undefined;
}
