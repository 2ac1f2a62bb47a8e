import { openTransport } from '#platform/transport.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import { Directory } from './directory.ts';
import { ErrorTracking } from './errorTracking.ts';
import type { ApiError } from './errors.ts';
import { Events } from './events.ts';
import { NotificationSettings } from './notificationSettings.ts';
import { type AskToken, type LogEntry, Requester } from './request.ts';
import { Targets } from './targets.ts';
import type { Fetch } from './transport.ts';
import { instanceUrlOf } from './url.ts';

/** How to reach an instance, and as whom. */
export interface ClientOptions {
  /** The instance's web address, such as `https://gitlab.com`; may hold a path, such as `https://host.example/gitlab`. */
  readonly instanceUrl: string | URL;
  /**
   * A token, or a function that is asked for it before each request; without one, requests are anonymous. The function is asked
   * again with a token that is not accepted: if it then gives another one, a GET, PUT or DELETE is sent with that, once; a POST or
   * PATCH fails as `notSignedIn` and says that the token is replaced.
   */
  readonly token?: string | AskToken | undefined;
  /** Whether the token travels as `Authorization: Bearer`, as those of OAuth do, rather than as `PRIVATE-TOKEN`. */
  readonly bearer?: boolean | undefined;
  /** What sends the requests, and is closed by the caller; the client's own connections if not given. */
  readonly fetch?: Fetch | undefined;
  /** How many times a GET, PUT or DELETE is repeated after a passing fault; 2 if not given. POST and PATCH never are. */
  readonly retries?: number | undefined;
  /** The longest wait in milliseconds for a rate limit; 30,000 if not given. Beyond it requests fail as `rateLimited`. */
  readonly maxWait?: number | undefined;
  /** Called after each exchange with the instance. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Called with each answer that says that the token is not accepted, unless it is replaced: unknown, expired or revoked. */
  readonly onRejected?: ((error: ApiError<'notSignedIn'>) => void) | undefined;
  /** Time, for tests. */
  readonly clock?: Clock | undefined;
  /** Chance from 0 up to 1, for tests. */
  readonly random?: (() => number) | undefined;
}

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
  const { fetch } = options;
  const requester = new Requester({
    instanceUrl: instanceUrlOf(options.instanceUrl),
    transport: fetch ? { fetch, close: async () => undefined } : openTransport(),
    token: options.token,
    bearer: options.bearer ?? false,
    retries: options.retries ?? 2,
    maxWait: options.maxWait ?? 30_000,
    log: options.log ?? (() => {}),
    onRejected: options.onRejected ?? (() => {}),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  });
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
