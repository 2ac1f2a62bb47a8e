import assert from 'node:assert/strict';
import { suiteSandbox } from './caller.ts';

const settingsOf = (id: number | string) => `/projects/${id}/error_tracking/settings`;
const keysOf = (id: number | string) => `/projects/${id}/error_tracking/client_keys`;

describe('sandbox: error tracking', () => {
  const { sandbox, call, callAllPages, outcomeOf } = suiteSandbox({}, true);

  const record = (active: boolean, integrated: boolean) => {
    const ofTracker = { project_name: null, tracker_external_url: null, api_url: null };
    return { active, ...ofTracker, integrated };
  };
  const send = (method: string, path: string) => outcomeOf(path, { method });

  it('GET settings: integrated, disabled, an external tracker, none', async () => {
    const external = {
      active: true,
      project_name: 'Harbor / Winch',
      tracker_external_url: 'https://tracker.example/harbor/winch',
      api_url: 'https://tracker.example/api/0/projects/harbor/winch/',
      integrated: false,
    };
    assert.deepEqual(await outcomeOf(settingsOf(501)), [200, record(true, true)]);
    assert.deepEqual(await outcomeOf(settingsOf(504)), [200, record(false, true)]);
    assert.deepEqual(await outcomeOf(settingsOf(503)), [200, external]);
    assert.deepEqual(await outcomeOf(settingsOf(502)), [404, { message: '404 Error Tracking Setting Not Found' }]);
  });

  it('PUT settings creates and updates, and with integrated true nulls the external tracker', async () => {
    const path = settingsOf('harbor%2Fberth-planner');
    for (const integrated of [true, false]) {
      const changed = await send('PUT', `${path}?active=true&integrated=${integrated}`);
      assert.deepEqual(changed, [200, record(true, integrated)]);
    }
    assert.deepEqual(await outcomeOf(path), [200, record(true, false)]);
    const replaced = await send('PUT', `${settingsOf(503)}?active=true&integrated=true`);
    assert.deepEqual(replaced, [200, record(true, true)]);
  });

  it('PATCH settings switches what has been set up', async () => {
    for (const [query, outcome] of [
      ['?active=false', [200, record(false, true)]],
      ['?active=true&integrated=false', [200, record(true, false)]],
      ['', [400, { error: 'active is missing' }]],
    ] as const) {
      assert.deepEqual(await send('PATCH', settingsOf(501) + query), outcome);
    }
    assert.equal((await send('PATCH', `${settingsOf(502)}?active=true`))[0], 404);
  });

  it('switching the integrated tracking on makes a key if none is active', async () => {
    for (let round = 0; round < 2; round += 1) {
      await send('PUT', `${settingsOf(502)}?active=true&integrated=true`);
      assert.equal((await call(keysOf(502))).records.length, 1);
    }
  });

  it('POST client_keys makes a key, with its DSN', async () => {
    const [status, made] = await send('POST', keysOf(502));
    const { id, public_key: name, ...rest } = made as Record<string, unknown>;
    assert.equal(status, 201);
    assert.equal(typeof id, 'number');
    assert.match(String(name), /^glet_[0-9a-f]{32}$/);
    const base = sandbox.url.replace('//', `//${String(name)}@`);
    assert.deepEqual(rest, { active: true, tracker_dsn: `${base}/errortracking/api/v1/projects/502` });
    assert.deepEqual((await call(keysOf(502))).records, [made]);
  });

  it('GET client_keys is paginated', async () => {
    for (let index = 0; index < 5; index += 1) {
      await send('POST', keysOf(502));
    }
    const page = await call(`${keysOf(502)}?per_page=2`);
    assert.deepEqual([page.records.length, page.headers.get('x-total')], [2, '5']);
    assert.equal((await callAllPages(`${keysOf(502)}?per_page=2`)).length, 5);
  });

  it('DELETE client_keys/:key_id answers with the deleted key', async () => {
    const [, key] = await send('POST', keysOf(502));
    const { id } = key as { readonly id: number };
    for (const [path, outcome] of [
      [`${keysOf(501)}/${id}`, [404, { message: '404 Not found' }]],
      [`${keysOf(502)}/${id}`, [200, key]],
      [`${keysOf(502)}/${id}`, [404, { message: '404 Not found' }]],
      [`${keysOf(502)}/x`, [400, { error: 'key_id is invalid' }]],
    ] as const) {
      assert.deepEqual(await send('DELETE', path), outcome);
    }
  });

  it('it takes Maintainer, membership and a token with the scope api', async () => {
    const { developer, readUser } = sandbox.tokens;
    for (const [method, path] of [
      ...['GET', 'PUT', 'PATCH'].map((name) => [name, settingsOf] as const),
      ...['GET', 'POST'].map((name) => [name, keysOf] as const),
      ['DELETE', (id: number) => `${keysOf(id)}/301`],
    ] as const) {
      assert.deepEqual(await outcomeOf(path(501), { method, token: developer }), [403, { message: '403 Forbidden' }]);
      assert.deepEqual(await outcomeOf(path(506), { method }), [404, { message: '404 Project Not Found' }]);
      assert.equal((await call(path(503), { method, token: null })).status, 401);
      assert.equal((await call(path(501), { method, token: readUser })).status, 403);
    }
  });
});
