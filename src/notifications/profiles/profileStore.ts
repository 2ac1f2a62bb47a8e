import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { scopeSchema } from '../settings/schemas.ts';
import type { FileLog } from '../settings/scopeFiles.ts';
import { changeTo, flagOf, isEmptyChange, type Settings } from '../settings/settings.ts';

const storedEvent = z.string().check(z.regex(/^[a-z][a-z0-9_]{1,80}$/, 'Not the name of a notification event'));

/** Settings as they are stored in profiles and written to files. What is unknown is left out. */
export const storedSettingsSchema = z.strictObject({
  level: z.string().check(z.minLength(1), z.maxLength(100)),
  notification_email: z.optional(z.string().check(z.maxLength(320))),
  /** The events that were on or off. */
  events: z.optional(z.record(storedEvent, z.boolean())),
  /** The events that stood at the platform's default. */
  defaults: z.optional(z.array(storedEvent)),
});
export type StoredSettings = z.infer<typeof storedSettingsSchema>;

/** A scope with its settings as they are stored. */
export const storedScopeSchema = z.object({ scope: scopeSchema, snapshot: storedSettingsSchema });
export type StoredScope = z.infer<typeof storedScopeSchema>;

/** Settings in the form in which they are stored. */
export function toStored(settings: Settings): StoredSettings {
  const { level, notification_email: email, ...events } = changeTo(settings);
  const defaults = Object.entries(settings.flags).flatMap(([event, flag]) => (flag === 'default' ? event : []));
  return {
    level: String(level),
    ...(email === undefined ? {} : { notification_email: String(email) }),
    ...(isEmptyChange(events) ? {} : { events: events as Record<string, boolean> }),
    ...(defaults.length > 0 ? { defaults } : {}),
  };
}

/** Settings that were stored. */
export function fromStored({ level, notification_email: email, events = {}, defaults = [] }: StoredSettings): Settings {
  const entries = [
    ...defaults.map((event) => [event, 'default'] as const),
    ...Object.entries(events).map(([event, value]) => [event, flagOf(value)] as const),
  ];
  return { level, email, flags: Object.fromEntries(entries) };
}

const profileSchema = z.object({
  name: z.string().check(z.minLength(1)),
  /** Milliseconds since 1970. */
  savedAt: z.number(),
  scopes: z.array(storedScopeSchema),
});

/** Notification settings of some scopes under a name. */
export type Profile = z.infer<typeof profileSchema>;

/** Counted up with the form of a profile. */
const version = 1;
const key = 'notificationProfiles';

/** The saved notification profiles, by name. */
export class ProfileStore {
  readonly #memento: vscode.Memento;
  readonly #log: FileLog;
  #isLogged = false;

  /** @param memento shared by all windows. */
  constructor(memento: vscode.Memento, log: FileLog) {
    this.#memento = memento;
    this.#log = log;
  }

  /** In alphabetical order. Those of another version or form count as none. */
  get all(): readonly Profile[] {
    const kept = this.#memento.get<unknown>(key, []);
    const stored: readonly unknown[] = Array.isArray(kept) ? kept : [];
    const profiles = stored.flatMap((value) => {
      const isPresent = (value as { readonly version?: unknown } | null)?.version === version;
      return (isPresent ? profileSchema.safeParse(value).data : undefined) ?? [];
    });
    if (profiles.length < stored.length && !this.#isLogged) {
      this.#isLogged = true;
      this.#log.warn('Notification profiles of another form are left out.');
    }
    return profiles.toSorted((one, other) => one.name.localeCompare(other.name));
  }

  find(name: string): Profile | undefined {
    return this.all.find((profile) => isSameName(profile.name, name));
  }

  /** Saves a profile in the place of one of that name, if there is one. */
  async save(profile: Profile): Promise<void> {
    await this.#keep([...without(this.all, profile.name), profile]);
  }

  /** Gives a profile another name; one that has it already is replaced. */
  async rename(name: string, newName: string): Promise<void> {
    const profile = this.find(name);
    if (profile) {
      await this.#keep([...without(without(this.all, name), newName), { ...profile, name: newName }]);
    }
  }

  async delete(name: string): Promise<void> {
    await this.#keep(without(this.all, name));
  }

  async #keep(profiles: readonly Profile[]): Promise<void> {
    await this.#memento.update(
      key,
      profiles.map((profile) => ({ version, ...profile })),
    );
  }
}

function without(profiles: readonly Profile[], name: string): readonly Profile[] {
  return profiles.filter((profile) => !isSameName(profile.name, name));
}

/** Names that look alike are the same. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** A moment that a profile may end at. */
export interface UntilChoice {
  readonly kind: 'hour' | 'evening' | 'tomorrow' | 'monday';
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The moments that suggest themselves, in the user's time zone, the soonest first. */
export function untilChoices(now: Date): readonly UntilChoice[] {
  const at = (days: number, hours: number): number =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours).getTime();
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const choices: readonly UntilChoice[] = [
    { kind: 'hour', time: now.getTime() + 3_600_000 },
    { kind: 'evening', time: at(0, 18) },
    { kind: 'tomorrow', time: at(1, 9) },
    { kind: 'monday', time: at(untilMonday, 9) },
  ];
  return choices
    .filter(({ time }) => time > now.getTime())
    .filter(({ kind, time }) => kind !== 'monday' || time !== at(1, 9))
    .toSorted((one, other) => one.time - other.time);
}

/**
 * Reads a moment such as `2026-12-24 18:00` or `18:00` in the user's time zone.
 *
 * @returns milliseconds since 1970; undefined if it is not written like that or does not exist.
 */
export function parseMoment(text: string, now: Date): number | undefined {
  const match = /^(?:(\d{4})-(\d{1,2})-(\d{1,2})[ T]+)?(\d{1,2}):(\d{2})$/.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, year, month, day, hours, minutes] = match;
  const parts = [
    year === undefined ? now.getFullYear() : Number(year),
    month === undefined ? now.getMonth() : Number(month) - 1,
    day === undefined ? now.getDate() : Number(day),
    Number(hours),
    Number(minutes),
  ] as const;
  const date = new Date(...parts);
  const read = [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMinutes()];
  // 31 April would be 1 May.
  return parts.every((part, index) => part === read[index]) ? date.getTime() : undefined;
}

/** How a moment is typed that `parseMoment` reads. */
export function writeMoment(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
