import { openTransport } from '#platform/transport.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import { type Clean, cleaning, errorOfRedirect, jsonOf, withoutToken } from './answers.ts';
import { type ApiError, apiError, isApiError, type RequestFacts } from './errors.ts';
import { faultOf, isPassing } from './faults.ts';
import { InFlight } from './inFlight.ts';
import { RateLimitPause } from './rateLimits.ts';
import { type Answer, answerOf, type Fetch, type OpenTransport, plainRequest } from './transport.ts';
import {
  addressAt,
  type ApiPath,
  destinationOf,
  encodeParameters,
  instanceUrlOf,
  type Parameters,
  pathOf,
  withinInstance,
} from './url.ts';

/** How one record is asked for or changed. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request as the resources put it. */
export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: ApiPath;
  /** An address that the instance gave for the call's path, such as a next page's, in the place of path and query. */
  readonly address?: URL | undefined;
  readonly query?: Parameters | undefined;
  /** Sent as JSON. */
  readonly body?: Parameters | undefined;
  /** The ETag of what the caller has: makes the request conditional, and 304 an answer. */
  readonly etag?: string | undefined;
  /** Whether a request that may have been carried out is not repeated, although its method allows it. */
  readonly once?: boolean | undefined;
}

/** A successful answer. */
export interface Reply extends Answer {
  /** The body; undefined if there is none. */
  readonly json: unknown;
  readonly facts: RequestFacts;
  /** The address that answered, after redirects. */
  readonly url: URL;
}

/** One exchange with the instance, for a log. Holds no ids, no queries and no token. */
export interface LogEntry {
  readonly method: string;
  readonly pathTemplate: string;
  /** The status of the response; undefined if none came. */
  readonly status: number | undefined;
  /** From the request to the end of the body. */
  readonly milliseconds: number;
  /** What kept the response from coming, such as `ECONNRESET`; undefined if it came. */
  readonly fault: string | undefined;
}

/** Gives a token. @param rejected one that is not accepted: another one is wanted. */
export type AskToken = (rejected?: string) => string | undefined | Promise<string | undefined>;

/** What sends requests. */
export interface SenderOptions {
  /** What sends the requests, and is closed by the caller; connections of its own if not given. */
  readonly fetch?: Fetch | undefined;
  /** Called after each exchange with the instance. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  /** Time, for tests. */
  readonly clock?: Clock | undefined;
}

/** How to reach an instance, and as whom. */
export interface ClientOptions extends SenderOptions {
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
  /** How many times a GET, PUT or DELETE is repeated after a passing fault; 2 if not given. POST and PATCH never are. */
  readonly retries?: number | undefined;
  /** Called with each answer that says that the token is not accepted, unless it is replaced: unknown, expired or revoked. */
  readonly onRejected?: ((error: ApiError<'notSignedIn'>) => void) | undefined;
}

const userAgent = 'beacon-gitlab';
/** Milliseconds until the headers, and then for the body. Connecting counts to the headers. */
const timeouts = { headers: 30_000, body: 60_000 };
const maxRedirects = 5;
/** Ids of projects that are remembered by their paths. */
const mostProjects = 500;
/** Requests that are under way at once: more of them would wait at the instance, and keep others from it. */
const mostAtOnce = 16;
/** Milliseconds that a request waits for a rate limit or a `Retry-After` at most; beyond it, it fails. */
const maxWait = 30_000;
const firstBackoff = 500;
const maxBackoff = 8_000;

/** Sends single requests and receives their answers, whole or not at all. Follows nothing, repeats nothing. */
export class Sender {
  readonly clock: Clock;
  readonly #transport: OpenTransport;
  readonly #log: (entry: LogEntry) => void;

  constructor({ fetch, log = () => undefined, clock = systemClock }: SenderOptions) {
    this.clock = clock;
    this.#transport = fetch ? { fetch, close: async () => undefined } : openTransport();
    this.#log = log;
  }

  /** @throws ApiError `unavailable` if no whole answer came, `aborted` if the signal was. */
  async exchange(
    facts: RequestFacts,
    url: URL,
    { headers, body }: { readonly headers: Record<string, string>; readonly body?: string | undefined },
    signal?: AbortSignal,
  ): Promise<Answer> {
    // Not AbortSignal.any: what it leaves to the garbage collector is a good part of the cost of a request.
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal?.addEventListener('abort', abort);
    const startedAt = this.clock.now();
    const { method, pathTemplate } = facts;
    let late: keyof typeof timeouts | undefined;
    const limit = (phase: keyof typeof timeouts) =>
      this.clock.after(timeouts[phase], () => {
        late = phase;
        abort();
      });
    let stopTimer = limit('headers');
    let status: number | undefined;
    let fault: string | undefined;
    try {
      signal?.throwIfAborted();
      const response = await this.#transport.fetch(url.href, {
        method,
        headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
        ...(body === undefined ? {} : { body }),
        signal: controller.signal,
        ...plainRequest,
      });
      ({ status } = response);
      stopTimer();
      stopTimer = limit('body');
      return await answerOf(response);
    } catch (thrown) {
      const problem = signal?.aborted
        ? ({ reason: 'aborted', detail: 'aborted' } as const)
        : ({
            reason: 'unavailable',
            ...(late ? ({ kind: 'timeout', detail: late, mayHaveArrived: true } as const) : faultOf(thrown, url)),
          } as const);
      fault = problem.detail;
      throw apiError({ ...facts, status }, problem);
    } finally {
      stopTimer();
      signal?.removeEventListener('abort', abort);
      this.#log({ method, pathTemplate, status, milliseconds: this.clock.now() - startedAt, fault });
    }
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}

/** The headers that carry a token. */
export function tokenHeaders(token: string | undefined, bearer = false): Record<string, string> {
  if (token === undefined) {
    return {};
  }
  return bearer ? { authorization: `Bearer ${token}` } : { 'private-token': token };
}

/** Carries out calls: token, redirects, rate limits, repetitions, sharing of equal requests. */
export class Requester {
  readonly #options: ClientOptions;
  readonly #instanceUrl: URL;
  readonly #base: string;
  readonly #sender: Sender;
  readonly #pause: RateLimitPause;
  readonly #inFlight = new InFlight<Reply>();
  /** By the encoded paths at which projects were seen. */
  readonly #projectIds = new Map<string, number>();
  #isClosed = false;
  #free = mostAtOnce;
  readonly #waiting = new Set<() => void>();

  /** @throws TypeError if the instance's URL is not http or https, or has credentials, query or fragment. */
  constructor(options: ClientOptions) {
    this.#options = options;
    this.#instanceUrl = instanceUrlOf(options.instanceUrl);
    this.#base = `${pathOf(this.#instanceUrl)}/api/v4`;
    this.#sender = new Sender(options);
    this.#pause = new RateLimitPause(this.#sender.clock);
  }

  /**
   * Sends a call and waits for its successful answer. Equal GETs under way share one request.
   *
   * @throws ApiError for every other outcome, TypeError for what cannot be sent.
   */
  async send(call: Call): Promise<Reply> {
    const { method, path, query = {}, body = {}, etag, signal } = call;
    const search = encodeParameters(query);
    // What a query cannot hold, no body is to hold either.
    encodeParameters(body);
    const url = call.address ?? addressAt(this.#instanceUrl, this.#base + path.encoded, search);
    const { host: instance, origin } = this.#instanceUrl;
    const instanceUrl = origin + pathOf(this.#instanceUrl);
    const facts = { method, pathTemplate: path.template, instance, instanceUrl };
    try {
      // Nobody else joins a change.
      const key = method === 'GET' ? `${url.pathname}${url.search}\n${etag ?? ''}` : Symbol(method);
      return await this.#inFlight.join(key, signal, (shared) => this.#carryOut(call, url, facts, shared), withOwnJson);
    } catch (error) {
      throw !isApiError(error) && (signal?.aborted === true || this.#isClosed)
        ? apiError(facts, { reason: 'aborted' })
        : error;
    } finally {
      if (method !== 'GET') {
        // A GET that began before this change, be it made or perhaps made, may carry what was there before.
        this.#inFlight.forgetAll();
      }
    }
  }

  /** Ends all that is under way or waits, and refuses what comes, both as aborted: nothing more is sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#inFlight.close();
    await this.#sender.close();
  }

  /**
   * The address that the instance gave, at the client's own origin and below its own API: behind a proxy an instance may know
   * itself by another host, and by another path.
   *
   * @returns undefined for what is no address of an API.
   */
  addressOf(given: URL | null): URL | undefined {
    const start = given && /^https?:$/.test(given.protocol) ? given.pathname.indexOf('/api/v4/') : -1;
    if (!given || start < 0) {
      return undefined;
    }
    const pathname = this.#base + given.pathname.slice(start + '/api/v4'.length);
    return withinInstance(this.#instanceUrl, addressAt(this.#instanceUrl, pathname, given.search));
  }

  /** Remembers the id of a project, by which it is found again where a redirect is seen but not where it leads to. */
  rememberProject({ encoded }: ApiPath, id: number): void {
    if (this.#projectIds.size === mostProjects) {
      this.#projectIds.clear();
    }
    this.#projectIds.set(encoded, id);
  }

  /** Repeats a call while that is safe and may help. */
  async #carryOut(call: Call, first: URL, facts: RequestFacts, signal: AbortSignal): Promise<Reply> {
    const { retries = 2, onRejected = () => undefined } = this.#options;
    let url = first;
    let mayHaveActed = false;
    let isReplaced = false;
    for (let attempt = 1; ; attempt += 1) {
      await this.#waitForRateLimit(facts, signal);
      const token = await this.#token(facts, signal);
      // A random time between half and all of a growing one, so that clients do not return all at once.
      const backoff = Math.ceil(Math.min(maxBackoff, firstBackoff * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2));
      try {
        return await this.#attempt(call, url, facts, token, backoff, signal);
      } catch (error) {
        if (isApiError(error, 'notSignedIn') && token !== undefined) {
          const other = isReplaced ? token : await this.#token(facts, signal, token);
          if (other !== undefined && other !== token) {
            isReplaced = true;
            if (isRepeatable(call)) {
              continue;
            }
            const { status, sentence } = error;
            throw apiError({ ...facts, status }, { reason: 'notSignedIn', sentence, isReplaced });
          }
          onRejected(error);
        }
        if (call.method === 'DELETE' && mayHaveActed && isApiError(error, 'notFound')) {
          // The attempt before this one did its work; only its answer was lost.
          return { status: 204, header: () => undefined, text: '', json: undefined, facts, url };
        }
        const failure = isApiError(error, 'unavailable') ? error : undefined;
        const byId = failure?.detail === 'HIDDEN_REDIRECT' && isRepeatable(call) ? this.#urlById(url) : undefined;
        if (byId) {
          url = byId;
          continue;
        }
        const hasActed = failure?.mayHaveArrived === true;
        const wait = Math.max(backoff, failure?.retryAfter ?? 0, this.#pause.remaining);
        const isFinal = !isRepeatable(call) || attempt > retries || (call.once === true && hasActed);
        if (isFinal || !isPassing(error) || wait > maxWait) {
          throw error;
        }
        mayHaveActed ||= hasActed;
        await this.#sender.clock.sleep(wait, signal);
      }
    }
  }

  async #waitForRateLimit(facts: RequestFacts, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Again after waiting: another request may have been refused meanwhile.
    while (this.#pause.remaining > 0) {
      if (this.#pause.remaining > maxWait) {
        throw apiError(facts, { reason: 'rateLimited', retryAt: this.#pause.retryAt });
      }
      await this.#sender.clock.sleep(this.#pause.remaining, signal);
      signal.throwIfAborted();
    }
  }

  async #token(facts: RequestFacts, signal: AbortSignal, rejected?: string): Promise<string | undefined> {
    let token: unknown = this.#options.token;
    if (typeof token === 'function') {
      const { promise: left, reject } = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      token = await Promise.race([(token as AskToken)(rejected), left]);
    }
    if (token !== undefined && !(typeof token === 'string' && /^[\x21-\x7E]+$/.test(token))) {
      throw apiError(facts, { reason: 'notSignedIn', sentence: 'The token holds characters that no token has.' });
    }
    return token;
  }

  /** Sends a call once and follows its redirects. */
  async #attempt(
    call: Call,
    first: URL,
    facts: RequestFacts,
    token: string | undefined,
    backoff: number,
    signal: AbortSignal,
  ): Promise<Reply> {
    const clean = cleaning(token);
    const body = call.body && JSON.stringify(call.body);
    const headers = {
      ...tokenHeaders(token, this.#options.bearer),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(call.etag === undefined ? {} : { 'if-none-match': call.etag }),
    };
    let url = first;
    await this.#takePlace(signal);
    try {
      for (let redirects = 0; ; redirects += 1) {
        const answer = withoutToken(await this.#sender.exchange(facts, url, { headers, body }, signal), token);
        const { status } = answer;
        this.#pause.observe(answer, backoff);
        const requestId = answer.header('x-request-id');
        const answered = { ...facts, status, requestId: requestId === undefined ? undefined : clean(requestId, 200) };
        if (status === 429) {
          throw apiError(answered, { reason: 'rateLimited', retryAt: this.#pause.retryAt });
        }
        if (!redirectStatuses.has(status)) {
          const isUnchanged = status === 304 && call.etag !== undefined;
          const json = isUnchanged ? undefined : jsonOf(answer, answered, clean, url);
          return { ...answer, json, facts: answered, url };
        }
        url = this.#destination(call, url, answer, answered, clean);
        if (redirects === maxRedirects) {
          throw apiError(answered, { reason: 'notAnInstance', found: 'redirects without an end' });
        }
      }
    } finally {
      this.#leavePlace();
    }
  }

  /** Where a redirect leads to, if a client may follow it with its token. */
  #destination(call: Call, from: URL, answer: Answer, facts: RequestFacts, clean: Clean): URL {
    const { url, foreignOrigin } = destinationOf(this.#instanceUrl, from, answer.header('location'));
    const isMove = answer.status !== 302 && answer.status !== 303;
    if (isMove && !url && foreignOrigin === undefined) {
      throw apiError(facts, { reason: 'notAnInstance', found: 'a redirect that leads nowhere' });
    }
    if (!isMove || !url?.pathname.startsWith(`${this.#base}/`)) {
      throw errorOfRedirect(foreignOrigin, facts, clean);
    }
    if (!isRepeatable(call)) {
      // Whether the instance has carried it out already is not known: to send it again could do it twice.
      throw apiError(facts, { reason: 'refused' });
    }
    return url;
  }

  /** The address of the same by the id of its project; undefined if that is not known, or the address has it already. */
  #urlById({ pathname, search }: URL): URL | undefined {
    const below = pathname.slice(this.#base.length);
    const path = /^\/projects\/[^/]+/.exec(below)?.[0] ?? '';
    const id = this.#projectIds.get(path);
    return id === undefined || path === `/projects/${id}`
      ? undefined
      : addressAt(this.#instanceUrl, `${this.#base}/projects/${id}${below.slice(path.length)}`, search);
  }

  /** Waits until fewer than all that may be are under way, in the order of the calls. */
  async #takePlace(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => {
      this.#waiting.delete(resolve);
      reject(signal.reason as Error);
    });
    await promise;
  }

  #leavePlace(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else {
      this.#free += 1;
    }
  }
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a request that was carried out twice comes to the same as one that was carried out once. */
function isRepeatable({ method }: Call): boolean {
  return method !== 'POST' && method !== 'PATCH';
}

/** Callers own the records that they get. So those who share a reply do not share its JSON. */
function withOwnJson(reply: Reply): Reply {
  return reply.json === undefined ? reply : { ...reply, json: JSON.parse(reply.text) as unknown };
}
