import type { Clock } from '../common/clock.ts';
import {
  bodyOf,
  type Clean,
  cleaning,
  contentLabel,
  errorOfRedirect,
  errorOfStatus,
  type Fault,
  faultOf,
  isTransient,
  malformed,
  sentenceOf,
} from './answers.ts';
import { type ApiError, apiError, isApiError, type Problem, type RequestFacts } from './errors.ts';
import { InFlight } from './inFlight.ts';
import { RateLimitPause, retryAfterOf } from './rateLimits.ts';
import { type Answer, answerOf, type OpenTransport, plainRequest } from './transport.ts';
import {
  type ApiPath,
  checkParameters,
  destinationOf,
  encodeParameters,
  type Parameters,
  pathOf,
  withinInstance,
} from './url.ts';

/** How one record is asked for or changed. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request as the resources put it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: ApiPath;
  /** An address that the instance gave for the call's path, such as a next page's, in the place of path and query. */
  readonly address?: URL | undefined;
  readonly query?: Parameters | undefined;
  /** Sent as JSON. */
  readonly body?: Parameters | undefined;
  /** Sent as it is, encoded as forms are. */
  readonly form?: string | undefined;
  /** The ETag of what the caller has: makes the request conditional, and 304 an answer. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
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
export interface Sender {
  readonly transport: OpenTransport;
  /** Whether the token travels as `Authorization: Bearer`. */
  readonly bearer: boolean;
  readonly log: (entry: LogEntry) => void;
  readonly clock: Clock;
}

export interface RequesterOptions extends Sender {
  readonly instanceUrl: URL;
  readonly token: string | undefined | AskToken;
  /** How many times a GET, PUT or DELETE is repeated at most. */
  readonly retries: number;
  /** The longest time in milliseconds that a request waits for a rate limit or a `Retry-After`; beyond it, it fails. */
  readonly maxWait: number;
  /** Called with each answer that says that the token is not accepted, unless it is replaced. */
  readonly onRejected: (error: ApiError<'notSignedIn'>) => void;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** What came of an exchange: a whole answer, or what kept it from coming, after a status or before. */
type Received = { readonly answer: Answer } | { readonly fault: Fault; readonly status: number | undefined };

/** What one attempt came to. */
type AttemptOutcome =
  | { readonly reply: Reply }
  | {
      readonly error: ApiError;
      /** Whether asking again may help. */
      readonly transient?: boolean;
      /** Whether the instance may have acted on the request. */
      readonly mayHaveActed?: boolean;
      /** Milliseconds that the instance asks to wait. */
      readonly retryAfter?: number | undefined;
      /** The token that is not accepted. */
      readonly rejected?: string | undefined;
    };

export const userAgent = 'beacon-gitlab';
/** Milliseconds until the headers, and then for the body. Connecting counts to the headers. */
const headersTimeout = 30_000;
const bodyTimeout = 60_000;
const maxRedirects = 5;
/** Ids of projects that are remembered by their paths. */
const mostProjects = 500;
/** Requests that are under way at once: more of them would wait at the instance, and keep others from it. */
const mostAtOnce = 16;
const firstBackoff = 500;
const maxBackoff = 8_000;

/** Sends one request and receives its response, whole or not at all. Follows nothing, repeats nothing, never rejects. */
export async function exchange(
  { clock, transport, bearer, log }: Sender,
  call: Call,
  url: URL,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Received> {
  // Not AbortSignal.any: what it leaves to the garbage collector is a good part of the cost of a request.
  const controller = new AbortController();
  const forwardAbort = () => controller.abort();
  signal.addEventListener('abort', forwardAbort);
  const startedAt = clock.now();
  let phase: 'headers' | 'body' = 'headers';
  let status: number | undefined;
  let fault: Fault | undefined;
  let isLate = false;
  const expire = () => {
    isLate = true;
    controller.abort();
  };
  let stopTimer = clock.after(headersTimeout, expire);
  const body = call.body === undefined ? call.form : JSON.stringify(call.body);
  try {
    signal.throwIfAborted();
    const response = await transport.fetch(url.href, {
      method: call.method,
      headers: headersOf(call, token, bearer),
      ...(body === undefined ? {} : { body }),
      signal: controller.signal,
      ...plainRequest,
    });
    status = response.status;
    phase = 'body';
    stopTimer();
    stopTimer = clock.after(bodyTimeout, expire);
    return { answer: await answerOf(response) };
  } catch (thrown) {
    fault = isLate ? { kind: 'timeout', detail: phase, mayHaveArrived: true } : faultOf(thrown, url);
    return { fault, status };
  } finally {
    stopTimer();
    signal.removeEventListener('abort', forwardAbort);
    log({
      method: call.method,
      pathTemplate: call.path.template,
      status,
      milliseconds: clock.now() - startedAt,
      fault: signal.aborted ? 'aborted' : fault?.detail,
    });
  }
}

function headersOf(call: Call, token: string | undefined, bearer: boolean): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': userAgent,
    ...(token === undefined ? {} : bearer ? { authorization: `Bearer ${token}` } : { 'private-token': token }),
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(call.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(call.etag === undefined ? {} : { 'if-none-match': call.etag }),
  };
}

/** Carries out calls: token, redirects, rate limits, repetitions, timeouts, sharing of equal requests, errors. */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #base: string;
  readonly #pause: RateLimitPause;
  readonly #inFlight = new InFlight<Reply>(withOwnJson);
  /** By the encoded paths at which projects were seen. */
  readonly #projectIds = new Map<string, number>();
  #underWay = 0;
  readonly #waiting = new Set<() => void>();

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.#base = `${pathOf(options.instanceUrl)}/api/v4`;
    this.#pause = new RateLimitPause(options.clock);
  }

  /**
   * Sends a call and waits for its successful answer. Equal GETs under way share one request.
   *
   * @throws ApiError for every other outcome.
   */
  async send(call: Call): Promise<Reply> {
    checkParameters({ ...call.query, ...call.body });
    const url = this.#urlOf(call);
    const facts = this.#factsOf(call);
    try {
      // Nobody else joins a change.
      const key = call.method === 'GET' ? `${url.pathname}${url.search}\n${call.etag ?? ''}` : Symbol(call.method);
      return await this.#inFlight.join(key, call.signal, (signal) => this.#sendWithRetry(call, url, facts, signal));
    } catch (error) {
      throw call.signal?.aborted === true && !isApiError(error) ? apiError(facts, { reason: 'aborted' }) : error;
    } finally {
      if (call.method !== 'GET') {
        // A GET that began before this change, be it made or perhaps made, may carry what was there before.
        this.#inFlight.forgetAll();
      }
    }
  }

  /** Ends all that is under way or waits, and refuses what comes, both as aborted: nothing more is sent. */
  async close(): Promise<void> {
    this.#inFlight.close();
    await this.#options.transport.close();
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
    const url = new URL(given);
    url.pathname = this.#base + given.pathname.slice(start + '/api/v4'.length);
    return withinInstance(this.#options.instanceUrl, url);
  }

  /** Remembers the id of a project, by which it is found again where a redirect is seen but not where it leads to. */
  rememberProject({ encoded }: ApiPath, id: number): void {
    this.#projectIds.set(encoded, id);
    const [oldest] = this.#projectIds.keys();
    if (this.#projectIds.size > mostProjects && oldest !== undefined) {
      this.#projectIds.delete(oldest);
    }
  }

  #urlOf({ path, query, address }: Call): URL {
    if (address !== undefined) {
      return address;
    }
    const url = new URL(this.#options.instanceUrl.origin);
    url.pathname = this.#base + path.encoded;
    url.search = encodeParameters(query ?? {});
    return url;
  }

  #factsOf({ method, path }: Call, answer?: Answer, clean?: Clean): RequestFacts {
    const { instanceUrl } = this.#options;
    const requestId = answer?.header('x-request-id');
    return {
      method,
      pathTemplate: path.template,
      instance: instanceUrl.host,
      instanceUrl: instanceUrl.origin + pathOf(instanceUrl),
      status: answer?.status,
      requestId: requestId === undefined ? undefined : clean?.(requestId, 200),
    };
  }

  /** Repeats a call while that is safe and may help. */
  async #sendWithRetry(call: Call, url: URL, facts: RequestFacts, signal: AbortSignal): Promise<Reply> {
    const { retries, maxWait, clock } = this.#options;
    // A request that is not repeatable by its method could be carried out twice.
    const attempts = isRepeatable(call) ? 1 + retries : 1;
    let mayHaveActed = false;
    let isReplaced = false;
    for (let attempt = 1; ; attempt += 1) {
      await this.#waitForRateLimit(facts, signal);
      const backoff = this.#backoff(attempt);
      const outcome = await this.#whenFree(signal, () => this.#attempt(call, url, facts, signal, backoff));
      if ('reply' in outcome) {
        return outcome.reply;
      }
      const { error, transient = false, retryAfter = 0, rejected } = outcome;
      if (rejected !== undefined && error.reason === 'notSignedIn') {
        if (!isReplaced && (await this.#isReplaced(rejected, facts, signal))) {
          if (!isRepeatable(call)) {
            throw apiError({ ...facts, status: error.status }, { ...problemIn(error), isReplaced: true });
          }
          isReplaced = true;
          continue;
        }
        this.#options.onRejected(error);
      }
      if (call.method === 'DELETE' && mayHaveActed && error.reason === 'notFound') {
        // The attempt before this one did its work; only its answer was lost.
        const done = { ...facts, status: 204 };
        return { status: 204, header: () => undefined, text: '', json: undefined, facts: done, url };
      }
      const wouldRepeat = call.once === true && outcome.mayHaveActed === true;
      if (!transient || wouldRepeat || attempt >= attempts || Math.max(retryAfter, this.#pause.remaining) > maxWait) {
        throw error;
      }
      mayHaveActed ||= outcome.mayHaveActed === true;
      if (error.reason !== 'rateLimited') {
        await clock.sleep(Math.max(backoff, retryAfter), signal);
      }
    }
  }

  /** Runs an attempt as soon as fewer than all that may be are under way, in the order of the calls; at once if it is aborted. */
  async #whenFree<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
    let hasPlace = this.#underWay < mostAtOnce;
    if (hasPlace) {
      this.#underWay += 1;
    } else {
      hasPlace = await new Promise<boolean>((resolve) => {
        const take = () => {
          signal.removeEventListener('abort', leave);
          resolve(true);
        };
        const leave = () => {
          this.#waiting.delete(take);
          resolve(false);
        };
        this.#waiting.add(take);
        signal.addEventListener('abort', leave, { once: true });
      });
    }
    try {
      return await attempt();
    } finally {
      const [next] = this.#waiting;
      if (hasPlace && next) {
        this.#waiting.delete(next);
        next();
      } else if (hasPlace) {
        this.#underWay -= 1;
      }
    }
  }

  async #waitForRateLimit(facts: RequestFacts, signal: AbortSignal): Promise<void> {
    // Again after waiting: another request may have been refused meanwhile.
    while (this.#pause.remaining > 0 && !signal.aborted) {
      if (this.#pause.remaining > this.#options.maxWait) {
        throw apiError(facts, { reason: 'rateLimited', retryAt: this.#pause.retryAt });
      }
      await this.#options.clock.sleep(this.#pause.remaining, signal);
    }
    if (signal.aborted) {
      throw apiError(facts, { reason: 'aborted' });
    }
  }

  /** A random time between half and all of an exponentially growing one, so that clients do not return all at once. */
  #backoff(attempt: number): number {
    return Math.min(maxBackoff, firstBackoff * 2 ** (attempt - 1)) * (0.5 + this.#options.random() / 2);
  }

  /** The token, or undefined if the signal is aborted while it is awaited. */
  async #token(signal: AbortSignal, rejected?: string): Promise<string | undefined> {
    const { token } = this.#options;
    if (typeof token !== 'function') {
      return token;
    }
    const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
    const leave = () => resolve(undefined);
    signal.addEventListener('abort', leave);
    try {
      return await Promise.race([token(rejected), aborted]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Whether there is another token than one that is not accepted. */
  async #isReplaced(rejected: string, facts: RequestFacts, signal: AbortSignal): Promise<boolean> {
    const other = await this.#token(signal, rejected);
    if (signal.aborted) {
      throw apiError(facts, { reason: 'aborted' });
    }
    return other !== undefined && other !== rejected;
  }

  /** Sends a call once and follows its redirects. */
  async #attempt(
    call: Call,
    first: URL,
    facts: RequestFacts,
    signal: AbortSignal,
    backoff: number,
  ): Promise<AttemptOutcome> {
    const token = await this.#token(signal);
    if (token !== undefined && !(typeof token === 'string' && /^[\x21-\x7E]+$/.test(token))) {
      const sentence = 'The token holds characters that no token has.';
      return { error: apiError(facts, { reason: 'notSignedIn', sentence }) };
    }
    const clean = cleaning(token);
    let url = first;
    for (let redirects = 0; ; redirects += 1) {
      const received = await exchange(this.#options, call, url, token, signal);
      if ('fault' in received) {
        const { fault, status } = received;
        const byId = fault.detail === 'HIDDEN_REDIRECT' && isRepeatable(call) ? this.#urlById(url) : undefined;
        if (byId && !signal.aborted) {
          url = byId;
          continue;
        }
        return signal.aborted
          ? { error: apiError(facts, { reason: 'aborted' }) }
          : {
              error: apiError({ ...facts, status }, { reason: 'unavailable', ...fault, detail: clean(fault.detail) }),
              transient: isTransient(fault),
              mayHaveActed: fault.mayHaveArrived,
            };
      }
      const { answer } = received;
      const answered = this.#factsOf(call, answer, clean);
      this.#pause.observe(answer, backoff);
      if (![301, 302, 303, 307, 308].includes(answer.status)) {
        const outcome = this.#outcomeOf(call, url, answer, answered, clean);
        return 'error' in outcome && outcome.error.reason === 'notSignedIn' ? { ...outcome, rejected: token } : outcome;
      }
      const { url: destination, foreignOrigin } = destinationOf(
        this.#options.instanceUrl,
        url,
        answer.header('location'),
      );
      const isMove = answer.status !== 302 && answer.status !== 303;
      if (isMove && ((!destination && foreignOrigin === undefined) || redirects === maxRedirects)) {
        return { error: apiError(answered, { reason: 'notAnInstance', found: 'a redirect that leads nowhere' }) };
      }
      if (!isMove || !destination?.pathname.startsWith(`${this.#base}/`)) {
        return { error: errorOfRedirect(foreignOrigin, answered, clean) };
      }
      if (!isRepeatable(call)) {
        // Whether the instance has carried it out already is not known: to send it again could do it twice.
        return { error: apiError(answered, { reason: 'refused' }) };
      }
      url = destination;
    }
  }

  /** The address of the same by the id of its project; undefined if that is not known, or the address has it already. */
  #urlById(url: URL): URL | undefined {
    const below = url.pathname.slice(this.#base.length);
    const path = /^\/projects\/[^/]+/.exec(below)?.[0] ?? '';
    const id = this.#projectIds.get(path);
    if (id === undefined || path === `/projects/${id}`) {
      return undefined;
    }
    const byId = new URL(url);
    byId.pathname = `${this.#base}/projects/${id}${below.slice(path.length)}`;
    return byId;
  }

  #outcomeOf(call: Call, url: URL, answer: Answer, facts: RequestFacts, clean: Clean): AttemptOutcome {
    const { status } = answer;
    if (status === 429) {
      return { error: apiError(facts, { reason: 'rateLimited', retryAt: this.#pause.retryAt }), transient: true };
    }
    if (status >= 400) {
      const error = errorOfStatus(answer, facts, clean, url.pathname.length + url.search.length);
      const retryAfter = retryAfterOf(answer, this.#options.clock.date().getTime());
      const isPassing = [502, 503, 504].includes(status) && error.reason === 'unavailable';
      return isPassing ? { error, transient: true, mayHaveActed: true, retryAfter } : { error };
    }
    const reply = { ...answer, json: undefined, facts, url };
    if (status === 304 && call.etag !== undefined) {
      return { reply };
    }
    const notAnInstance = (found: string) => ({ error: apiError(facts, { reason: 'notAnInstance', found }) });
    if (status < 200 || status > 299) {
      return notAnInstance(`status ${status}`);
    }
    if (answer.text === '') {
      return { reply };
    }
    const { json, excess } = bodyOf(answer);
    if (excess !== undefined) {
      return notAnInstance(`a body of ${excess}`);
    }
    if (json === undefined) {
      return notAnInstance(clean(contentLabel(answer)));
    }
    if (json === malformed) {
      const error = apiError(facts, { reason: 'unavailable', kind: 'network', detail: 'MALFORMED_BODY' });
      return { error, transient: true, mayHaveActed: true };
    }
    if (isFailureInDisguise(json)) {
      const sentence = sentenceOf(json, clean);
      return { error: apiError(facts, { reason: 'unavailable', kind: 'status', detail: 'error', sentence }) };
    }
    return { reply: { ...reply, json } };
  }
}

function problemIn({ reason, sentence }: ApiError<'notSignedIn'>): Problem<'notSignedIn'> {
  return { reason, sentence };
}

/** Whether a request that was carried out twice comes to the same as one that was carried out once. */
function isRepeatable({ method }: Call): boolean {
  return method !== 'POST' && method !== 'PATCH';
}

/** Callers own the records that they get. So those who share a reply do not share its JSON. */
function withOwnJson(reply: Reply): Reply {
  return reply.json === undefined ? reply : { ...reply, json: JSON.parse(reply.text) as unknown };
}

/** A service behind the instance that fails may be reported with status 200 and `{"status": "error"}`. */
function isFailureInDisguise(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'status' in json && json.status === 'error' && !('id' in json);
}
