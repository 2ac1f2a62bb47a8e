import type { Flag, Settings } from './settings.ts';

/** What a person has chosen and not saved yet. What equals the settings is a choice, too, but no change. */
export interface Draft {
  readonly level?: string | undefined;
  readonly email?: string | undefined;
  /** The events that were switched. */
  readonly flags: Readonly<Record<string, boolean>>;
}

export const emptyDraft: Draft = { flags: {} };

/** One step of a person; null leaves the event as it is. */
export type Edit =
  | { readonly level: string }
  | { readonly email: string }
  | { readonly flags: Readonly<Record<string, boolean | null>> };

/** What a request changes, by the names of the API: the body of the PUT (section 4.3). */
export type Change = Readonly<Record<string, string | boolean>>;

/** A draft after a step. */
export function applyEdit(draft: Draft, edit: Edit): Draft {
  if ('flags' in edit) {
    const flags = { ...draft.flags, ...edit.flags };
    const chosen = Object.entries(flags).filter((entry): entry is [string, boolean] => entry[1] !== null);
    return { ...draft, flags: Object.fromEntries(chosen) };
  }
  return { ...draft, ...edit };
}

/** The level that is chosen, or else the one that holds. */
export function levelOf(settings: Settings, draft: Draft): string {
  return draft.level ?? settings.level;
}

/** How an event is shown: as chosen, or else as it is known to be. */
export function shownFlag(settings: Settings, draft: Draft, event: string): Flag {
  const chosen = draft.flags[event];
  return chosen === undefined ? (settings.flags[event] ?? 'unknown') : flagOf(chosen);
}

/**
 * What a save sends: what differs from the settings, and nothing else. Events are sent where the level is `custom`, the only
 * one with which they can be seen; see `heldBack`.
 */
export function changeOf(settings: Settings, draft: Draft): Change {
  const { level, email } = draft;
  return {
    ...(level !== undefined && level !== settings.level ? { level } : {}),
    ...(email !== undefined && settings.email !== undefined && email.trim() !== settings.email
      ? { notification_email: email.trim() }
      : {}),
    ...(levelOf(settings, draft) === 'custom' ? switched(settings, draft) : {}),
  };
}

/** The events that were switched and that no save sends, because the level that is chosen is not `custom`. */
export function heldBack(settings: Settings, draft: Draft): readonly string[] {
  return levelOf(settings, draft) === 'custom' ? [] : Object.keys(switched(settings, draft));
}

/** The events of a change whose default is overwritten for good: null cannot be written back (section 2.9). */
export function overwrittenDefaults(settings: Settings, change: Change): readonly string[] {
  return Object.keys(change).filter((field) => settings.flags[field] === 'default');
}

export function isEmpty(change: Change): boolean {
  return Object.keys(change).length === 0;
}

/** What is left of a draft after a change was saved: choices that were not part of it, and none that hold already. */
export function draftAfter(draft: Draft, saved: Change, settings: Settings): Draft {
  const { level, email } = draft;
  const flags = Object.entries(draft.flags).filter(
    ([event, value]) => saved[event] !== value && settings.flags[event] !== flagOf(value),
  );
  return {
    ...(level !== undefined && level !== saved['level'] && level !== settings.level ? { level } : {}),
    ...(email !== undefined && email.trim() !== saved['notification_email'] && email.trim() !== settings.email
      ? { email }
      : {}),
    flags: Object.fromEntries(flags),
  };
}

/** A draft without the choices for some fields, by their names in the API. */
export function draftWithout(draft: Draft, fields: readonly string[]): Draft {
  const { level, email, flags } = draft;
  return {
    ...(level !== undefined && !fields.includes('level') ? { level } : {}),
    ...(email !== undefined && !fields.includes('notification_email') ? { email } : {}),
    flags: Object.fromEntries(Object.entries(flags).filter(([event]) => !fields.includes(event))),
  };
}

function switched(settings: Settings, draft: Draft): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(draft.flags).filter(
      ([event, value]) => event in settings.flags && settings.flags[event] !== flagOf(value),
    ),
  );
}

function flagOf(value: boolean): Flag {
  return value ? 'on' : 'off';
}
