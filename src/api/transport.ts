import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
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
  text(): Promise<string>;
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
  /** Where it is missing, `text` bounds it; null is an empty one. */
  readonly body?: AsyncIterable<Uint8Array> | null;
  text(): Promise<string>;
}>;

/** More than any page of the API holds, unpacked; a body that exceeds it is a fault, not a reason to run out of memory. */
const maxBodyBytes = 16 * 1024 * 1024;

const gunzipAsync = promisify(gunzip);

/**
 * Sends by undici.
 *
 * @param dispatcher What opens the connections, such as a ProxyAgent. Its owner closes it.
 */
export function undiciTransport(connectTimeout: number, dispatcher?: Dispatcher): Transport {
  // Timeouts for headers and body are the caller's, who can distinguish the phases for every kind of transport.
  const own = dispatcher ?? new Agent({ connect: { timeout: connectTimeout } });
  return {
    async send({ method, url, headers, body, signal }) {
      const response = await own.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { ...headers, 'accept-encoding': 'gzip' },
        body: body ?? null,
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const header = (name: string) => joined(response.headers[name]);
      return {
        status: response.statusCode,
        header,
        text: async () => {
          const bytes = await bytesOf(response.body);
          return textOf(header('content-encoding')?.toLowerCase() === 'gzip' ? await decompress(bytes) : bytes);
        },
      };
    },
    async close() {
      if (dispatcher === undefined) {
        await own.destroy();
      }
    },
  };
}

/** Reads a body whole; rejects when it exceeds the bound. */
async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBodyBytes) {
      throw new BodyTooLongError();
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

async function decompress(bytes: Uint8Array): Promise<Uint8Array> {
  // A 204 or 304 has no body, and may still carry the header of the answer that it stands for.
  try {
    return bytes.length === 0 ? bytes : await gunzipAsync(bytes, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    throw error instanceof RangeError ? new BodyTooLongError() : error;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
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
        text: async () => {
          if (response.body === undefined) {
            return await response.text();
          }
          return response.body === null ? '' : textOf(await bytesOf(response.body));
        },
      };
    },
    async close() {},
  };
}
