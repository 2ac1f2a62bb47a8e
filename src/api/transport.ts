import { type Clock, systemClock } from '../common/clock.ts';
import { apiError, type RequestFacts } from './errors.ts';
import { faultOf } from './faults.ts';

export const plainRequest = {
  redirect: 'manual',
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} as const;

/** The part of the platform's `fetch` that the client uses, and all that a transport is. It follows nothing and repeats nothing. */
export type Fetch = (
  url: string,
  init: typeof plainRequest & {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<FetchResponse>;

/** What a transport answers with: the body, unpacked, is read at most once; null is an empty one. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}

export interface OpenTransport {
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

/** What kept a whole answer from coming, by a code as the errors of Node have one. */
export class TransportFault extends Error {
  override readonly name = 'TransportFault';
  readonly code: string;
  /** The SHA-256 fingerprint of the certificate that came instead of the one trusted. */
  readonly fingerprint: string | undefined;

  constructor(code: string, { fingerprint, cause }: { readonly fingerprint?: string; readonly cause?: unknown } = {}) {
    super(code, { cause });
    this.code = code;
    this.fingerprint = fingerprint;
  }
}

/** More than any page of the API holds, unpacked. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** What a piece takes of memory besides its bytes: a body in pieces of one byte would take a hundred times its length. */
const leastPiece = 128;

export class BodyCollector {
  readonly pieces: Uint8Array[] = [];
  #left = maxBodyBytes;

  /** @throws TransportFault if the body is too long. */
  add(piece: Uint8Array): void {
    this.#left -= Math.max(piece.length, leastPiece);
    if (this.#left < 0) {
      throw new TransportFault('BODY_TOO_LONG');
    }
    this.pieces.push(piece);
  }
}

export interface Answer {
  readonly status: number;
  /** The value of a header, by its name in lower case; several values are joined by a comma. */
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** @throws TransportFault if the body is too long. */
export async function collected(body: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const collector = new BodyCollector();
  for await (const piece of body) {
    collector.add(piece);
  }
  return collector.pieces;
}

/** @throws TransportFault if the body is too long. */
export async function answerOf({ status, headers, body }: FetchResponse): Promise<Answer> {
  const pieces = body ? await collected(body) : [];
  // Piece by piece: memory for the whole would cost more than all else that is done with an answer.
  const utf8 = new TextDecoder();
  const texts = pieces.map((piece) => utf8.decode(piece, { stream: true }));
  const text = texts.join('') + utf8.decode();
  return { status, header: (name) => headers.get(name) ?? undefined, text };
}

export interface ExchangeOptions {
  /** Gets a line for each exchange. It holds no ids, no queries and no token. */
  readonly log?: ((line: string) => void) | undefined;
  readonly clock?: Clock | undefined;
}

export interface Content {
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Milliseconds until the headers, connecting included, and from then on for the body. */
const timeouts = { headers: 30_000, body: 60_000 };

/**
 * Sends one request and receives its answer, whole or not at all. Follows nothing, repeats nothing.
 *
 * @param controller ends the request when it is aborted; a time limit that passes aborts it, too.
 * @throws ApiError `unavailable` if no whole answer came, `aborted` if the controller was.
 */
export async function exchange(
  fetch: Fetch,
  facts: RequestFacts,
  url: URL,
  { headers, body }: Content,
  controller: AbortController,
  { log, clock = systemClock }: ExchangeOptions = {},
): Promise<Answer> {
  const { signal } = controller;
  const startedAt = clock.now();
  const { method, pathTemplate } = facts;
  let late: keyof typeof timeouts | undefined;
  const limit = (phase: keyof typeof timeouts) =>
    clock.after(timeouts[phase], () => {
      if (phase === 'headers' && status !== undefined) {
        // One timer is enough for most requests: what the headers did not need is left to the body.
        stopTimer = limit('body');
        return;
      }
      late = phase;
      controller.abort();
    });
  let status: number | undefined;
  let stopTimer = limit('headers');
  let fault: string | undefined;
  try {
    signal.throwIfAborted();
    const response = await fetch(url.href, {
      method,
      headers: { accept: 'application/json', 'user-agent': 'beacon-gitlab', ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
      ...plainRequest,
    });
    ({ status } = response);
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
    log?.(`${method} ${pathTemplate} ${status ?? fault ?? ''} ${Math.round(clock.now() - startedAt)} ms`);
  }
}
