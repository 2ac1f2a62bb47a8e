import assert from 'node:assert/strict';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { call, callAllPages, startTestSandbox } from './caller.ts';

const settingsOf = (id: number | string) => `/projects/${id}/error_tracking/settings`;
const keysOf = (id: number | string) => `/projects/${id}/error_tracking/client_keys`;

describe('sandbox: error tracking', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startTestSandbox();
  });
  afterEach(() => sandbox.close());

  const record = (active: boolean, integrated: boolean) => ({
    active,
    project_name: null,
    tracker_external_url: null,
    api_url: null,
    integrated,
  });
  const send = (method: string, path: string) => call(sandbox, path, { method });

  it('GET settings: integrated, disabled, an external tracker, none', async () => {
    assert.deepEqual((await call(sandbox, settingsOf(501))).json, record(true, true));
    assert.deepEqual((await call(sandbox, settingsOf(504))).json, record(false, true));
    assert.deepEqual((await call(sandbox, settingsOf(503))).json, {
      active: true,
      project_name: 'Harbor / Winch',
      tracker_external_url: 'https://tracker.example/harbor/winch',
      api_url: 'https://tracker.example/api/0/projects/harbor/winch/',
      integrated: false,
    });
    const none = await call(sandbox, settingsOf(502));
    assert.deepEqual([none.status, none.json], [404, { message: '404 Error Tracking Setting Not Found' }]);
  });

  it('PUT settings creates and updates', async () => {
    const path = settingsOf('harbor%2Fberth-planner');
    for (const integrated of [true, false]) {
      const answer = await send('PUT', `${path}?active=true&integrated=${integrated}`);
      assert.deepEqual([answer.status, answer.json], [200, record(true, integrated)]);
    }
    assert.deepEqual((await call(sandbox, path)).json, record(true, false));
  });

  it('PUT with integrated true nulls the external tracker', async () => {
    assert.deepEqual((await send('PUT', `${settingsOf(503)}?active=true&integrated=true`)).json, record(true, true));
  });

  it('PATCH settings switches what has been set up', async () => {
    assert.deepEqual((await send('PATCH', `${settingsOf(501)}?active=false`)).json, record(false, true));
    assert.deepEqual(
      (await send('PATCH', `${settingsOf(501)}?active=true&integrated=false`)).json,
      record(true, false),
    );
    assert.equal((await send('PATCH', `${settingsOf(502)}?active=true`)).status, 404);
    assert.deepEqual((await send('PATCH', settingsOf(501))).json, { error: 'active is missing' });
  });

  it('switching the integrated tracking on makes a key if none is active', async () => {
    for (let round = 0; round < 2; round += 1) {
      await send('PUT', `${settingsOf(502)}?active=true&integrated=true`);
      assert.equal((await call(sandbox, keysOf(502))).records.length, 1);
    }
  });

  it('POST client_keys makes a key, with its DSN', async () => {
    const answer = await send('POST', keysOf(502));
    assert.equal(answer.status, 201);
    const key = answer.json as Record<string, unknown>;
    assert.deepEqual(Object.keys(key).sort(), ['active', 'id', 'public_key', 'tracker_dsn'].sort());
    assert.equal(key['active'], true);
    assert.match(key['public_key'] as string, /^glet_[0-9a-f]{32}$/);
    const base = sandbox.url.replace('//', `//${String(key['public_key'])}@`);
    assert.equal(key['tracker_dsn'], `${base}/errortracking/api/v1/projects/502`);
    assert.deepEqual((await call(sandbox, keysOf(502))).records, [key]);
  });

  it('GET client_keys is paginated', async () => {
    for (let index = 0; index < 5; index += 1) {
      await send('POST', keysOf(502));
    }
    const page = await call(sandbox, `${keysOf(502)}?per_page=2`);
    assert.deepEqual([page.records.length, page.headers.get('x-total')], [2, '5']);
    assert.equal((await callAllPages(sandbox, `${keysOf(502)}?per_page=2`)).length, 5);
  });

  it('DELETE client_keys/:key_id answers with the deleted key', async () => {
    const key = (await send('POST', keysOf(502))).json as { readonly id: number };
    assert.equal((await send('DELETE', `${keysOf(501)}/${key.id}`)).status, 404);
    const answer = await send('DELETE', `${keysOf(502)}/${key.id}`);
    assert.deepEqual([answer.status, answer.json], [200, key]);
    const again = await send('DELETE', `${keysOf(502)}/${key.id}`);
    assert.deepEqual([again.status, again.json], [404, { message: '404 Not found' }]);
    assert.deepEqual((await send('DELETE', `${keysOf(502)}/x`)).json, { error: 'key_id is invalid' });
  });

  it('it takes Maintainer, membership and a token with the scope api', async () => {
    const calls = [
      ['GET', settingsOf],
      ['PUT', settingsOf],
      ['PATCH', settingsOf],
      ['GET', keysOf],
      ['POST', keysOf],
      ['DELETE', (id: number) => `${keysOf(id)}/301`],
    ] as const;
    for (const [method, path] of calls) {
      const developer = await call(sandbox, path(501), { method, token: sandbox.tokens.developer });
      assert.deepEqual([developer.status, developer.json], [403, { message: '403 Forbidden' }]);
      const other = await call(sandbox, path(506), { method });
      assert.deepEqual([other.status, other.json], [404, { message: '404 Project Not Found' }]);
      assert.equal((await call(sandbox, path(503), { method, token: null })).status, 401);
      assert.equal((await call(sandbox, path(501), { method, token: sandbox.tokens.readUser })).status, 403);
    }
  });
});
