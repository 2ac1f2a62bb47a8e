import { atOrigin, destinationOf } from './addresses.ts';
import type { Clock } from './clock.ts';
import { type ApiPath, encodeParameters, type Parameters } from './encoding.ts';
import {
  AbortedError,
  ApiError,
  MovedElsewhereError,
  NotAnInstanceError,
  NotFoundError,
  NotSignedInError,
  RateLimitedError,
  type RequestFacts,
  TooLongError,
  UnavailableError,
} from './errors.ts';
import { type Fault, faultOf } from './faults.ts';
import { InFlight } from './inFlight.ts';
import { RateLimitPause, retryAfterOf } from './rateLimits.ts';
import { type Answer, describeContent, errorOfStatus, jsonOf, malformed, type Redact } from './responses.ts';
import type { Transport } from './transport.ts';

/** A request as the resources put it. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: ApiPath;
  /** An address that the instance gave for the call's path, such as a next page's, in the place of path and query. */
  readonly address?: URL | undefined;
  readonly query?: Parameters | undefined;
  /** Sent as JSON. */
  readonly body?: Parameters | undefined;
  /** The ETag of what the caller has: makes the request conditional, and 304 an answer. */
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A successful answer. */
export interface Reply {
  /** 200 to 299, or 304 if the call was conditional. */
  readonly status: number;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The body; undefined if there is none. Callers may share it: it is not to be changed. */
  readonly json: unknown;
  readonly facts: RequestFacts;
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

/** A redirect that was followed: callers that keep the old path may replace it. */
export interface Move {
  readonly pathTemplate: string;
  /** The path below `/api/v4` that was asked for, URL-encoded, such as `/projects/old%2Fname/events`. */
  readonly from: string;
  /** The path that answers for it now, such as `/projects/42/events`. */
  readonly to: string;
  /** Whether the instance calls the move permanent (301, 308). */
  readonly permanent: boolean;
}

/** Milliseconds for the phases of a request. Opening a connection counts to `connect` and to `headers`. */
export interface Timeouts {
  readonly connect: number;
  readonly headers: number;
  readonly body: number;
}

export interface RequesterOptions {
  readonly instanceUrl: URL;
  readonly transport: Transport;
  readonly token: () => Promise<string | undefined>;
  readonly timeouts: Timeouts;
  /** How many times a GET, PUT or DELETE is repeated at most. */
  readonly retries: number;
  /** The longest time in milliseconds that a request waits for a rate limit or a `Retry-After`; beyond it, it fails. */
  readonly maxWait: number;
  /** The longest path and query in bytes that the instance takes, if known. */
  readonly maxTargetLength: number | undefined;
  readonly userAgent: string;
  readonly log: (entry: LogEntry) => void;
  readonly onMoved: (move: Move) => void;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** What one attempt came to. */
type Outcome =
  | { readonly reply: Reply }
  | {
      readonly error: ApiError;
      /** Whether asking again may help. */
      readonly transient?: boolean;
      /** Whether the instance may have acted on the request. */
      readonly mayHaveActed?: boolean;
      /** Milliseconds that the instance asks to wait. */
      readonly retryAfter?: number | undefined;
    };

const maxRedirects = 5;
const firstBackoff = 500;
const maxBackoff = 8_000;

/** Carries out calls: token, redirects, rate limits, repetitions, timeouts, sharing of equal requests, errors. */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #base: string;
  readonly #pause: RateLimitPause;
  readonly #inFlight = new InFlight<Reply>();

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.#base = `${options.instanceUrl.pathname.replace(/\/+$/, '')}/api/v4`;
    this.#pause = new RateLimitPause(options.clock);
  }

  /**
   * Sends a call and waits for its successful answer. Equal GETs under way share one request.
   *
   * @throws ApiError for every other outcome.
   */
  async send(call: Call): Promise<Reply> {
    const url = this.#urlOf(call);
    const facts = this.#factsOf(call);
    try {
      call.signal?.throwIfAborted();
      if (call.method === 'GET') {
        const key = `${url.pathname}${url.search}\n${call.etag ?? ''}`;
        return await this.#inFlight.join(key, call.signal, (signal) => this.#persist(call, url, facts, signal));
      }
      const reply = await this.#persist(call, url, facts, call.signal ?? new AbortController().signal);
      // A GET that began before this change may carry what was there before.
      this.#inFlight.forgetAll();
      return reply;
    } catch (error) {
      throw call.signal?.aborted === true && !(error instanceof ApiError) ? new AbortedError(facts) : error;
    }
  }

  /** The address of a path and query that the instance gave, at the client's own origin. */
  addressOf(given: URL): URL {
    return atOrigin(this.#options.instanceUrl.origin, given);
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

  #factsOf({ method, path }: Call, answer?: Answer, redact: Redact = (text) => text): RequestFacts {
    const requestId = answer?.header('x-request-id');
    return {
      method,
      pathTemplate: path.template,
      instance: this.#options.instanceUrl.host,
      status: answer?.status,
      requestId: requestId === undefined ? undefined : redact(requestId),
    };
  }

  /** Repeats a call while that is safe and may help. */
  async #persist(call: Call, url: URL, facts: RequestFacts, signal: AbortSignal): Promise<Reply> {
    const { retries, maxWait, maxTargetLength, clock } = this.#options;
    const targetLength = url.pathname.length + url.search.length;
    if (maxTargetLength !== undefined && targetLength > maxTargetLength) {
      throw new TooLongError(facts, targetLength, maxTargetLength);
    }
    // A request that is not repeatable by its method could be carried out twice.
    const attempts = call.method === 'POST' || call.method === 'PATCH' ? 1 : 1 + retries;
    let mayHaveActed = false;
    for (let attempt = 1; ; attempt += 1) {
      await this.#waitForRateLimit(facts, signal);
      const backoff = this.#backoff(attempt);
      const outcome = await this.#attempt(call, url, facts, signal, backoff);
      if ('reply' in outcome) {
        return outcome.reply;
      }
      const { error, transient = false, retryAfter = 0 } = outcome;
      if (call.method === 'DELETE' && mayHaveActed && error instanceof NotFoundError) {
        // The attempt before this one did its work; only its answer was lost.
        return { status: 204, header: () => undefined, json: undefined, facts: { ...facts, status: 204 } };
      }
      if (!transient || attempt >= attempts || retryAfter > maxWait) {
        throw error;
      }
      mayHaveActed ||= outcome.mayHaveActed === true;
      if (!(error instanceof RateLimitedError)) {
        await clock.sleep(Math.max(backoff, retryAfter), signal);
      }
    }
  }

  async #waitForRateLimit(facts: RequestFacts, signal: AbortSignal): Promise<void> {
    // Again after waiting: another request may have been refused meanwhile.
    while (this.#pause.remaining > 0 && !signal.aborted) {
      if (this.#pause.remaining > this.#options.maxWait) {
        throw new RateLimitedError(facts, this.#pause.retryAt);
      }
      await this.#options.clock.sleep(this.#pause.remaining, signal);
    }
    if (signal.aborted) {
      throw new AbortedError(facts);
    }
  }

  /** A random time between half and all of an exponentially growing one, so that clients do not return all at once. */
  #backoff(attempt: number): number {
    return Math.min(maxBackoff, firstBackoff * 2 ** (attempt - 1)) * (0.5 + this.#options.random() / 2);
  }

  /** Sends a call once and follows its redirects. */
  async #attempt(call: Call, first: URL, facts: RequestFacts, signal: AbortSignal, backoff: number): Promise<Outcome> {
    const token = await this.#options.token();
    if (token !== undefined && !/^[\x21-\x7E]+$/.test(token)) {
      return { error: new NotSignedInError(facts, 'The token holds characters that no token has.') };
    }
    const redact = redacting(token);
    let url = first;
    for (let redirects = 0; ; redirects += 1) {
      const received = await this.#exchange(call, url, token, signal);
      if (signal.aborted) {
        return { error: new AbortedError(facts) };
      }
      if ('fault' in received) {
        const { kind, detail, mayHaveArrived } = received.fault;
        return {
          error: new UnavailableError({ ...facts, status: received.status }, kind, redact(detail)),
          transient: isTransient(received.fault),
          mayHaveActed: mayHaveArrived,
        };
      }
      const { answer } = received;
      const answered = this.#factsOf(call, answer, redact);
      this.#pause.observe(answer, backoff);
      if (![301, 307, 308].includes(answer.status)) {
        return this.#outcomeOf(call, url, answer, answered, redact);
      }
      const destination = destinationOf(url, answer.header('location'));
      if (destination === undefined || redirects === maxRedirects) {
        return { error: new NotAnInstanceError(answered, 'a redirect that leads nowhere') };
      }
      if ('foreignOrigin' in destination) {
        return { error: new MovedElsewhereError(answered, redact(destination.foreignOrigin)) };
      }
      this.#options.onMoved({
        pathTemplate: call.path.template,
        from: this.#belowBase(url),
        to: this.#belowBase(destination.url),
        permanent: answer.status !== 307,
      });
      url = destination.url;
    }
  }

  #belowBase(url: URL): string {
    return url.pathname.startsWith(`${this.#base}/`) ? url.pathname.slice(this.#base.length) : url.pathname;
  }

  #outcomeOf(call: Call, url: URL, answer: Answer, facts: RequestFacts, redact: Redact): Outcome {
    const { status } = answer;
    if (status === 429) {
      return { error: new RateLimitedError(facts, this.#pause.retryAt), transient: true };
    }
    if (status === 502 || status === 503 || status === 504) {
      const retryAfter = retryAfterOf(answer, this.#options.clock.now());
      return { error: new UnavailableError(facts, 'status'), transient: true, mayHaveActed: true, retryAfter };
    }
    if (status === 304 && call.etag !== undefined) {
      return { reply: { status, header: answer.header, json: undefined, facts } };
    }
    if (status >= 400) {
      return { error: errorOfStatus(answer, facts, redact, url.pathname.length + url.search.length) };
    }
    if (status < 200 || status > 299) {
      return { error: new NotAnInstanceError(facts, `status ${status}`) };
    }
    if (answer.text === '') {
      return { reply: { status, header: answer.header, json: undefined, facts } };
    }
    const json = jsonOf(answer);
    if (json === undefined) {
      return { error: new NotAnInstanceError(facts, describeContent(answer)) };
    }
    if (json === malformed) {
      return { error: new UnavailableError(facts, 'network', 'MALFORMED_BODY'), transient: true, mayHaveActed: true };
    }
    if (isFailureInDisguise(json)) {
      return { error: new UnavailableError(facts, 'status', 'error') };
    }
    return { reply: { status, header: answer.header, json, facts } };
  }

  /** One request and its response, whole or not at all. */
  async #exchange(
    call: Call,
    url: URL,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly answer: Answer } | { readonly fault: Fault; readonly status: number | undefined }> {
    const { clock, timeouts, transport, userAgent, log } = this.#options;
    const timedOut = new AbortController();
    const startedAt = clock.now();
    let phase: 'headers' | 'body' = 'headers';
    let status: number | undefined;
    let fault: Fault | undefined;
    let stopTimer = clock.after(timeouts.headers, () => timedOut.abort());
    try {
      const response = await transport.send({
        method: call.method,
        url,
        headers: {
          accept: 'application/json',
          'user-agent': userAgent,
          ...(token === undefined ? {} : { 'private-token': token }),
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.etag === undefined ? {} : { 'if-none-match': call.etag }),
        },
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        signal: AbortSignal.any([signal, timedOut.signal]),
      });
      status = response.status;
      phase = 'body';
      stopTimer();
      stopTimer = clock.after(timeouts.body, () => timedOut.abort());
      return { answer: { status, header: (name) => response.header(name), text: await response.text() } };
    } catch (thrown) {
      fault = timedOut.signal.aborted ? { kind: 'timeout', detail: phase, mayHaveArrived: true } : faultOf(thrown);
      return { fault, status };
    } finally {
      stopTimer();
      log({
        method: call.method,
        pathTemplate: call.path.template,
        status,
        milliseconds: clock.now() - startedAt,
        fault: signal.aborted ? 'aborted' : fault?.detail,
      });
    }
  }
}

/** Faults that may be over a moment later. An instance that is too slow to answer is not helped by asking it again. */
function isTransient({ kind, detail }: Fault): boolean {
  return (
    kind === 'network' || (kind === 'dns' && detail !== 'ENOTFOUND') || (kind === 'timeout' && detail === 'connect')
  );
}

/** A service behind the instance that fails may be reported with status 200 and `{"status": "error"}`. */
function isFailureInDisguise(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'status' in json && json.status === 'error' && !('id' in json);
}

function redacting(token: string | undefined): Redact {
  if (token === undefined) {
    return (text) => text;
  }
  const forms = [token, encodeURIComponent(token), token.toLowerCase()];
  return (text) => forms.reduce((result, form) => result.replaceAll(form, '[token]'), text);
}
