import { type Clock, systemClock } from '../common/clock.ts';
import { normalizeInstanceUrl } from '../common/instanceUrl.ts';
import { jsonOf } from './answers.ts';
import { type ApiError, apiError, isApiError, type RequestFacts } from './errors.ts';
import { isPassing } from './faults.ts';
import { InFlight } from './inFlight.ts';
import { RateLimitPause } from './rateLimits.ts';
import { type Clean, cleaning, withoutToken } from './secrets.ts';
import { type Answer, exchange, type ExchangeOptions, type OpenTransport } from './transport.ts';
import { addressAt, type ApiPath, encodeParameters, isWithin, type Parameters, pathOf } from './url.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Call extends CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: ApiPath;
  /** An address that the instance gave, such as a next page's, in the place of path and query. */
  readonly address?: URL | undefined;
  readonly query?: Parameters | undefined;
  readonly body?: Parameters | undefined;
  /** A body of secrets, in the place of `body`: nothing that is said of the request repeats them. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Makes the request conditional, and 304 an answer. */
  readonly etag?: string | undefined;
  /** Whether a request that may have been carried out is not repeated, although its method allows it. */
  readonly once?: boolean;
}

export interface Reply extends Answer {
  readonly json: unknown;
  readonly facts: RequestFacts;
  /** The address that answered, after redirects. */
  readonly url: URL;
}

/** Gives a token. @param rejected one that is not accepted: another one is wanted. */
export type AskToken = (rejected?: string) => string | undefined | Promise<string | undefined>;

export interface ClientOptions extends ExchangeOptions {
  /** Closed with the client. */
  readonly transport: OpenTransport;
  /** Such as `https://gitlab.com` or `https://host.example/gitlab`. */
  readonly instanceUrl: string;
  /**
   * Without one, requests are anonymous. A function is asked before each request, and again with a token that is not accepted: with
   * another one a GET, PUT or DELETE is sent once more; a POST or PATCH fails as `notSignedIn` and says that the token is replaced.
   */
  readonly token?: string | AskToken | undefined;
  readonly bearer?: boolean | undefined;
  /** Repetitions of a GET, PUT or DELETE after a passing fault; 2 if not given. */
  readonly retries?: number | undefined;
  /** The token is not accepted, and not replaced. */
  readonly onRejected?: ((error: ApiError<'notSignedIn'>) => void) | undefined;
}

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** More of them would wait at the instance, and keep others from it. */
const mostAtOnce = 16;
/** Milliseconds that a request waits for a rate limit or a `Retry-After`; beyond it, it fails. */
const maxWait = 30_000;
const firstBackoff = 500;
const maxBackoff = 8_000;

export class Requester {
  readonly #options: ClientOptions;
  readonly #instanceUrl: URL;
  readonly #path: string;
  readonly #base: string;
  readonly #facts: Pick<RequestFacts, 'instance' | 'instanceUrl'>;
  readonly #clock: Clock;
  readonly #pause: RateLimitPause;
  readonly #inFlight = new InFlight<Reply>();
  #active = 0;
  #waiting: (() => void)[] = [];

  /** @throws TypeError if no instance can have the URL. */
  constructor(options: ClientOptions) {
    const instanceUrl = normalizeInstanceUrl(options.instanceUrl);
    if (instanceUrl === undefined) {
      // Without it: it may hold a password.
      throw new TypeError('The address of an instance is like https://gitlab.example.com, without a user');
    }
    this.#options = options;
    this.#instanceUrl = new URL(instanceUrl);
    this.#path = pathOf(this.#instanceUrl);
    this.#base = `${this.#path}/api/v4`;
    this.#facts = { instance: this.#instanceUrl.host, instanceUrl };
    this.#clock = options.clock ?? systemClock;
    this.#pause = new RateLimitPause(this.#clock);
  }

  /**
   * Sends a call and waits for its successful answer. Equal GETs under way share one request.
   *
   * @throws ApiError for every other outcome, TypeError for what cannot be sent.
   */
  async send(call: Call): Promise<Reply> {
    const { method = 'GET', path, query = {}, body = {}, etag = '', signal } = call;
    // What a query cannot hold, no body is to hold either.
    encodeParameters(body);
    const url = call.address ?? addressAt(this.#instanceUrl, this.#path + path.encoded, encodeParameters(query));
    const facts = this.factsOf(call);
    // Nobody else joins a change.
    const key = method === 'GET' ? `${url.pathname}${url.search}\n${etag}` : Symbol(method);
    try {
      return await this.#inFlight.join(facts, key, signal, (own) => this.#carryOut(call, url, facts, own), withOwnJson);
    } finally {
      if (method !== 'GET') {
        // A GET that began before this change, be it made or perhaps made, may carry what was there before.
        this.#inFlight.forgetAll();
      }
    }
  }

  /** Ends all that is under way or waits, and refuses what comes, both as aborted. */
  async close(): Promise<void> {
    this.#inFlight.close();
    await this.#options.transport.close();
  }

  factsOf({ method = 'GET', path }: Call): RequestFacts {
    return { ...this.#facts, method, pathTemplate: path.template };
  }

  /**
   * The address that the instance gave, at the client's own origin and below its own API: behind a proxy an instance may know
   * itself by another host, and by another path. Undefined for what is no address of an API.
   */
  addressOf(given: URL | null): URL | undefined {
    const start = given && /^https?:$/.test(given.protocol) ? given.pathname.indexOf('/api/v4/') : -1;
    if (!given || start < 0) {
      return undefined;
    }
    const pathname = this.#base + given.pathname.slice(start + '/api/v4'.length);
    const url = addressAt(this.#instanceUrl, pathname, given.search);
    return isWithin(this.#instanceUrl, url) ? url : undefined;
  }

  async #carryOut(call: Call, url: URL, facts: RequestFacts, controller: AbortController): Promise<Reply> {
    const { retries = 2, onRejected } = this.#options;
    const { signal } = controller;
    let mayHaveActed = false;
    let isReplaced = false;
    for (let attempt = 1; ; attempt += 1) {
      await this.#waitForRateLimit(facts, signal);
      const token = await this.#token(facts, signal);
      // A random time between half and all of a growing one, so that clients do not return all at once.
      const backoff = Math.ceil(Math.min(maxBackoff, firstBackoff * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2));
      try {
        return await this.#attempt(call, url, facts, token, backoff, controller);
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
          onRejected?.(error);
        }
        if (call.method === 'DELETE' && mayHaveActed && isApiError(error, 'notFound')) {
          // The attempt before this one did its work; only its answer was lost.
          return { status: 204, header: () => undefined, text: '', json: undefined, facts, url };
        }
        const failure = isApiError(error, 'unavailable') ? error : undefined;
        const hasActed = failure?.mayHaveArrived === true;
        const wait = Math.max(backoff, failure?.retryAfter ?? 0, this.#pause.remaining);
        const isFinal = !isRepeatable(call) || attempt > retries || (call.once === true && hasActed);
        if (isFinal || !isPassing(error) || wait > maxWait) {
          throw error;
        }
        mayHaveActed ||= hasActed;
        await this.#clock.sleep(wait, signal);
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
      await this.#clock.sleep(this.#pause.remaining, signal);
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

  async #attempt(
    call: Call,
    first: URL,
    facts: RequestFacts,
    token: string | undefined,
    backoff: number,
    controller: AbortController,
  ): Promise<Reply> {
    const { form } = call;
    const clean = cleaning(token, ...Object.values(form ?? {}));
    const body = form ? new URLSearchParams(form).toString() : call.body && JSON.stringify(call.body);
    const headers = {
      ...(token === undefined
        ? {}
        : this.#options.bearer === true
          ? { authorization: `Bearer ${token}` }
          : { 'private-token': token }),
      ...(body === undefined ? {} : { 'content-type': `application/${form ? 'x-www-form-urlencoded' : 'json'}` }),
      ...(call.etag === undefined ? {} : { 'if-none-match': call.etag }),
    };
    let url = first;
    await this.#takePlace(controller.signal);
    try {
      for (let redirects = 0; ; redirects += 1) {
        const content = { headers, body };
        const answer = withoutToken(
          await exchange(this.#options.transport.fetch, facts, url, content, controller, this.#options),
          token,
        );
        const { status } = answer;
        this.#pause.observe(answer, backoff);
        const requestId = answer.header('x-request-id');
        // Cleaned where it is of use: in an error.
        const answered = {
          ...facts,
          status,
          get requestId() {
            return requestId === undefined ? undefined : clean(requestId, 200);
          },
        };
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
      this.#active -= 1;
      this.#waiting.splice(0).forEach((wake) => wake());
    }
  }

  /** In the order of the calls. */
  async #takePlace(signal: AbortSignal): Promise<void> {
    while (this.#active >= mostAtOnce) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        signal.addEventListener('abort', () => resolve());
      });
      signal.throwIfAborted();
    }
    this.#active += 1;
  }

  /**
   * Where a redirect leads to, if a client may follow it with its token: one by which a project has moved. One that differs in the
   * scheme alone is followed at the client's own: behind a proxy an instance may not know that it is called by https.
   */
  #destination(call: Call, from: URL, { status, header }: Answer, facts: RequestFacts, clean: Clean): URL {
    const isMove = status !== 302 && status !== 303;
    const given = URL.parse(header('location') ?? 'none:', from.href);
    const to = given && /^https?:$/.test(given.protocol) ? given : undefined;
    const isOwn = to?.host === from.host && isWithin(this.#instanceUrl, to);
    const url = isOwn ? addressAt(this.#instanceUrl, to.pathname, to.search) : undefined;
    // A redirect from http to https alone would be followed in a circle: the client has to be given https.
    if (to && (to.host !== from.host || (url?.href === from.href && to.origin !== from.origin))) {
      // From http to https of one host it is sent to its own API, whatever the status.
      const isPage = !isMove && to.hostname !== from.hostname;
      throw apiError(facts, { reason: 'movedElsewhere', foreignOrigin: clean(to.origin, 200), isPage });
    }
    if (isMove && !url) {
      throw apiError(facts, { reason: 'notAnInstance', found: 'a redirect that leads nowhere' });
    }
    if (!isMove || !url?.pathname.startsWith(`${this.#base}/`)) {
      throw apiError(facts, { reason: 'inFront', obstacle: 'page' });
    }
    if (!isRepeatable(call)) {
      // Whether the instance has carried it out already is not known: to send it again could do it twice.
      throw apiError(facts, { reason: 'refused' });
    }
    return url;
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
