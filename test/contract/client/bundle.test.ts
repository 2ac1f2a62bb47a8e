import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { undiciParts } from '../../../scripts/bundle.ts';
import { projectRoot } from '../../../scripts/project.ts';
import type * as clientModule from '../../../src/api/client.ts';
import type * as transport from '../../../src/platform/node/transport.ts';
import { makeCertificate } from '../../support/certificates.ts';

const selfSigned = makeCertificate({ name: 'gitlab.example', hosts: ['gitlab.example'] });

describe('client: as it is shipped', () => {
  let folder: string;
  let bundled: typeof clientModule & Pick<typeof transport, 'openTransport'>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-bundle-'));
    await build({
      alias: { undici: join(projectRoot, undiciParts) },
      define: { esbuildDetection: '1' },
      stdin: {
        contents: `export * from '../../../src/api/client.ts'; export { openTransport } from '../../../src/platform/node/transport.ts';`,
        resolveDir: import.meta.dirname,
      },
      outfile: join(folder, 'client.cjs'),
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
    });
    bundled = createRequire(import.meta.url)(join(folder, 'client.cjs')) as typeof bundled;
  });

  it('reaches instances by HTTP/2', async () => {
    const server = createSecureServer(selfSigned, (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ version: request.httpVersion }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const transport = bundled.openTransport((build) => build({ ca: selfSigned.cert, servername: 'gitlab.example' }));
    const instanceUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = bundled.createClient({ instanceUrl, transport });
    assert.deepEqual(await client.directory.version(), { version: '2.0' });
    await client.close();
    server.close();
    await once(server, 'close');
  });
});
