import { notificationEvents } from '../api/notificationVocabulary.ts';
import type { NotificationScope } from './scope.ts';

export const flags = ['on', 'off', 'default', 'unknown'] as const;

/**
 * What is known of the switch of an event: on, off, `default` where the platform's default applies (null, which cannot be
 * written back), and `unknown` where the platform does not show it.
 */
export type Flag = (typeof flags)[number];

/** Notification settings: those of a scope as they were read, and those that a profile or a file asks for. */
export interface Settings {
  /** One of the levels that the platform documents, or one that came later. */
  readonly level: string;
  /** The address that e-mails go to; undefined but in global settings. */
  readonly email?: string | undefined;
  /** Of settings that were read: every event that can be switched in the scope. An event that is missing is unknown. */
  readonly flags: Readonly<Record<string, Flag>>;
}

/**
 * Fields with the values that they are to have, by their names in the API: `level` and `notification_email` are texts, events
 * booleans. What a user has chosen, what a request sends (it is the body of the PUT), what an undo sends.
 *
 * @see https://docs.gitlab.com/api/notification_settings/
 */
export type Change = Readonly<Record<string, string | boolean>>;

/** What an edit makes of a draft; null takes the choice of a field back. */
export type Edit = Readonly<Record<string, string | boolean | null>>;

/** Whether a field holds text; the others hold booleans. */
export function isTextField(field: string): boolean {
  return field === 'level' || field === 'notification_email';
}

/** The record of the API, as far as it matters here. */
export interface SettingsRecord {
  readonly level: string;
  readonly notification_email?: string | null | undefined;
  readonly events?: Readonly<Record<string, unknown>> | null | undefined;
}

/** At most this many events may have come later: each is a row of the form. */
const mostUnknownEvents = 100;
/** What events that came later are called. Keeps out names that mean something to every object. */
const eventName = /^[a-z]{1,30}(_[a-z0-9]{1,30}){1,6}$/;

/** What a record says. All events are offered, except `new_epic` where a group's record shows that its tier has no epics. */
export function settingsOf(kind: NotificationScope['kind'], record: SettingsRecord): Settings {
  const { level, notification_email: email, events } = record;
  const shown = events ?? {};
  const hasNoEpics = kind === 'group' && events && !('new_epic' in events);
  const offered = notificationEvents.filter((event) => event !== 'new_epic' || !hasNoEpics);
  const unknownEvents = Object.keys(shown)
    .filter((event) => eventName.test(event) && !isTextField(event))
    .filter((event) => !notificationEvents.some((known) => known === event))
    .slice(0, mostUnknownEvents);
  return {
    level,
    email: kind === 'global' ? (email ?? '') : undefined,
    flags: Object.fromEntries([...offered, ...unknownEvents].map((event) => [event, flagOf(shown[event])])),
  };
}

function flagOf(value: unknown): Flag {
  if (typeof value === 'boolean') {
    return value ? 'on' : 'off';
  }
  return value === null ? 'default' : 'unknown';
}

/** The value of a field: a text, or a `Flag`. What is not known is `unknown`. */
export function valueOf(settings: Settings, field: string): string {
  if (field === 'level') {
    return settings.level;
  }
  if (field === 'notification_email') {
    return settings.email ?? 'unknown';
  }
  return Object.hasOwn(settings.flags, field) ? (settings.flags[field] ?? 'unknown') : 'unknown';
}

/** What a field of a change is to be, as `valueOf` names it. */
function wantedValue(value: string | boolean | undefined): string | undefined {
  return typeof value === 'boolean' ? flagOf(value) : value?.trim();
}

/** The fields that can be set, in the order in which they are shown. */
export function fieldsOf({ email, flags: ofEvents }: Settings): readonly string[] {
  return ['level', ...(email === undefined ? [] : ['notification_email']), ...Object.keys(ofEvents)];
}

function pick(change: Change, isKept: (field: string, value: string | boolean) => boolean): Change {
  return Object.fromEntries(Object.entries(change).filter(([field, value]) => isKept(field, value)));
}

/** A draft after an edit. */
export function applyEdit(draft: Change, edit: Edit): Change {
  const fields = Object.entries({ ...draft, ...edit });
  return Object.fromEntries(fields.filter((entry): entry is [string, string | boolean] => entry[1] !== null));
}

/** What was chosen and differs from the settings, in the order of their fields. */
function chosenOf(settings: Settings, draft: Change): Change {
  const differing = fieldsOf(settings).flatMap((field) => {
    const value = Object.hasOwn(draft, field) ? draft[field] : undefined;
    return value === undefined || wantedValue(value) === valueOf(settings, field)
      ? []
      : [[field, typeof value === 'string' ? value.trim() : value] as const];
  });
  return Object.fromEntries(differing);
}

/**
 * What a save sends: what differs from the settings, and nothing else. Events are sent where the level is `custom`, the only
 * one with which they can be seen; see `heldBack`.
 */
export function changeOf(settings: Settings, draft: Change): Change {
  const sendsEvents = withChange(settings, draft).level === 'custom';
  return pick(chosenOf(settings, draft), (field) => isTextField(field) || sendsEvents);
}

/** The events that were switched and that no save sends, because the level that is chosen is not `custom`. */
export function heldBack(settings: Settings, draft: Change): readonly string[] {
  const sent = changeOf(settings, draft);
  return Object.keys(chosenOf(settings, draft)).filter((field) => !Object.hasOwn(sent, field));
}

export function isEmptyChange(change: Change): boolean {
  return Object.keys(change).length === 0;
}

/** A change without some of its fields. */
export function withoutFields(change: Change, fields: readonly string[]): Change {
  return pick(change, (field) => !fields.includes(field));
}

/** The rest of a draft after a change was saved: choices that were not part of it and do not hold already. */
export function draftAfter(draft: Change, saved: Change, settings: Settings): Change {
  return pick(
    draft,
    (field, value) =>
      wantedValue(saved[field]) !== wantedValue(value) && valueOf(settings, field) !== wantedValue(value),
  );
}

/** A field by its name in the API, with what it was and what it is, as `valueOf` names it. */
export interface Difference {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** Where settings differ. What is unknown on either side differs from nothing: levels other than `custom` hide all events. */
export function differences(before: Settings, after: Settings): readonly Difference[] {
  return fieldsOf(after)
    .map((field) => ({ field, before: valueOf(before, field), after: valueOf(after, field) }))
    .filter(({ before: was, after: is }) => was !== is && was !== 'unknown' && is !== 'unknown');
}

/** Where settings were changed since they were read, other than to what a change asks for anyway. */
export function conflicts(read: Settings, now: Settings, change: Change): readonly Difference[] {
  return differences(read, now).filter(({ field, after }) => after !== wantedValue(change[field]));
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
  for (const [field, value] of Object.entries(change)) {
    result[stateOf(field, value, now)].push(field);
  }
  return result;
}

function stateOf(field: string, value: string | boolean, now: Settings): keyof Verification {
  const wanted = wantedValue(value);
  const is = valueOf(now, field);
  if (is === 'unknown' && !isTextField(field)) {
    return 'unseen';
  }
  // Without an address of its own the platform shows that of the account.
  return is === wanted || (field === 'notification_email' && wanted === '') ? 'holding' : 'missing';
}

/** What leads to settings, from wherever: all of them that can be written. */
export function changeTo({ level, email, flags: ofEvents }: Settings): Change {
  const texts: Change = email === undefined ? { level } : { level, notification_email: email };
  // A file may name an event as a field of another kind.
  const switches = Object.entries(ofEvents).filter(
    ([event, flag]) => !isTextField(event) && (flag === 'on' || flag === 'off'),
  );
  return { ...texts, ...Object.fromEntries(switches.map(([event, flag]) => [event, flag === 'on'])) };
}

/** Settings as they are once a change holds. */
export function withChange(settings: Settings, change: Change): Settings {
  const { level, notification_email: email, ...events } = change;
  const switched = Object.entries(events).map(([event, value]) => [event, flagOf(value)]);
  return {
    level: typeof level === 'string' ? level.trim() : settings.level,
    email: typeof email === 'string' ? email : settings.email,
    flags: { ...settings.flags, ...(Object.fromEntries(switched) as Settings['flags']) },
  };
}

/** What a plan cannot do, or cannot undo; shown before anything is sent. */
export interface PlanNote {
  readonly kind:
    | 'notRestored' // their state is a default, which cannot be written, or not shown: no undo brings it back
    | 'leftOut' // they are to be at their default, or are not offered here
    | 'kept'; // an undo leaves them as they were saved
  readonly events: readonly string[];
}

/** What is to be sent for one scope, by the settings that were read. */
export interface Plan {
  readonly scope: NotificationScope;
  /** The settings that were read: if they are others when it is sent, nothing is. */
  readonly expected: Settings;
  /** What differs, and nothing else. Empty if all is as it should be. */
  readonly change: Change;
  readonly notes: readonly PlanNote[];
}

function notes(...all: readonly PlanNote[]): readonly PlanNote[] {
  return all.filter(({ events }) => events.length > 0);
}

/** The events of a change whose state before it no request brings back. */
function lostBy(before: Settings, change: Change): readonly string[] {
  return Object.keys(withoutFields(change, Object.keys(changeTo(before))));
}

/** Plans what a user has chosen. */
export function planOf(scope: NotificationScope, expected: Settings, draft: Change): Plan {
  const change = changeOf(expected, draft);
  return { scope, expected, change, notes: notes({ kind: 'notRestored', events: lostBy(expected, change) }) };
}

/** Plans what brings a scope to the settings of a profile or a file, as far as the API allows. */
export function planFor(scope: NotificationScope, expected: Settings, wanted: Settings): Plan {
  const plan = planOf(scope, expected, changeTo(wanted));
  const leftOut = Object.entries(wanted.flags).filter(([event, flag]) =>
    Object.hasOwn(expected.flags, event)
      ? flag === 'default' && valueOf(expected, event) !== 'default'
      : flag === 'on' || flag === 'off',
  );
  const events = wanted.level === 'custom' ? leftOut.map(([event]) => event) : [];
  return { ...plan, notes: [...plan.notes, ...notes({ kind: 'leftOut', events })] };
}

/** Plans what takes a change back, as far as the platform allows. Its change is empty if nothing can be. */
export function undoOf(scope: NotificationScope, before: Settings, taken: Change, now: Settings): Plan {
  const fields = Object.keys(taken);
  const change = pick(changeTo(before), (field) => fields.includes(field));
  return { scope, expected: now, change, notes: notes({ kind: 'kept', events: lostBy(before, taken) }) };
}
