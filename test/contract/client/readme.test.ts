import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sampleEvent, sampleToken, sampleUser } from '../../support/clientSamples.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';

const apiFolder = join(import.meta.dirname, '../../../src/api');

describe('client: README', () => {
  it('its example runs', async () => {
    const readme = await readFile(join(apiFolder, 'README.md'), 'utf8');
    const [, example] = /```ts\n(.*?)```/s.exec(readme) ?? [];
    assert.ok(example);
    await using server = await startHostileServer(({ url }, response) => {
      if (url.pathname.endsWith('/user')) {
        sendJson(response, sampleUser);
      } else if (url.pathname.endsWith('/events')) {
        sendJson(response, [sampleEvent(1), { id: 'odd' }]);
      } else {
        sendJson(response, { message: '404 Project Not Found' }, { status: 404 });
      }
    });
    const folder = await mkdtemp(join(tmpdir(), 'api-readme-'));
    try {
      const file = join(folder, 'example.mts');
      await writeFile(file, example.replaceAll(`from './`, `from '${pathToFileURL(apiFolder).href}/`));
      const { stdout } = await promisify(execFile)(process.execPath, [file], {
        env: { ...process.env, GITLAB_URL: server.origin, GITLAB_TOKEN: sampleToken },
      });
      assert.deepEqual(stdout.trimEnd().split('\n'), [
        'Signed in as rosa',
        '2026-02-09T10:43:19.667Z pushed 0 commits',
        `GET /projects/:id at ${new URL(server.origin).host}: not found, or hidden from this user`,
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
