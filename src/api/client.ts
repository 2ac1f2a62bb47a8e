import { type Dispatcher, platformTransport } from '#platform/transport.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import { Directory } from './directory.ts';
import { ErrorTracking } from './errorTracking.ts';
import type { NotSignedInError } from './errors.ts';
import { Events } from './events.ts';
import type { LogEntry, Timeouts } from './exchange.ts';
import { NotificationSettings } from './notificationSettings.ts';
import { checkNumbers } from './pagination.ts';
import { type AskToken, type Move, Requester } from './requester.ts';
import { type Fetch, fetchTransport } from './transport.ts';

/** How to reach an instance, and as whom. */
export interface ClientOptions {
  /** The instance's web address, such as `https://gitlab.com`; may hold a path, such as `https://host.example/gitlab`. */
  readonly instanceUrl: string | URL;
  /**
   * A token, or a function that is asked for it before each request; without one, requests are anonymous. The function is asked
   * again with a token that is not accepted: if it then gives another one, a GET, PUT or DELETE is sent with that, once; a POST or
   * PATCH fails with a NotSignedInError that says that the token is replaced.
   */
  readonly token?: string | AskToken | undefined;
  /** Whether the token travels as `Authorization: Bearer`, as those of OAuth do, rather than as `PRIVATE-TOKEN`. */
  readonly bearer?: boolean | undefined;
  /** What opens undici's connections, such as a ProxyAgent; the caller closes it. Not together with `fetch`. */
  readonly dispatcher?: Dispatcher | undefined;
  /** A function like the platform's `fetch` that sends the requests instead of undici, or of the browser's own. */
  readonly fetch?: Fetch | undefined;
  /** Milliseconds; 10,000 to connect, 30,000 until the headers and 60,000 for the body if not given. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** How many times a GET, PUT or DELETE is repeated after a passing fault; 2 if not given. POST and PATCH never are. */
  readonly retries?: number | undefined;
  /** The longest wait in milliseconds for a rate limit; 30,000 if not given. Beyond it requests fail with RateLimitedError. */
  readonly maxWait?: number | undefined;
  /** The longest path and query in bytes that the instance takes, if known: longer ones fail with TooLongError unsent. */
  readonly maxTargetLength?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Called after each exchange with the instance. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Called when a redirect is followed, so that a moved project's path can be updated. */
  readonly onMoved?: ((move: Move) => void) | undefined;
  /** Called with each answer that says that the token is not accepted, unless it is replaced: unknown, expired or revoked. */
  readonly onRejected?: ((error: NotSignedInError) => void) | undefined;
  /** Time, for tests. */
  readonly clock?: Clock | undefined;
  /** Chance from 0 up to 1, for tests. */
  readonly random?: (() => number) | undefined;
}

/**
 * A client of one instance for one account.
 *
 * Methods that ask for one record return a promise of it, lists return an async iterable of pages. All reject with a
 * subclass of ApiError (errors.ts), with a TypeError for an argument that cannot be sent, and with whatever the function that
 * is asked for the token throws.
 */
export interface Client {
  readonly events: Events;
  readonly notificationSettings: NotificationSettings;
  readonly errorTracking: ErrorTracking;
  readonly directory: Directory;
  /** Ends requests under way and refuses others, both with an AbortedError; closes the connections that the client opened. */
  close(): Promise<void>;
}

/**
 * Makes a client. Nothing is sent before the first call.
 *
 * @throws TypeError if an option cannot be used: an `instanceUrl` that is not http or https, or with credentials, query or
 *   fragment; both a `dispatcher` and a `fetch`; numbers that are none, negative or, as a number of times, fractional; a
 *   `userAgent` that no header can carry.
 */
export function createClient(options: ClientOptions): Client {
  checkOptions(options);
  const { connect = 10_000, headers = 30_000, body = 60_000 } = options.timeouts ?? {};
  const transport =
    options.fetch === undefined ? platformTransport(connect, options.dispatcher) : fetchTransport(options.fetch);
  const { token } = options;
  const requester = new Requester({
    instanceUrl: instanceUrlOf(options.instanceUrl),
    transport,
    token,
    bearer: options.bearer ?? false,
    timeouts: { connect, headers, body },
    retries: options.retries ?? 2,
    maxWait: options.maxWait ?? 30_000,
    maxTargetLength: options.maxTargetLength,
    userAgent: options.userAgent ?? 'beacon-gitlab',
    log: options.log ?? (() => {}),
    onMoved: options.onMoved ?? (() => {}),
    onRejected: options.onRejected ?? (() => {}),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  });
  return {
    events: new Events(requester),
    notificationSettings: new NotificationSettings(requester),
    errorTracking: new ErrorTracking(requester),
    directory: new Directory(requester),
    close: () => requester.close(),
  };
}

/** An exchange with the instance as one line of a log. */
export function logLine({ method, pathTemplate, status, fault, milliseconds, changing }: LogEntry): string {
  const note = changing ? `, relies on what API v5 changes: ${changing.join(', ')}` : '';
  return `${method} ${pathTemplate} ${status ?? fault ?? ''} ${Math.round(milliseconds)} ms${note}`;
}

/** Settings and callers without types may hold anything. */
function checkOptions(options: ClientOptions): void {
  const { dispatcher, fetch, token, userAgent, retries, maxWait, maxTargetLength, timeouts, log, onMoved, onRejected } =
    options;
  if (dispatcher !== undefined && fetch !== undefined) {
    throw new TypeError('Either a dispatcher or a fetch carries the requests, not both');
  }
  checkNumbers('count', { retries });
  checkNumbers('number', { maxTargetLength });
  checkNumbers('wait', { maxWait });
  checkNumbers('time', { ...timeouts });
  for (const [name, value] of Object.entries({ fetch, log, onMoved, onRejected })) {
    if (value !== undefined && typeof value !== 'function') {
      throw new TypeError(`Not a usable value of ${name}`);
    }
  }
  if (!['string', 'function', 'undefined'].includes(typeof token)) {
    throw new TypeError('Not a usable value of token');
  }
  if (userAgent !== undefined && !/^[\x20-\x7E]+$/.test(userAgent)) {
    throw new TypeError('Not a usable value of userAgent');
  }
}

function instanceUrlOf(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  const usable =
    url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === '';
  if (!usable) {
    // Without the address: it may hold a password.
    throw new TypeError(
      'The address of an instance is like https://gitlab.example.com, without user, query or fragment',
    );
  }
  return url;
}
