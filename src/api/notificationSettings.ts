import { field, type RecordOf, RecordReader } from './fields.ts';
import { type NotificationEvent, notificationEvents } from './notificationVocabulary.ts';
import type { CallOptions, Requester } from './request.ts';
import { apiPath, type ApiPath, type IdOrPath } from './url.ts';

/** More than an address of e-mail may have. */
const longestEmail = 320;
const flag = field.switch();

/** The switches of single events: null means that the platform's default applies. */
const flags = Object.fromEntries(notificationEvents.map((event) => [event, flag])) as Record<
  NotificationEvent,
  typeof flag
>;

/** Notification settings, global or of a group or project. */
const settingsFields = {
  // Levels that come later are words, too.
  level: field.required((text) => /^\w{1,100}$/.test(text)),
  notification_email: field.line(longestEmail),
  events: field.record(flags),
};

/**
 * Notification settings. `level` is one of `notificationLevels` or one that came later. `notification_email` is there globally
 * alone; `events` is there where the level is `custom` (globally it may be missing even then), its values are true, false
 * or null for the default, which cannot be written back.
 */
export type NotificationSettingsRecord = RecordOf<typeof settingsFields>;

/** Whose settings: those that hold everywhere, or those of one group or project, by id or full path. */
export type NotificationSettingsOwner = 'global' | { readonly group: IdOrPath } | { readonly project: IdOrPath };

/** What to change; what is left out stays. `notification_email` can be set globally alone. */
export type NotificationSettingsChange = {
  readonly level?: string | undefined;
  readonly notification_email?: string | undefined;
} & { readonly [Event in NotificationEvent]?: boolean | undefined };

/**
 * The notification settings of the user that the token belongs to.
 *
 * @see https://docs.gitlab.com/api/notification_settings/
 */
export class NotificationSettings {
  readonly #requester: Requester;
  readonly #reader = new RecordReader(settingsFields);

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Reads the settings.
   *
   * @throws ApiError `notFound` if there is no such group or project.
   */
  async get(scope: NotificationSettingsOwner, options: CallOptions = {}): Promise<NotificationSettingsRecord> {
    return this.#reader.one(await this.#requester.send({ method: 'GET', path: pathOf(scope), signal: options.signal }));
  }

  /**
   * Changes the settings; answers with those that hold now. A request that may have been carried out is not repeated: the settings
   * may have been changed since.
   *
   * @throws ApiError `validation` if the level does not exist or the e-mail address is not verified.
   */
  async update(
    scope: NotificationSettingsOwner,
    change: NotificationSettingsChange,
    { signal }: CallOptions = {},
  ): Promise<NotificationSettingsRecord> {
    const path = pathOf(scope);
    return this.#reader.one(await this.#requester.send({ method: 'PUT', path, body: change, signal, once: true }));
  }
}

function pathOf(scope: NotificationSettingsOwner): ApiPath {
  if (scope === 'global') {
    return apiPath('/notification_settings', {});
  }
  return 'group' in scope
    ? apiPath('/groups/:id/notification_settings', { id: scope.group })
    : apiPath('/projects/:id/notification_settings', { id: scope.project });
}
