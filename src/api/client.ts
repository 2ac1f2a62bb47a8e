import { directoryOf } from './directory.ts';
import { errorTrackingOf } from './errorTracking.ts';
import { eventsOf } from './events.ts';
import { notificationSettingsOf } from './notificationSettings.ts';
import { type ClientOptions, Requester } from './request.ts';
import { targetsOf } from './targets.ts';
import type { LogEntry } from './transport.ts';

/**
 * A client of one instance for one account. What asks for one record returns a promise of it, what lists an async iterable of pages.
 * All reject with an ApiError (errors.ts), with a TypeError for an argument that cannot be sent, and with whatever the function that is
 * asked for the token throws.
 */
export type Client = ReturnType<typeof createClient>;

/**
 * Makes a client. Nothing is sent before the first call.
 *
 * @throws TypeError if `instanceUrl` is not http or https, or has credentials, query or fragment.
 */
export function createClient(options: ClientOptions) {
  const requester = new Requester(options);
  return {
    events: eventsOf(requester),
    notificationSettings: notificationSettingsOf(requester),
    errorTracking: errorTrackingOf(requester),
    directory: directoryOf(requester),
    targets: targetsOf(requester),
    /** Ends requests under way and refuses others, both as aborted; closes the connections that the client opened. */
    close: () => requester.close(),
  };
}

export function logLine({ method, pathTemplate, status, fault, milliseconds }: LogEntry): string {
  return `${method} ${pathTemplate} ${status ?? fault ?? ''} ${Math.round(milliseconds)} ms`;
}
