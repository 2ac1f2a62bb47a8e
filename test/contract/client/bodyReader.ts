import { parentPort, workerData } from 'node:worker_threads';
import { answerOf, type Fetch, plainRequest } from '../../../src/api/transport.ts';
import { openTransport } from '../../../src/platform/node/transport.ts';

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

const inPieces: Fetch = async () => ({
  ...{ status: 200, headers: new Headers() },
  body: (async function* () {
    yield* bytesOneByOne();
  })(),
});
const transport = carrier === 'undici' ? openTransport() : { fetch: inPieces, close: async () => undefined };
const { signal } = new AbortController();
const code = await transport
  .fetch(`${url}/`, { method: 'GET', headers: {}, signal, ...plainRequest })
  .then(answerOf)
  .catch((error: unknown) => (error as { code?: unknown }).code);
await transport.close();
parentPort?.postMessage(code);
