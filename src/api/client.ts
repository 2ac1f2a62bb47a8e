import { Directory } from './directory.ts';
import { ErrorTracking } from './errorTracking.ts';
import { Events } from './events.ts';
import { NotificationSettings } from './notificationSettings.ts';
import { type ClientOptions, type LogEntry, Requester } from './request.ts';
import { Targets } from './targets.ts';

/**
 * A client of one instance for one account.
 *
 * Methods that ask for one record return a promise of it, lists return an async iterable of pages. All reject with an
 * ApiError (errors.ts), with a TypeError for an argument that cannot be sent, and with whatever the function that
 * is asked for the token throws.
 */
export interface Client {
  readonly events: Events;
  readonly notificationSettings: NotificationSettings;
  readonly errorTracking: ErrorTracking;
  readonly directory: Directory;
  readonly targets: Targets;
  /** Ends requests under way and refuses others, both as aborted; closes the connections that the client opened. */
  close(): Promise<void>;
}

/**
 * Makes a client. Nothing is sent before the first call.
 *
 * @throws TypeError if `instanceUrl` is not http or https, or has credentials, query or fragment.
 */
export function createClient(options: ClientOptions): Client {
  const requester = new Requester(options);
  return {
    events: new Events(requester),
    notificationSettings: new NotificationSettings(requester),
    errorTracking: new ErrorTracking(requester),
    directory: new Directory(requester),
    targets: new Targets(requester),
    close: () => requester.close(),
  };
}

/** An exchange with the instance as one line of a log. */
export function logLine({ method, pathTemplate, status, fault, milliseconds }: LogEntry): string {
  return `${method} ${pathTemplate} ${status ?? fault ?? ''} ${Math.round(milliseconds)} ms`;
}
