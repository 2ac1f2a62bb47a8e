import assert from 'node:assert/strict';
import { errorOf, numberedPages, sampleEvent, serveClient } from '../../support/clientSamples.ts';

describe('client: a list that is aborted', () => {
  it('gives no further page, not even one that was read ahead', async () => {
    await using server = await serveClient(numberedPages((page) => [sampleEvent(page)]));
    const { client } = server;
    const leaving = new AbortController();
    let taken = 0;
    const read = async (): Promise<void> => {
      for await (const _ of client.events.mine({}, { prefetch: 3, signal: leaving.signal })) {
        taken += 1;
        while (server.requests.length < taken + 1) {
          await new Promise(setImmediate);
        }
        // What was asked for before this has come, too.
        await client.directory.user(1).catch(() => undefined);
        if (taken === 2) {
          leaving.abort();
        }
      }
    };
    await errorOf(read(), 'aborted');
    assert.equal(taken, 2);
  });
});
