import * as z from 'zod/mini';
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

/** Something that went wrong, and the label of the button that fixes it. */
export interface ProblemState {
  readonly sentence: string;
  readonly remedy?: string | undefined;
}

export interface RowState {
  readonly key: string;
  /** The full path; of global settings their name. */
  readonly name: string;
  readonly note: string;
  /** The labels of the level, as chosen, and of what that means here, with its source. */
  readonly level: string;
  readonly effect: string;
  /** E-mails a week, as far as they are known. */
  readonly mails?: number | undefined;
  readonly isSelected: boolean;
  readonly isModified: boolean;
  readonly problem?: ProblemState | undefined;
}

export interface LevelState {
  readonly value: string;
  readonly name: string;
  readonly meaning: string;
  readonly mails?: number | undefined;
}

export interface EventState {
  readonly event: string;
  readonly name: string;
  readonly meaning: string;
  /** As chosen; undefined where it is neither on nor off, or the scopes differ. */
  readonly isOn?: boolean | undefined;
  /** What is said where it is neither on nor off, and what it was if it was changed. */
  readonly note: string;
  readonly isModified: boolean;
  readonly mails?: number | undefined;
}

export interface FieldsState {
  /** The level as chosen; empty where the scopes differ. */
  readonly level: string;
  readonly levels: readonly LevelState[];
  readonly levelNote: string;
  readonly email?: { readonly value: string; readonly note: string; readonly isModified: boolean } | undefined;
  /** Empty unless the level is Custom. */
  readonly subjects: readonly { readonly subject: string; readonly events: readonly EventState[] }[];
  readonly notes: readonly string[];
}

export interface FormState {
  readonly keys: readonly string[];
  readonly title: string;
  readonly problem?: ProblemState | undefined;
  /** Undefined if nothing could be read. */
  readonly fields?: FieldsState | undefined;
  /** What was changed elsewhere since the draft was made; `take` is the label of the button that takes the value that is there. */
  readonly conflicts: readonly {
    readonly field: string;
    readonly sentence: string;
    readonly take?: string | undefined;
  }[];
}

/** A message from the host to the page: all that it shows. */
export interface ToPage {
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
  readonly rows: readonly RowState[];
  readonly hasMore: boolean;
  readonly problems: readonly ProblemState[];
  readonly form?: FormState | undefined;
  readonly changes: readonly { readonly key: string; readonly name: string; readonly sentences: readonly string[] }[];
  readonly cautions: readonly string[];
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
