/** This module imports nothing, so that it can be loaded where the client itself is not. */

/**
 * In the order in which they are offered.
 *
 * @see https://docs.gitlab.com/api/notification_settings/#valid-notification-levels
 */
export const notificationLevels = ['global', 'watch', 'participating', 'mention', 'disabled', 'custom'] as const;

/** A level as it can be set. A record's `level` is a string, because the platform may add others. */
export type NotificationLevel = (typeof notificationLevels)[number];

export const notificationEvents = [
  'approver',
  'change_reviewer_merge_request',
  'close_issue',
  'close_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'issue_due',
  'merge_merge_request',
  'merge_when_pipeline_succeeds',
  'moved_project',
  'new_epic',
  'new_issue',
  'new_merge_request',
  'new_note',
  'new_release',
  'push_to_merge_request',
  'reassign_issue',
  'reassign_merge_request',
  'reopen_issue',
  'reopen_merge_request',
  'success_pipeline',
] as const;

/** Events that live instances of Premium and Ultimate know besides, from 18.1 on: they are there where a record shows them. */
export const laterNotificationEvents = [
  'service_account_failed_pipeline',
  'service_account_fixed_pipeline',
  'service_account_success_pipeline',
] as const;

export type NotificationEvent = (typeof notificationEvents)[number];
