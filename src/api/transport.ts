/** What all requests have in common: no cookie, no cache, no referrer, and a redirect is looked at first. */
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

/** A transport with what closes the connections that it opened. */
export interface OpenTransport {
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

/** The answer is longer than any page of the API. */
export class BodyTooLongError extends Error {
  readonly code = 'BODY_TOO_LONG';
}

/** More than any page of the API holds, unpacked; a body that exceeds it is a fault, not a reason to run out of memory. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Collects a body in one buffer that grows by doubling: a list of pieces of one byte would take a hundred times their memory. */
export class BodyCollector {
  #buffer: Uint8Array = new Uint8Array();
  #length = 0;

  /** @throws BodyTooLongError if there are more than `maxBodyBytes`. */
  add(piece: Uint8Array): void {
    const start = this.#length;
    this.#length += piece.length;
    if (this.#length > maxBodyBytes) {
      throw new BodyTooLongError();
    }
    if (start === 0) {
      // Most bodies come in one piece, which need not be copied.
      this.#buffer = piece;
      return;
    }
    if (this.#length > this.#buffer.length) {
      const before = this.#buffer;
      this.#buffer = new Uint8Array(Math.max(this.#length, Math.min(2 * before.length, maxBodyBytes)));
      this.#buffer.set(before);
    }
    this.#buffer.set(piece, start);
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}

const utf8 = new TextDecoder();

/** A response that was received whole. */
export interface Answer {
  readonly status: number;
  /** The value of a header, by its name in lower case; several values are joined by a comma. */
  readonly header: (name: string) => string | undefined;
  /** The body as text. */
  readonly text: string;
}

/** Reads a response whole; rejects when its body exceeds the bound. */
export async function answerOf({ status, headers, body }: FetchResponse): Promise<Answer> {
  const collector = new BodyCollector();
  for await (const piece of body ?? []) {
    collector.add(piece);
  }
  return { status, header: (name) => headers.get(name) ?? undefined, text: utf8.decode(collector.bytes) };
}
