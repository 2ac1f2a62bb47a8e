import { field, type RecordOf, RecordReader } from './fields.ts';
import { type NotificationEvent, notificationEvents } from './notificationVocabulary.ts';
import type { CallOptions, Requester } from './request.ts';
import { apiPath, type ApiPath, type IdOrPath } from './url.ts';

const flag = field.switch();

const flags = Object.fromEntries(notificationEvents.map((event) => [event, flag])) as Record<
  NotificationEvent,
  typeof flag
>;

const settingsFields = {
  // Levels that come later are words, too.
  level: field.required((text) => /^\w{1,100}$/.test(text)),
  notification_email: field.line(320),
  events: field.record(flags),
};

const reader = new RecordReader(settingsFields);

/**
 * Notification settings. `notification_email` is there globally alone; `events` where the level is `custom` (globally it may be
 * missing even then), its values are true, false or null for the default, which cannot be written back.
 */
export type NotificationSettingsRecord = RecordOf<typeof settingsFields>;

/** Whose settings: those that hold everywhere, or those of one group or project, by id or full path. */
export type NotificationSettingsOwner = 'global' | { readonly group: IdOrPath } | { readonly project: IdOrPath };

/** What is left out stays. `notification_email` can be set globally alone. */
export type NotificationSettingsChange = {
  readonly level?: string | undefined;
  readonly notification_email?: string | undefined;
} & { readonly [Event in NotificationEvent]?: boolean | undefined };

/** Of the user that the token belongs to. @see https://docs.gitlab.com/api/notification_settings/ */
export function notificationSettingsOf(requester: Requester) {
  return {
    get: async (owner: NotificationSettingsOwner, { signal }: CallOptions = {}) =>
      await reader.fetch(requester, { path: pathOf(owner), signal }),
    /** Answers with those that hold now. Not repeated where it may have been carried out. */
    update: async (
      owner: NotificationSettingsOwner,
      body: NotificationSettingsChange,
      { signal }: CallOptions = {},
    ): Promise<NotificationSettingsRecord> =>
      await reader.fetch(requester, { method: 'PUT', path: pathOf(owner), body, signal, once: true }),
  };
}

function pathOf(owner: NotificationSettingsOwner): ApiPath {
  if (owner === 'global') {
    return apiPath('/notification_settings', {});
  }
  return 'group' in owner
    ? apiPath('/groups/:id/notification_settings', { id: owner.group })
    : apiPath('/projects/:id/notification_settings', { id: owner.project });
}
