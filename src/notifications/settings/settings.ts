import { notificationEvents } from '../../api/notificationVocabulary.ts';

/** Whose notification settings: those that hold everywhere for an account, or those of one group or project. */
export type NotificationScope =
  | { readonly kind: 'global'; readonly accountId: string }
  | {
      readonly kind: 'group' | 'project';
      readonly accountId: string;
      /** The numeric id on the instance, which survives a move. */
      readonly id: number;
      /** The full path when it was last seen. */
      readonly path: string;
    };

/** The unique key of a scope, also after a move. For maps and stores. */
export function scopeKey(scope: NotificationScope): string {
  return scope.kind === 'global' ? `${scope.accountId} global` : `${scope.accountId} ${scope.kind} ${String(scope.id)}`;
}

/** How the API client names a scope. */
export function apiScope(
  scope: NotificationScope,
): 'global' | { readonly group: number } | { readonly project: number } {
  if (scope.kind === 'global') {
    return 'global';
  }
  return scope.kind === 'group' ? { group: scope.id } : { project: scope.id };
}

/**
 * What is known of the switch of an event: on, off, `default` where the platform's default applies (null, which cannot be
 * written back), and `unknown` where the platform does not tell.
 */
export type Flag = 'on' | 'off' | 'default' | 'unknown';

/** The notification settings of a scope as they were read. */
export interface Settings {
  /** One of the levels that the platform documents, or one that came later. */
  readonly level: string;
  /** The address that e-mails go to; undefined but in global settings. */
  readonly email?: string | undefined;
  /** Every event that can be switched in this scope. */
  readonly flags: Readonly<Record<string, Flag>>;
}

/**
 * The record of the API, as far as it matters here.
 *
 * @see https://docs.gitlab.com/api/notification_settings/
 */
export interface SettingsRecord {
  readonly level: string;
  readonly notification_email?: string | null | undefined;
  readonly events?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * What a record says.
 *
 * @param offersEpics whether the instance's tier has epics by other records; the record itself takes precedence.
 */
export function settingsOf(
  kind: 'global' | 'group' | 'project',
  record: SettingsRecord,
  offersEpics: boolean,
): Settings {
  const { level, notification_email: email, events } = record;
  const shown = events ?? {};
  const offered = notificationEvents.filter(
    (event) => event !== 'new_epic' || (events ? 'new_epic' in shown : offersEpics),
  );
  const unknownEvents = Object.keys(shown)
    .filter((event) => eventName.test(event) && !notificationEvents.some((known) => known === event))
    .slice(0, mostUnknownEvents);
  return {
    level,
    email: kind === 'global' ? (email ?? '') : undefined,
    flags: Object.fromEntries([...offered, ...unknownEvents].map((event) => [event, flagOf(shown[event])])),
  };
}

/** So many events may have come later: each is a row of the form. */
const mostUnknownEvents = 100;
/** What events that came later are called. Keeps out names that mean something to every object. */
const eventName = /^[a-z]{1,30}(_[a-z0-9]{1,30}){1,6}$/;

function flagOf(value: unknown): Flag {
  if (typeof value === 'boolean') {
    return value ? 'on' : 'off';
  }
  return value === null ? 'default' : 'unknown';
}

/**
 * Whether a record tells that the tier has epics: `new_epic` stands in records of Premium and Ultimate alone.
 *
 * @returns undefined if the record does not show it: its events are not shown, or it is a project's, which may lack it on
 *   any tier.
 */
export function includesEpics(kind: 'global' | 'group' | 'project', { events }: SettingsRecord): boolean | undefined {
  if (!events) {
    return undefined;
  }
  return 'new_epic' in events ? true : kind === 'project' ? undefined : false;
}

/** What a user has chosen and not saved yet. What equals the settings is a choice, too, but no change. */
export interface Draft {
  readonly level?: string | undefined;
  readonly email?: string | undefined;
  /** The events that were switched. */
  readonly flags: Readonly<Record<string, boolean>>;
}

export const emptyDraft: Draft = { flags: {} };

/** One edit by the user; null leaves the event as it is. */
export type Edit =
  | { readonly level: string }
  | { readonly email: string }
  | { readonly flags: Readonly<Record<string, boolean | null>> };

/** What a request changes, by the names of the API: the body of the PUT. */
export type Change = Readonly<Record<string, string | boolean>>;

/** A draft after an edit. */
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

/**
 * The events of a change whose default is overwritten for good: null cannot be written back.
 *
 * @see https://docs.gitlab.com/api/rest/#null-vs-false
 */
export function overwrittenDefaults(settings: Settings, change: Change): readonly string[] {
  return Object.keys(change).filter((field) => settings.flags[field] === 'default');
}

export function isEmptyChange(change: Change): boolean {
  return Object.keys(change).length === 0;
}

/** The rest of a draft after a change was saved: choices that were not part of it and do not hold already. */
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

/** A field by its name in the API, with what it was and what it is: a level, an address, a `Flag`. */
export interface Difference {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Where settings differ. A flag that is unknown on either side differs from nothing: levels other than `custom` hide all of
 * them.
 */
export function differences(before: Settings, after: Settings): readonly Difference[] {
  const found: Difference[] = [];
  if (before.level !== after.level) {
    found.push({ field: 'level', before: before.level, after: after.level });
  }
  if (before.email !== after.email) {
    found.push({ field: 'notification_email', before: before.email ?? '', after: after.email ?? '' });
  }
  for (const [field, flag] of Object.entries(after.flags)) {
    const known = before.flags[field] ?? 'unknown';
    if (known !== flag && known !== 'unknown' && flag !== 'unknown') {
      found.push({ field, before: known, after: flag });
    }
  }
  return found;
}

/** Where settings were changed since they were read, other than to what a change asks for anyway. */
export function conflicts(read: Settings, now: Settings, change: Change): readonly Difference[] {
  return differences(read, now).filter(({ field, after }) => {
    const wanted = change[field];
    return after !== (typeof wanted === 'boolean' ? (wanted ? 'on' : 'off') : wanted);
  });
}

/** What became of the fields of a change, by their names in the API. */
export interface Verification {
  readonly holding: readonly string[];
  readonly missing: readonly string[];
  /** The platform does not show them, so that it is not known. */
  readonly unseen: readonly string[];
}

/** Compares a change with the settings as they are now. */
export function verify(change: Change, now: Settings): Verification {
  const result = { holding: [] as string[], missing: [] as string[], unseen: [] as string[] };
  for (const [field, wanted] of Object.entries(change)) {
    result[stateOf(field, wanted, now)].push(field);
  }
  return result;
}

function stateOf(field: string, wanted: string | boolean, now: Settings): keyof Verification {
  if (field === 'level') {
    return now.level === wanted ? 'holding' : 'missing';
  }
  if (field === 'notification_email') {
    // Without an address of its own the platform shows that of the account.
    return wanted === '' || now.email === wanted ? 'holding' : 'missing';
  }
  const flag: Flag = now.flags[field] ?? 'unknown';
  if (flag === 'unknown') {
    return 'unseen';
  }
  return flag === (wanted === true ? 'on' : 'off') ? 'holding' : 'missing';
}

/** How a change is taken back. */
export interface Undo {
  readonly change: Change;
  /** The events that cannot be put back: they stood at the default, or it is not known how they stood. */
  readonly lost: readonly string[];
}

/** What takes a change back to the settings before it. */
export function undoOf(before: Settings, change: Change): Undo {
  const back: Record<string, string | boolean> = {};
  const lost: string[] = [];
  for (const field of Object.keys(change)) {
    const flag = before.flags[field];
    if (field === 'level') {
      back[field] = before.level;
    } else if (field === 'notification_email') {
      back[field] = before.email ?? '';
    } else if (flag === 'on' || flag === 'off') {
      back[field] = flag === 'on';
    } else {
      lost.push(field);
    }
  }
  return { change: back, lost };
}
