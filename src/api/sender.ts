import { openTransport } from '#platform/transport.ts';
import { type Clock, systemClock } from '../common/clock.ts';
import { apiError, type RequestFacts } from './errors.ts';
import { faultOf } from './faults.ts';
import { type Answer, answerOf, type Fetch, type OpenTransport, plainRequest } from './transport.ts';

/** One exchange with the instance, for a log. Holds no ids, no queries and no token. */
export interface LogEntry {
  readonly method: string;
  readonly pathTemplate: string;
  /** Undefined if no response came. */
  readonly status: number | undefined;
  /** From the request to the end of the body. */
  readonly milliseconds: number;
  /** What kept the response from coming, such as `ECONNRESET`. */
  readonly fault: string | undefined;
}

export interface SenderOptions {
  /** What sends the requests, and is closed by the caller; connections of its own if not given. */
  readonly fetch?: Fetch | undefined;
  /** Called after each exchange with the instance. */
  readonly log?: ((entry: LogEntry) => void) | undefined;
  readonly clock?: Clock | undefined;
}

export interface Content {
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Milliseconds until the headers, and then for the body. Connecting counts to the headers. */
const timeouts = { headers: 30_000, body: 60_000 };

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

  /**
   * @param controller ends the request when it is aborted; a time limit that passes aborts it, too.
   * @throws ApiError `unavailable` if no whole answer came, `aborted` if the controller was.
   */
  async exchange(
    facts: RequestFacts,
    url: URL,
    { headers, body }: Content,
    controller: AbortController,
  ): Promise<Answer> {
    const { signal } = controller;
    const startedAt = this.clock.now();
    const { method, pathTemplate } = facts;
    let late: keyof typeof timeouts | undefined;
    const limit = (phase: keyof typeof timeouts) =>
      this.clock.after(timeouts[phase], () => {
        late = phase;
        controller.abort();
      });
    let stopTimer = limit('headers');
    let status: number | undefined;
    let fault: string | undefined;
    try {
      signal.throwIfAborted();
      const response = await this.#transport.fetch(url.href, {
        method,
        headers: { accept: 'application/json', 'user-agent': 'beacon-gitlab', ...headers },
        ...(body === undefined ? {} : { body }),
        signal,
        ...plainRequest,
      });
      ({ status } = response);
      stopTimer();
      stopTimer = limit('body');
      return await answerOf(response);
    } catch (thrown) {
      if (signal.aborted && !late) {
        fault = 'aborted';
        throw apiError({ ...facts, status }, { reason: 'aborted' });
      }
      const failure = late ? ({ kind: 'timeout', detail: late, mayHaveArrived: true } as const) : faultOf(thrown, url);
      fault = failure.detail;
      throw apiError({ ...facts, status }, { reason: 'unavailable', ...failure });
    } finally {
      stopTimer();
      this.#log({ method, pathTemplate, status, milliseconds: this.clock.now() - startedAt, fault });
    }
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}

/** The headers that carry a token: those of OAuth travel as `Bearer`. */
export function tokenHeaders(token: string | undefined, bearer = false): Record<string, string> {
  if (token === undefined) {
    return {};
  }
  return bearer ? { authorization: `Bearer ${token}` } : { 'private-token': token };
}
