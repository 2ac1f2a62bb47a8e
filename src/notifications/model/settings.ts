import { notificationEvents } from '../../api/notificationVocabulary.ts';

/**
 * What is known of the switch of an event: on, off, `default` where the platform's default applies (null, which cannot be
 * written back), and `unknown` where the platform does not tell (sections 2.2 to 2.4).
 */
export type Flag = 'on' | 'off' | 'default' | 'unknown';

/** The notification settings of a scope as they were read. */
export interface Settings {
  /** One of section 2.1, or one that came later. */
  readonly level: string;
  /** The address that e-mails go to; undefined but in global settings. */
  readonly email?: string | undefined;
  /** Every event that can be switched in this scope. */
  readonly flags: Readonly<Record<string, Flag>>;
}

/** The record of sections 2.3 and 2.4, as far as it matters here. */
export interface SettingsRecord {
  readonly level: string;
  readonly notification_email?: string | null | undefined;
  readonly events?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * What a record says.
 *
 * @param offersEpics whether the instance's tier has epics, as far as other records have told; the record itself knows better.
 */
export function settingsOf(
  kind: 'global' | 'group' | 'project',
  record: SettingsRecord,
  offersEpics: boolean,
): Settings {
  const { level, notification_email: email, events } = record;
  const told = events ?? {};
  const offered = notificationEvents.filter(
    (event) => event !== 'new_epic' || (events ? 'new_epic' in told : offersEpics),
  );
  const strangers = Object.keys(told)
    .filter((event) => eventName.test(event) && !notificationEvents.some((known) => known === event))
    .slice(0, mostStrangers);
  return {
    level,
    email: kind === 'global' ? (email ?? '') : undefined,
    flags: Object.fromEntries([...offered, ...strangers].map((event) => [event, flagOf(told[event])])),
  };
}

/** So many events may have come later: each is a row of the form. */
const mostStrangers = 100;
/** What events that came later are called. Keeps out names that mean something to every object. */
const eventName = /^[a-z]{1,30}(_[a-z0-9]{1,30}){1,6}$/;

function flagOf(value: unknown): Flag {
  if (typeof value === 'boolean') {
    return value ? 'on' : 'off';
  }
  return value === null ? 'default' : 'unknown';
}

/**
 * Whether a record tells that the tier has epics: `new_epic` stands in records of Premium and Ultimate alone (section 4.3).
 *
 * @returns undefined if it does not tell: its events are not shown, or it is a project's, which may lack it on any tier.
 */
export function tellsEpics(kind: 'global' | 'group' | 'project', { events }: SettingsRecord): boolean | undefined {
  if (!events) {
    return undefined;
  }
  return 'new_epic' in events ? true : kind === 'project' ? undefined : false;
}
