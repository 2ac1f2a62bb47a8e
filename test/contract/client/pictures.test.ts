import assert from 'node:assert/strict';
import type { ClientOptions } from '../../../src/api/client.ts';
import { apiErrorOf, clientOf } from '../../support/clientSamples.ts';
import { startHostileServer } from '../../support/hostileServer.ts';

const path = '/uploads/-/system/user/avatar/7/avatar.png';
const png = Buffer.from('\x89PNG\r\n\x1A\n\xFF\x00', 'latin1');
const transports: [string, Partial<ClientOptions>][] = [
  ['undici', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

for (const [name, options] of transports) {
  describe(`client: pictures (${name})`, () => {
    it('are asked for without the token and without cookies, and come byte by byte', async () => {
      await using server = await startHostileServer((_, response) =>
        response.writeHead(200, { 'content-type': 'image/png', 'set-cookie': 'a=b' }).end(png),
      );
      const client = clientOf(server.origin, options);
      for (let time = 0; time < 2; time += 1) {
        assert.deepEqual(Buffer.from((await client.picture(new URL(path, server.origin), 100)) ?? []), png);
      }
      for (const { headers, target, method } of server.requests) {
        assert.deepEqual([method, target, headers.accept], ['GET', path, 'image/*']);
        assert.deepEqual(
          ['private-token', 'authorization', 'cookie', 'referer'].filter((header) => header in headers),
          [],
        );
      }
    });

    it('are none behind a redirect, with another status, or of more bytes than are wanted, and asked for once', async () => {
      await using foreign = await startHostileServer((_, response) => response.end(png));
      const answers: [status: number, location: string][] = [
        [302, `${foreign.origin}${path}`],
        [301, '/uploads/other.png'],
        [404, ''],
        [429, ''],
        [503, ''],
        [200, 'too long'],
      ];
      for (const [status, location] of answers) {
        await using server = await startHostileServer((_, response) =>
          response
            .writeHead(status, { location, 'retry-after': '3600' })
            .end(location === 'too long' ? 'x'.repeat(101) : png),
        );
        const client = clientOf(server.origin, options);
        assert.equal(await client.picture(new URL(path, server.origin), 100), undefined, String(status));
        assert.equal(server.requests.length, 1);
      }
      assert.equal(foreign.requests.length, 0);
    });

    it('are never asked for elsewhere', async () => {
      await using server = await startHostileServer((_, response) => response.end(png));
      await using foreign = await startHostileServer((_, response) => response.end(png));
      const client = clientOf(`${server.origin}/git`, options);
      assert.equal(await client.picture(new URL(`${foreign.origin}${path}`), 100), undefined);
      assert.equal(await client.picture(new URL(`${server.origin}/git/..%2fother.png`), 100), undefined);
      assert.deepEqual([server.requests.length, foreign.requests.length], [0, 0]);
    });

    it('fail where the instance does not answer', async () => {
      await using server = await startHostileServer((_, response) => void response.destroy());
      const error = await apiErrorOf(clientOf(server.origin, options).picture(new URL(path, server.origin), 100));
      assert.equal(error.reason, 'unavailable');
      assert.equal(server.requests.length, 1);
    });
  });
}
