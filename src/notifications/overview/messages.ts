import * as z from 'zod/mini';
import type { Mails, NoiseState } from '../noise/mails.ts';

const levels = z.array(z.object({ key: z.string(), level: z.string() }));

/** A message from the page to the host. */
export const fromOverviewSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('act'),
    action: z.enum([
      'reload',
      'export',
      'import',
      'pinProject',
      'pinGroup',
      'more',
      'readNoise',
      'cancelNoise',
      'fixNoise',
      'fix',
      'trySandbox',
      'openInUse',
    ]),
  }),
  /** Fixes why the settings of a row could not be read, or reads everything again. */
  z.object({ type: z.literal('fixRow'), key: z.string() }),
  /** Opens the form of a scope. */
  z.object({ type: z.literal('open'), key: z.string() }),
  /** Reviews and sends these levels. */
  z.object({ type: z.literal('change'), changes: levels }),
  /** Shows what these levels, which are not saved, would mean. */
  z.object({ type: z.literal('choose'), changes: levels }),
]);
export type FromOverview = z.infer<typeof fromOverviewSchema>;

/** What a row shows. */
export interface RowState {
  readonly key: string;
  readonly kind: 'global' | 'group' | 'project';
  /** The full path; of global settings their name. */
  readonly name: string;
  /** The label of why it is listed. */
  readonly place: string;
  /** The label of the profile that holds for a while. */
  readonly profile?: string | undefined;
  /** Undefined if the settings could not be read. */
  readonly level?: string | undefined;
  /** The label of the level in effect and where it is set, with what was chosen in any row. */
  readonly effect: string;
  /** Whether that holds only once what was chosen is saved. */
  readonly isPending: boolean;
  readonly inherited: string;
  /** The label of what the level in effect lets through. */
  readonly events: string;
  /** What the level in effect sends; undefined if that was not read. */
  readonly mails?: Mails | undefined;
  readonly problem?: string | undefined;
  /** The label of the button that fixes it. */
  readonly remedy?: string | undefined;
}

/** A message from the host to the page: all that it shows. */
export interface ToOverview {
  readonly account: string;
  /** The account that the window works with, if that is another one. */
  readonly otherAccount?: string | undefined;
  /** Whether the account is signed out, so that nothing can be changed. */
  readonly isSignedOut: boolean;
  /** `reviewing` until the user has confirmed what is then changed. */
  readonly phase: 'loading' | 'ready' | 'reviewing' | 'changing';
  /** What became of the last changes, in a sentence. */
  readonly result?: string | undefined;
  /** How many scopes were read while loading. */
  readonly progress?: { readonly done: number; readonly total: number } | undefined;
  readonly noise?: NoiseState | undefined;
  readonly rows: readonly RowState[];
  /** Whether the user has more projects than are listed. */
  readonly hasMore: boolean;
  readonly levels: readonly { readonly value: string; readonly name: string }[];
  /** Something that went wrong, in sentences. */
  readonly problems: readonly string[];
  /** The label of the button that fixes it. */
  readonly remedy?: string | undefined;
}
