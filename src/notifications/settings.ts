import * as z from 'zod/mini';
import { notificationEvents } from '../api/notificationVocabulary.ts';
import type { NotificationScope } from './scope.ts';

/**
 * The value of a field: `level` and `notification_email` are texts, events booleans. Null is the platform's default, which cannot be
 * written back; undefined is what the platform does not show.
 */
export type Value = string | boolean | null | undefined;

/**
 * Notification settings by the names of their fields in the API. Those that were read have every field that can be set in their scope, in
 * the order in which they are shown.
 *
 * @see https://docs.gitlab.com/api/notification_settings/
 */
export interface Settings {
  /** One of the levels that the platform documents, or one that came later. */
  readonly level: string;
  readonly [field: string]: Value;
}

/** Fields with the values that they are to have: what a user has chosen, what a request sends, what an undo sends. */
export type Change = Readonly<Record<string, string | boolean>>;

/** What an edit makes of a draft; null takes the choice of a field back. */
export type Edit = Readonly<Record<string, string | boolean | null>>;

/** Whether a field holds text; the others are events. */
export function isTextField(field: string): boolean {
  return field === 'level' || field === 'notification_email';
}

export const fieldName = /^[a-z][a-z0-9_]{1,200}$/;
const field = () => z.string().check(z.regex(fieldName, 'Not the name of a field'));
const value = () => z.union([z.string().check(z.maxLength(1000)), z.boolean()]);

function isTyped(fields: Readonly<Record<string, Value>>): boolean {
  return Object.entries(fields).every(
    ([name, one]) => (one ?? undefined) === undefined || typeof one === (isTextField(name) ? 'string' : 'boolean'),
  );
}

export const changeSchema = () => z.record(field(), value()).check(z.refine(isTyped));

export const editSchema = () => z.record(field(), z.nullable(value())).check(z.refine(isTyped));

export const settingsSchema = () =>
  z
    .record(field(), z.nullish(value()))
    .check(z.refine((fields) => isTyped(fields) && Boolean(fields['level']))) as unknown as z.ZodMiniType<Settings>;

export function eventsOf(settings: Settings): readonly string[] {
  return Object.keys(settings).filter((field) => !isTextField(field));
}

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
  const flagOf = (value: unknown): Value => (typeof value === 'boolean' || value === null ? value : undefined);
  return {
    level,
    ...(kind === 'global' && { notification_email: email ?? '' }),
    ...Object.fromEntries([...offered, ...unknownEvents].map((event) => [event, flagOf(shown[event])])),
  };
}

/** The value of a field, without the space around a text. */
export function valueOf(settings: Readonly<Record<string, Value>>, field: string): Value {
  const value = Object.hasOwn(settings, field) ? settings[field] : undefined;
  return typeof value === 'string' ? value.trim() : value;
}

export function pick<T extends Value>(
  fields: Readonly<Record<string, T>>,
  isKept: (field: string, value: T) => boolean,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(fields).filter(([field, value]) => isKept(field, value)));
}

export function applyEdit(draft: Change, edit: Edit): Change {
  return pick({ ...draft, ...edit }, (_, value) => value !== null) as Change;
}

/** What was chosen and differs from the settings, in the order of their fields. */
function chosenOf(settings: Settings, draft: Change): Change {
  const fields = Object.keys(settings).map((field) => [field, valueOf(draft, field)] as const);
  const isOther = (field: string, value: Value): boolean => value !== undefined && value !== valueOf(settings, field);
  return pick(Object.fromEntries(fields), isOther) as Change;
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

export function withoutFields(change: Change, fields: readonly string[]): Change {
  return pick(change, (field) => !fields.includes(field));
}

/** The rest of a draft after a change was saved: choices that were not part of it and do not hold already. */
export function draftAfter(draft: Change, saved: Change, settings: Settings): Change {
  return pick(draft, (field) => ![valueOf(saved, field), valueOf(settings, field)].includes(valueOf(draft, field)));
}

export interface Difference {
  readonly field: string;
  readonly before: Value;
  readonly after: Value;
}

/** Where settings differ. What is not shown on either side differs from nothing: levels other than `custom` hide all events. */
export function differences(before: Settings, after: Settings): readonly Difference[] {
  return Object.keys(after)
    .map((field) => ({ field, before: valueOf(before, field), after: valueOf(after, field) }))
    .filter(({ before: was, after: is }) => was !== is && was !== undefined && is !== undefined);
}

/** Where settings were changed since they were read, other than to what a change asks for anyway. */
export function conflicts(read: Settings, now: Settings, change: Change): readonly Difference[] {
  return differences(read, now).filter(({ field, after }) => after !== valueOf(change, field));
}

export interface Verification {
  readonly holding: readonly string[];
  readonly missing: readonly string[];
  /** The platform does not show them, so that it is not known. */
  readonly unseen: readonly string[];
}

export function verify(change: Change, now: Settings): Verification {
  const stateOf = (field: string): keyof Verification => {
    const [wanted, is] = [valueOf(change, field), valueOf(now, field)];
    if (is === undefined && !isTextField(field)) {
      return 'unseen';
    }
    // Without an address of its own the platform shows that of the account.
    return is === wanted || (field === 'notification_email' && wanted === '') ? 'holding' : 'missing';
  };
  const { holding = [], missing = [], unseen = [] } = Object.groupBy(Object.keys(change), stateOf);
  return { holding, missing, unseen };
}

/** What leads to settings, from wherever: all of them that can be written. */
export function changeTo(settings: Settings): Change {
  return pick(settings, (_, value) => value !== null && value !== undefined) as Change;
}

export function withChange(settings: Settings, change: Change): Settings {
  return { ...settings, ...change };
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

function note(kind: PlanNote['kind'], events: readonly string[]): readonly PlanNote[] {
  return events.length > 0 ? [{ kind, events }] : [];
}

/** The events of a change whose state before it no request brings back. */
function lostBy(before: Settings, change: Change): readonly string[] {
  return Object.keys(withoutFields(change, Object.keys(changeTo(before))));
}

export function planOf(scope: NotificationScope, expected: Settings, draft: Change): Plan {
  const change = changeOf(expected, draft);
  return { scope, expected, change, notes: note('notRestored', lostBy(expected, change)) };
}

/** Plans what brings a scope to the settings of a profile or a file, as far as the API allows. */
export function planFor(scope: NotificationScope, expected: Settings, wanted: Settings): Plan {
  const plan = planOf(scope, expected, changeTo(wanted));
  const isLeftOut = (event: string): boolean =>
    Object.hasOwn(expected, event)
      ? wanted[event] === null && expected[event] !== null
      : typeof wanted[event] === 'boolean';
  const events = wanted.level === 'custom' ? eventsOf(wanted).filter(isLeftOut) : [];
  return { ...plan, notes: [...plan.notes, ...note('leftOut', events)] };
}

/** Plans what takes a change back, as far as the platform allows. Its change is empty if nothing can be. */
export function undoOf(scope: NotificationScope, before: Settings, taken: Change, now: Settings): Plan {
  const change = pick(changeTo(before), (field) => Object.hasOwn(taken, field));
  return { scope, expected: now, change, notes: note('kept', lostBy(before, taken)) };
}
