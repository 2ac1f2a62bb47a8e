import * as z from 'zod/mini';
import type { Mails, NoiseState } from './mails.ts';

/** A message from the page to the host. */
export const fromNoiseSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('act'), action: z.enum(['read', 'cancel', 'fix']) }),
  /** Opens the form of a scope. */
  z.object({ type: z.literal('open'), key: z.string() }),
  /** Reviews and sends these levels. */
  z.object({ type: z.literal('change'), changes: z.array(z.object({ key: z.string(), level: z.string() })) }),
]);
export type FromNoise = z.infer<typeof fromNoiseSchema>;

/** A level that can be tried. */
interface Choice {
  readonly level: string;
  readonly name: string;
  /** The name, and for the level `global` what it stands for. */
  readonly title: string;
  readonly mails: Mails;
}

/** A project, and what each level would send of it. */
export interface ProjectState {
  readonly key: string;
  /** The full path. */
  readonly name: string;
  /** Undefined if the settings could not be read. */
  readonly level?: string | undefined;
  /** The levels that can be tried; the one that holds is among them. */
  readonly choices: readonly Choice[];
  readonly problem?: string | undefined;
}

/** A message from the host to the page: all that it shows. */
export interface ToNoise {
  readonly account: string;
  /** `reviewing` until the user has confirmed what is then changed. */
  readonly phase: 'loading' | 'ready' | 'reviewing' | 'changing';
  readonly noise: NoiseState;
  /** How many scopes were read while their settings are read. */
  readonly progress?: { readonly done: number; readonly total: number } | undefined;
  /** The loudest first, by what most activity sends. */
  readonly projects: readonly ProjectState[];
  /** How many more projects there are, of which the settings are not read. */
  readonly more: number;
  /** Why the settings could not be read. */
  readonly problem?: string | undefined;
  /** The label of the button that fixes it. */
  readonly remedy?: string | undefined;
}
