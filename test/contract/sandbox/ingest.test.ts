import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { projectRoot } from '../../../scripts/project.ts';
import { suiteSandbox } from './caller.ts';

const keys = '/projects/501/error_tracking/client_keys';
const event = { event_id: 'a'.repeat(32), level: 'warning', message: 'Low tide' };
const envelope = `{"event_id":"${event.event_id}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`;

interface Key {
  readonly id: number;
  readonly public_key: string;
  readonly tracker_dsn: string;
}

describe('sandbox: DSN ingest', () => {
  const { sandbox, call } = suiteSandbox({}, true);
  let key: Key;
  beforeEach(async () => {
    key = (await call(keys, { method: 'POST' })).json as Key;
  });

  const ingest = '/errortracking/api/v1/projects/api/501';
  const collector = '/api/v4/error_tracking/collector/api/501';
  const send = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${sandbox.url}${path}`, { method: 'POST', body, headers });
  const received = async () => (await call('/-/sandbox/received')).records;
  const remove = () => call(`${keys}/${key.id}`, { method: 'DELETE' });

  async function runProgram(): Promise<string> {
    const program = join(projectRoot, 'test', 'contract', 'sandbox', 'failingProgram.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', program, key.tracker_dsn]);
    return stdout.trim();
  }

  it('@sentry/node delivers an error with the DSN, until the key is deleted', async () => {
    assert.equal(await runProgram(), '200');
    const [first] = (await received()).filter(({ types }) => (types as string[]).includes('event'));
    assert.deepEqual(
      [first?.['project_id'], first?.['public_key'], first?.['title']],
      [501, key.public_key, 'RangeError: Out of berths'],
    );
    const count = (await received()).length;
    await remove();
    assert.equal(await runProgram(), '401');
    assert.equal((await received()).length, count);
  });

  for (const base of [ingest, collector]) {
    for (const end of ['', '/']) {
      it(`takes envelopes and the older form at ${base}/…${end}`, async () => {
        const header = { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key.public_key}` };
        for (const [kind, body] of [
          ['envelope', envelope],
          ['store', JSON.stringify(event)],
        ] as const) {
          for (const response of [
            await send(`${base}/${kind}${end}`, body, header),
            await send(`${base}/${kind}${end}?sentry_key=${key.public_key}`, body),
          ]) {
            assert.deepEqual([response.status, await response.json()], [200, { id: event.event_id }]);
          }
        }
        const list = await received();
        assert.deepEqual(new Set(list.map(({ title }) => title)), new Set(['Low tide']));
        assert.equal(list.length, 4);
      });
    }
  }

  it('takes the key from the DSN of an envelope', async () => {
    const body = `{"dsn":"${key.tracker_dsn}"}\n{"type":"event","length":2}\n{}\n`;
    assert.equal((await send(`${ingest}/envelope/`, body)).status, 200);
  });

  for (const [encoding, compress] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
    it(`takes a body compressed with ${encoding}, and refuses one that is not`, async () => {
      const path = `${ingest}/envelope/?sentry_key=${key.public_key}`;
      const headers = { 'content-encoding': encoding };
      assert.equal((await send(path, new Uint8Array(compress(envelope)), headers)).status, 200);
      assert.equal((await send(path, envelope, headers)).status, 400);
    });
  }

  it('takes a body of unknown length, up to a bound', async () => {
    const path = `${sandbox.url}${ingest}/envelope/?sentry_key=${key.public_key}`;
    const stream = (body: string) => ({ method: 'POST', duplex: 'half', body: new Blob([body]).stream() }) as const;
    assert.equal((await fetch(path, stream(envelope))).status, 200);
    const outcome = await fetch(path, stream(' '.repeat(6 * 1024 * 1024))).then(
      ({ status }) => status,
      () => 'connection closed',
    );
    assert.ok(outcome === 413 || outcome === 'connection closed');
    assert.equal((await received()).length, 1);
  });

  it('refuses what unpacks to too much', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(6 * 1024 * 1024, 32)));
    const path = `${ingest}/store/?sentry_key=${key.public_key}`;
    assert.equal((await send(path, bomb, { 'content-encoding': 'gzip' })).status, 400);
  });

  for (const body of ['', 'no JSON', '[]\n', '{}\n{"type":"event","length":99}\n{}', '{}\n{"type":"event"}\n{']) {
    it(`refuses the bad body ${JSON.stringify(body)}`, async () => {
      assert.equal((await send(`${ingest}/envelope/?sentry_key=${key.public_key}`, body)).status, 400);
    });
  }

  it('refuses unknown, missing and deleted keys, and those of other projects', async () => {
    const { public_key: name } = key;
    const path = (id: number, of: string) => `/errortracking/api/v1/projects/api/${id}/envelope/?sentry_key=${of}`;
    const statusOf = async (address: string) => (await send(address, envelope)).status;
    for (const address of [`${ingest}/envelope/`, path(501, 'glet_0'), ...[502, 999].map((id) => path(id, name))]) {
      assert.equal(await statusOf(address), 401);
    }
    await remove();
    assert.equal(await statusOf(path(501, name)), 401);
    assert.equal(await statusOf(`${collector}/envelope/?sentry_key=${name}`), 404);
    assert.deepEqual(await received(), []);
  });

  it('forbids inactive keys, and all where error tracking is off', async () => {
    const list = (await call(keys)).records;
    const inactive = list.find(({ active }) => active === false)?.['public_key'] as string;
    assert.equal((await send(`${ingest}/envelope/?sentry_key=${inactive}`, envelope)).status, 403);
    await call('/projects/501/error_tracking/settings?active=false', { method: 'PATCH' });
    assert.equal((await send(`${ingest}/envelope/?sentry_key=${key.public_key}`, envelope)).status, 403);
  });

  it('keeps the latest hundred, the newest first', async () => {
    for (let index = 0; index < 101; index += 1) {
      await send(`${ingest}/store/?sentry_key=${key.public_key}`, JSON.stringify({ message: `No. ${index}` }));
    }
    const list = await received();
    assert.deepEqual([list.length, list[0]?.['title'], list.at(-1)?.['title']], [100, 'No. 100', 'No. 1']);
  });
});
