import { parentPort, workerData } from 'node:worker_threads';
import { fetchTransport } from '../../src/api/transport.ts';
import { platformTransport } from '../../src/platform/node/transport.ts';

/** What a worker is to read, and by what. */
export interface BodyReaderData {
  readonly url: string;
  /** The number of bytes, each in a piece of its own. */
  readonly pieces: number;
  readonly carrier: 'undici' | 'fetch';
}

const { url, pieces, carrier } = workerData as BodyReaderData;

/** Common ones put together what has come before it is read. */
function* bytesOneByOne(): Generator<Uint8Array> {
  for (let index = 0; index < pieces; index += 1) {
    yield Uint8Array.of(0x20);
  }
}

const transport =
  carrier === 'undici'
    ? platformTransport(0)
    : fetchTransport(async () => ({
        ...{ status: 200, headers: new Headers() },
        body: (async function* () {
          yield* bytesOneByOne();
        })(),
      }));
const { signal } = new AbortController();
const response = await transport.send({ method: 'GET', url: new URL(url), headers: {}, body: undefined, signal });
const bytes = await response.bytes();
await transport.close();
parentPort?.postMessage([bytes.length, bytes.every((byte) => byte === 0x20)]);
