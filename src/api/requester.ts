import { destinationOf, withinInstance } from './addresses.ts';
import { type ApiPath, checkParameters, encodeParameters } from './encoding.ts';
import {
  AbortedError,
  type ApiError,
  InFrontError,
  isApiError,
  NotAnInstanceError,
  NotFoundError,
  NotSignedInError,
  RateLimitedError,
  RefusedError,
  type RequestFacts,
  TooLongError,
  UnavailableError,
} from './errors.ts';
import { type Call, exchange, type ExchangeOptions, type Reply } from './exchange.ts';
import { isTransient } from './faults.ts';
import { InFlight } from './inFlight.ts';
import { RateLimitPause, retryAfterOf } from './rateLimits.ts';
import {
  type Answer,
  contentLabel,
  errorOfRedirect,
  errorOfStatus,
  ExcessiveBody,
  jsonOf,
  malformed,
  type Redact,
  redacting,
  sentenceOf,
} from './responses.ts';

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

/** Gives a token. @param rejected one that is not accepted: another one is wanted. */
export type AskToken = (rejected?: string) => string | undefined | Promise<string | undefined>;

export interface RequesterOptions extends ExchangeOptions {
  readonly instanceUrl: URL;
  readonly token: string | undefined | AskToken;
  /** How many times a GET, PUT or DELETE is repeated at most. */
  readonly retries: number;
  /** The longest time in milliseconds that a request waits for a rate limit or a `Retry-After`; beyond it, it fails. */
  readonly maxWait: number;
  /** The longest path and query in bytes that the instance takes, if known. */
  readonly maxTargetLength: number | undefined;
  readonly onMoved: (move: Move) => void;
  /** Called with each answer that says that the token is not accepted, unless it is replaced. */
  readonly onRejected: (error: NotSignedInError) => void;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

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

const maxRedirects = 5;
/** Ids of projects that are remembered by their paths. */
const mostProjects = 500;
/** Requests that are under way at once: more of them would wait at the instance, and keep others from it. */
const mostAtOnce = 16;
const firstBackoff = 500;
const maxBackoff = 8_000;

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
    this.#base = `${options.instanceUrl.pathname.replace(/(?<!\/)\/+$/, '')}/api/v4`;
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
      throw call.signal?.aborted === true && !isApiError(error) ? new AbortedError(facts) : error;
    } finally {
      if (call.method !== 'GET') {
        // A GET that began before this change, be it made or perhaps made, may carry what was there before.
        this.#inFlight.forgetAll();
      }
    }
  }

  /** Ends all that is under way or waits, and refuses what comes, both with an AbortedError: nothing more is sent. */
  async close(): Promise<void> {
    this.#inFlight.close();
    await this.#options.transport.close();
  }

  /**
   * The address of a path and query that the instance gave, at the client's own origin.
   *
   * @param given an address, or a path that begins with a slash, with its query.
   * @returns undefined for a place outside of the instance, such as that of another program at the same host.
   */
  addressOf(given: URL | string): URL | undefined {
    const { instanceUrl } = this.#options;
    return withinInstance(instanceUrl, given instanceof URL ? given : new URL(instanceUrl.origin + given));
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

  #factsOf({ method, path }: Call, answer?: Answer, redact: Redact = (text) => text): RequestFacts {
    const requestId = answer?.header('x-request-id');
    return {
      method,
      pathTemplate: path.template,
      instance: this.#options.instanceUrl.host,
      instanceUrl: this.#options.instanceUrl.href.replace(/(?<!\/)\/+$/, ''),
      status: answer?.status,
      requestId: requestId === undefined ? undefined : redact(requestId),
    };
  }

  /** Repeats a call while that is safe and may help. */
  async #sendWithRetry(call: Call, url: URL, facts: RequestFacts, signal: AbortSignal): Promise<Reply> {
    const { retries, maxWait, maxTargetLength, clock } = this.#options;
    const targetLength = url.pathname.length + url.search.length;
    if (maxTargetLength !== undefined && targetLength > maxTargetLength) {
      throw new TooLongError(facts, targetLength, maxTargetLength);
    }
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
      if (rejected !== undefined && error instanceof NotSignedInError) {
        if (!isReplaced && (await this.#isReplaced(rejected, facts, signal))) {
          if (!isRepeatable(call)) {
            throw new NotSignedInError({ ...facts, status: error.status }, error.sentence, true);
          }
          isReplaced = true;
          continue;
        }
        this.#options.onRejected(error);
      }
      if (call.method === 'DELETE' && mayHaveActed && error instanceof NotFoundError) {
        // The attempt before this one did its work; only its answer was lost.
        return {
          status: 204,
          header: () => undefined,
          text: '',
          json: undefined,
          facts: { ...facts, status: 204 },
          url,
        };
      }
      const wouldRepeat = call.once === true && outcome.mayHaveActed === true;
      if (!transient || wouldRepeat || attempt >= attempts || Math.max(retryAfter, this.#pause.remaining) > maxWait) {
        throw error;
      }
      mayHaveActed ||= outcome.mayHaveActed === true;
      if (!(error instanceof RateLimitedError)) {
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
      throw new AbortedError(facts);
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
      return { error: new NotSignedInError(facts, 'The token holds characters that no token has.') };
    }
    const redact = redacting(token);
    let url = first;
    for (let redirects = 0; ; redirects += 1) {
      const received = await exchange(this.#options, call, url, token, signal);
      if ('fault' in received && signal.aborted) {
        return { error: new AbortedError(facts) };
      }
      const byId =
        'fault' in received && received.fault.detail === 'HIDDEN_REDIRECT' && isRepeatable(call)
          ? this.#urlById(url)
          : undefined;
      if (byId) {
        this.#notifyOfMove(call, url, byId, true);
        url = byId;
        continue;
      }
      if ('fault' in received) {
        const { kind, detail, mayHaveArrived } = received.fault;
        return {
          error: new UnavailableError({ ...facts, status: received.status }, kind, redact(detail), received.fault),
          transient: isTransient(received.fault),
          mayHaveActed: mayHaveArrived,
        };
      }
      const { answer } = received;
      const answered = this.#factsOf(call, answer, redact);
      this.#pause.observe(answer, backoff);
      if (![301, 302, 303, 307, 308].includes(answer.status)) {
        const outcome = this.#outcomeOf(call, url, answer, answered, redact);
        return 'error' in outcome && outcome.error instanceof NotSignedInError
          ? { ...outcome, rejected: token }
          : outcome;
      }
      const destination = destinationOf(this.#options.instanceUrl, url, answer.header('location'));
      const isMove = answer.status !== 302 && answer.status !== 303;
      if (isMove && (destination === undefined || redirects === maxRedirects)) {
        return { error: new NotAnInstanceError(answered, 'a redirect that leads nowhere') };
      }
      if (!isMove || !destination || !('url' in destination) || !this.#isOfApi(destination.url)) {
        return { error: errorOfRedirect(destination, answered, redact) };
      }
      if (!isRepeatable(call)) {
        // Whether the instance has carried it out already is not known: to send it again could do it twice.
        return { error: new RefusedError(answered) };
      }
      this.#notifyOfMove(call, url, destination.url, answer.status !== 307, redact);
      url = destination.url;
    }
  }

  #notifyOfMove(call: Call, from: URL, to: URL, permanent: boolean, redact: Redact = (text) => text): void {
    this.#options.onMoved({
      pathTemplate: call.path.template,
      from: this.#belowBase(from),
      to: redact(this.#belowBase(to)),
      permanent,
    });
  }

  /** The address of the same by the id of its project; undefined if that is not known, or the address has it already. */
  #urlById(url: URL): URL | undefined {
    const path = /^\/projects\/[^/]+/.exec(this.#belowBase(url))?.[0] ?? '';
    const id = this.#projectIds.get(path);
    if (id === undefined) {
      return undefined;
    }
    const byId = new URL(url);
    byId.pathname = `${this.#base}/projects/${id}${this.#belowBase(url).slice(path.length)}`;
    return byId;
  }

  #isOfApi(url: URL): boolean {
    return url.pathname.startsWith(`${this.#base}/`);
  }

  #belowBase(url: URL): string {
    return this.#isOfApi(url) ? url.pathname.slice(this.#base.length) : url.pathname;
  }

  #outcomeOf(call: Call, url: URL, answer: Answer, facts: RequestFacts, redact: Redact): AttemptOutcome {
    const { status, header, text } = answer;
    const reply = { status, header, text, json: undefined, facts, url };
    const errorOf = () => errorOfStatus(answer, facts, redact, url.pathname.length + url.search.length);
    if (status === 429) {
      return { error: new RateLimitedError(facts, this.#pause.retryAt), transient: true };
    }
    if (status === 502 || status === 503 || status === 504) {
      const retryAfter = retryAfterOf(answer, this.#options.clock.date().getTime());
      const error = errorOf();
      return error instanceof InFrontError ? { error } : { error, transient: true, mayHaveActed: true, retryAfter };
    }
    if (status === 304 && call.etag !== undefined) {
      return { reply };
    }
    if (status >= 400) {
      return { error: errorOf() };
    }
    if (status < 200 || status > 299) {
      return { error: new NotAnInstanceError(facts, `status ${status}`) };
    }
    if (text === '') {
      return { reply };
    }
    const json = jsonOf(answer);
    if (json instanceof ExcessiveBody) {
      return { error: new NotAnInstanceError(facts, `a body of ${json.excess}`) };
    }
    if (json === undefined) {
      return { error: new NotAnInstanceError(facts, redact(contentLabel(answer))) };
    }
    if (json === malformed) {
      return { error: new UnavailableError(facts, 'network', 'MALFORMED_BODY'), transient: true, mayHaveActed: true };
    }
    if (isFailureInDisguise(json)) {
      return { error: new UnavailableError(facts, 'status', 'error', { sentence: sentenceOf(json, redact) }) };
    }
    return { reply: { ...reply, json } };
  }
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
