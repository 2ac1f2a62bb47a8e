import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BodyReaderData } from './bodyReader.ts';
import { startHostileServer } from '../../support/hostileServer.ts';

describe('client: a body in pieces of one byte', () => {
  const pieces = 2 * 1024 * 1024;

  for (const carrier of ['undici', 'fetch'] as const) {
    it(`is too long before it takes memory, though its bytes are few (${carrier})`, async () => {
      await using server = await startHostileServer((_, response) => {
        response.socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        response.socket?.write('1\r\n \r\n'.repeat(pieces));
        response.socket?.end('0\r\n\r\n');
      });
      const workerData: BodyReaderData = { url: server.origin, pieces, carrier };
      // A list of as many pieces would take several times that.
      const worker = new Worker(new URL('./bodyReader.ts', import.meta.url), {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: 64 },
      });
      const [answer] = (await once(worker, 'message')) as unknown[];
      assert.equal(answer, 'BODY_TOO_LONG');
      await worker.terminate();
    });
  }
});
