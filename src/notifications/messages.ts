import * as z from 'zod/mini';
import type { ProblemState, TableState } from './pageState.ts';
import { editSchema } from './settings.ts';

const keys = () => z.array(z.string());
const actions = [
  'reload',
  'cancel',
  'showAll',
  'more',
  'other',
  'openInUse',
  'profiles',
  'export',
  'import',
  'mails',
] as const;

/** A message from the page to the host. Keys are those of scopes. */
export const fromPageSchema = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    z.object({ type: z.literal('select'), keys: keys() }),
    z.object({ type: z.literal('edit'), keys: keys(), edit: editSchema() }),
    /** Takes back what was chosen, or keeps it although the settings were changed elsewhere. */
    z.object({ type: z.enum(['discard', 'keep']), keys: keys() }),
    /** Sends what the page shows. `seen` is that of the state that it shows. */
    z.object({ type: z.literal('save'), seen: z.int() }),
    /** Fixes why a scope could not be read, or what is in the way of all. */
    z.object({ type: z.literal('fix'), key: z.optional(z.string()) }),
    z.object({ type: z.literal('answer'), title: z.string() }),
    z.object({ type: z.literal('act'), action: z.enum(actions) }),
  ]);
export type FromPage = z.infer<ReturnType<typeof fromPageSchema>>;
export type PageAction = Extract<FromPage, { readonly type: 'act' }>['action'];

/** A message from the host to the page: all that it shows. */
export interface ToPage extends TableState {
  /** Empty where there is one alone. */
  readonly account: string;
  readonly kept: { readonly scope: object; readonly isAll: boolean };
  /** Said where the window works with another account, with the button that follows it. */
  readonly banner?: ProblemState | undefined;
  readonly phase: 'loading' | 'ready' | 'saving';
  /** Whether all scopes are listed, rather than those that were opened. */
  readonly isAll: boolean;
  /** Another number each time that a save would send something else for another reason than what is chosen in this page. */
  readonly seen: number;
  readonly hasMore: boolean;
  readonly problems: readonly ProblemState[];
  readonly canSave: boolean;
  /** What became of the last save, and the labels of the buttons for it. */
  readonly message?:
    | { readonly isWarning: boolean; readonly sentence: string; readonly actions: readonly string[] }
    | undefined;
  readonly mails: {
    readonly isReading: boolean;
    readonly isShown: boolean;
    /** That it is under way, why it failed, or how it is estimated. */
    readonly note: string;
  };
}
