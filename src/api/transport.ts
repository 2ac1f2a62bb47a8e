import { BodyTooLongError } from './faults.ts';

/** One HTTP exchange, whatever carries it out. A transport follows no redirects and repeats nothing. */
export interface Transport {
  /** Resolves when the headers are there; rejects with whatever the carrier throws. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes the connections that the transport opened itself. */
  close(): Promise<void>;
}

export interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** The value of a header, by its name in lower case; several values are joined by a comma. */
  readonly header: (name: string) => string | undefined;
  /** The body, which must be read exactly once. */
  bytes(): Promise<Uint8Array>;
}

/** The part of the platform's `fetch` that the client uses. */
export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
    readonly cache: 'no-store';
    readonly credentials: 'omit';
    readonly referrerPolicy: 'no-referrer';
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Null is an empty one. */
  readonly body: AsyncIterable<Uint8Array> | null;
}>;

/** More than any page of the API holds, unpacked; a body that exceeds it is a fault, not a reason to run out of memory. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Collects a body in one buffer that grows by doubling: a list of pieces of one byte would take a hundred times their memory. */
export class BodyCollector {
  #buffer = new Uint8Array();
  #length = 0;

  /** @throws BodyTooLongError if there are more than `maxBodyBytes`. */
  add(piece: Uint8Array): void {
    const start = this.#length;
    this.#length += piece.length;
    if (this.#length > maxBodyBytes) {
      throw new BodyTooLongError();
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

/** Reads a body whole; rejects when it exceeds the bound. */
async function bytesOf(body: AsyncIterable<Uint8Array> | readonly Uint8Array[]): Promise<Uint8Array> {
  const collector = new BodyCollector();
  for await (const piece of body) {
    collector.add(piece);
  }
  return collector.bytes;
}

const utf8 = new TextDecoder();

/** Decodes UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

/** Sends by a function like the platform's `fetch`, such as the editor's, which knows the proxies of the system. */
export function fetchTransport(fetch: Fetch): Transport {
  return {
    async send({ method, url, headers, body, signal }) {
      const response = await fetch(url.href, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal,
        redirect: 'manual',
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        bytes: () => bytesOf(response.body ?? []),
      };
    },
    async close() {},
  };
}
