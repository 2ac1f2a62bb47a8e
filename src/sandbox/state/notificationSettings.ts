import { laterNotificationEvents, notificationEvents, notificationLevels } from '../../api/notificationVocabulary.ts';
import type { Group, Project, User } from './model.ts';

/**
 * What the instance offers: `new_epic` is for Premium and Ultimate.
 *
 * @see https://docs.gitlab.com/api/notification_settings/
 */
export type Tier = 'free' | 'premium' | 'ultimate';

/** Where settings hold: everywhere, or in one group or project. */
export type NotificationPlace = 'global' | Group | Project;

/** The notification settings of one user in one place. */
export interface NotificationSetting {
  level: string;
  /** Where e-mails go, undefined for the account's own address. Global alone. */
  email: string | undefined;
  /** The switches of single events that were ever set; they stay while the level is another than `custom`. */
  readonly flags: Map<string, boolean>;
}

const commonEvents = notificationEvents.filter((event) => event !== 'approver' && event !== 'new_epic');

/** The events whose switch has a value from the start. Of the others it is null, the platform's default. */
const initialFlags = new Map([
  ['moved_project', true],
  ...['merge_when_pipeline_succeeds', 'approver', ...laterNotificationEvents].map((event) => [event, false] as const),
]);

/**
 * Whether a notification level exists.
 *
 * @see https://docs.gitlab.com/api/notification_settings/#valid-notification-levels
 */
export function isNotificationLevel(level: string): boolean {
  return notificationLevels.some((known) => known === level);
}

/** The events that settings of a place show as the API documentation has them: all but `approver`. */
export function documentedEvents(tier: Tier): readonly string[] {
  return [...commonEvents, ...(tier === 'free' ? [] : ['new_epic'])];
}

/** The events that settings of a place show and keep on the live platform. */
export function liveEvents(place: NotificationPlace, tier: Tier): readonly string[] {
  const isProject = place !== 'global' && 'group' in place;
  return [
    ...commonEvents,
    ...(!isProject && tier !== 'free' ? ['new_epic'] : []),
    ...(place === 'global' || isProject ? ['approver'] : []),
    ...(tier === 'free' ? [] : laterNotificationEvents),
  ];
}

/** The switch of an event: null where the platform's default applies. */
export function flagOf({ flags }: NotificationSetting, event: string): boolean | null {
  return flags.get(event) ?? initialFlags.get(event) ?? null;
}

/** The notification settings of all users, made when they are first asked for. */
export class NotificationSettingStore {
  readonly #settings = new Map<User, Map<NotificationPlace, NotificationSetting>>();

  of(user: User, place: NotificationPlace): NotificationSetting {
    const ofUser = this.#settings.get(user) ?? new Map<NotificationPlace, NotificationSetting>();
    this.#settings.set(user, ofUser);
    const level = place === 'global' ? 'participating' : 'global';
    const setting = ofUser.get(place) ?? { level, email: undefined, flags: new Map<string, boolean>() };
    ofUser.set(place, setting);
    return setting;
  }
}
