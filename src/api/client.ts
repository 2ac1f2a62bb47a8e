import { directoryOf } from './directory.ts';
import { errorTrackingOf } from './errorTracking.ts';
import { eventsOf } from './events.ts';
import { notificationSettingsOf } from './notificationSettings.ts';
import { oauthOf } from './oauth.ts';
import { type ClientOptions, Requester } from './request.ts';
import { targetsOf } from './targets.ts';

/**
 * A client of one instance for one account. All reject with an ApiError, with a TypeError for an argument that cannot be sent, and with
 * whatever the function that is asked for the token throws.
 */
export type Client = ReturnType<typeof createClient>;

/**
 * Nothing is sent before the first call.
 *
 * @throws TypeError if no instance can have the `instanceUrl`.
 */
export function createClient(options: ClientOptions) {
  const requester = new Requester(options);
  return {
    events: eventsOf(requester),
    notificationSettings: notificationSettingsOf(requester),
    errorTracking: errorTrackingOf(requester),
    directory: directoryOf(requester),
    targets: targetsOf(requester),
    oauth: (applicationId: string) => oauthOf(requester, applicationId),
    close: () => requester.close(),
  };
}

/**
 * What a fine-grained token needs for all of the client's calls, in the names of the form that makes one.
 *
 * @see https://docs.gitlab.com/auth/tokens/fine_grained_access_tokens_rest/
 */
export const neededPermissions: readonly string[] = [
  'User: Read',
  'Project: Read',
  'Group: Read',
  'Event: Read',
  'Notification Setting: Read, Update',
  'Error Tracking Setting: Read, Update',
  'Error Tracking Client Key: Read, Create, Delete',
  'Personal Access Token: Read',
];
