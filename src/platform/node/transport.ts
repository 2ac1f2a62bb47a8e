import { Agent, type Dispatcher } from 'undici';
import { BodyTooLongError } from '../../api/faults.ts';
import { chunksOf, maxBodyBytes, type Transport } from '../../api/transport.ts';
import { decompress } from './compression.ts';

export type { Dispatcher };

/**
 * Sends by undici.
 *
 * @param connectTimeout milliseconds.
 * @param dispatcher What opens the connections, such as a ProxyAgent. Its owner closes it.
 */
export function platformTransport(connectTimeout: number, dispatcher?: Dispatcher): Transport {
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
        bytes: async (most) => {
          const bytes = Buffer.concat(await chunksOf(response.body, most));
          return header('content-encoding')?.toLowerCase() === 'gzip' ? await unpack(bytes, most) : bytes;
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

async function unpack(bytes: Uint8Array, most = maxBodyBytes): Promise<Uint8Array> {
  // A 204 or 304 has no body, and may still carry the header of the answer that it stands for.
  try {
    return bytes.length === 0 ? bytes : await decompress(bytes, 'gzip', most);
  } catch (error) {
    throw error instanceof RangeError ? new BodyTooLongError() : error;
  }
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
