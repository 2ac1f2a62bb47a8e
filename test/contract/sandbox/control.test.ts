import assert from 'node:assert/strict';
import type { RateLimit } from '../../../src/sandbox/control/rateLimit.ts';
import type { Fault } from '../../../src/sandbox/control/faults.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { call, startTestSandbox } from './caller.ts';

describe("The sandbox's control addresses", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startTestSandbox();
  });
  after(() => sandbox.close());
  const put = (path: string, body: unknown) =>
    call(sandbox, `/-/sandbox/${path}`, { method: 'PUT', body: JSON.stringify(body), token: null });
  const setFaults = async (...faults: readonly Partial<Fault>[]) => {
    assert.equal((await put('faults', faults)).status, 200);
  };
  afterEach(async () => {
    await call(sandbox, '/-/sandbox/faults', { method: 'DELETE', token: null });
  });

  it('make statuses and bursts of 429, so many times, at a path', async () => {
    await setFaults(
      { kind: 'status', status: 503, times: 2, path: '/projects/*' },
      { kind: 'tooManyRequests', retryAfter: 7, times: 1, path: '/user' },
    );
    const statuses = [];
    for (const path of ['/projects/501', '/events', '/projects/501/events', '/projects/501', '/user', '/user']) {
      statuses.push((await call(sandbox, path)).status);
    }
    assert.deepEqual(statuses, [503, 200, 503, 200, 429, 200]);
    assert.deepEqual((await call(sandbox, '/-/sandbox/faults')).json, []);
  });

  it('drop connections and cut bodies off', async () => {
    for (const kind of ['drop', 'truncate'] as const) {
      await setFaults({ kind, times: 1 });
      await assert.rejects(call(sandbox, '/events'), TypeError);
      assert.equal((await call(sandbox, '/events')).status, 200);
    }
  });

  it('delay answers, even those that fail', async () => {
    await setFaults({ kind: 'latency', milliseconds: 1 }, { kind: 'status', status: 500 });
    assert.equal((await call(sandbox, '/events')).status, 500);
  });

  it('shorten pages, take headers away, add fields and change names', async () => {
    const whole = await call(sandbox, '/events?per_page=5');
    await setFaults({ kind: 'shortPage', missing: 2 }, { kind: 'missingHeaders', names: ['X-Total', 'link'] });
    const short = await call(sandbox, '/events?per_page=5');
    assert.deepEqual(short.json, whole.records.slice(0, 3));
    assert.deepEqual([short.headers.get('x-total'), short.headers.get('link')], [null, null]);
    assert.equal(short.headers.get('x-next-page'), '2');
    await setFaults({ kind: 'unknownFields' });
    assert.ok((await call(sandbox, '/events')).records.every((record) => 'sandbox_unknown_field' in record));
    await setFaults({ kind: 'liveNames', times: 1 });
    assert.ok((await call(sandbox, '/events')).records.every((record) => !('title' in record)));
    assert.ok((await call(sandbox, '/events')).records.every((record) => 'title' in record));
  });

  it('let events happen', async () => {
    const body = JSON.stringify({ count: 2, project: 'harbor/tide-table' });
    const { status, records } = await call(sandbox, '/-/sandbox/events', { method: 'POST', body });
    const feed = await call(sandbox, '/projects/501/events?per_page=2');
    assert.equal(status, 201);
    assert.deepEqual(feed.json, records.toReversed());
    assert.equal((await put('live-events', { on: true })).status, 200);
    assert.equal((await put('live-events', { on: false })).status, 200);
  });

  it('revoke tokens', async () => {
    const { developer } = sandbox.tokens;
    const tokens = (await call(sandbox, '/-/sandbox/tokens', { token: null })).records;
    const id = String(tokens.find(({ token }) => token === developer)?.['id']);
    assert.equal((await call(sandbox, '/user', { token: developer })).status, 200);
    assert.equal((await call(sandbox, `/-/sandbox/tokens/${id}`, { method: 'DELETE' })).status, 204);
    assert.equal((await call(sandbox, '/user', { token: developer })).status, 401);
  });

  it('refuse what they do not understand, and web pages', async () => {
    for (const body of [{}, [{ kind: 'rain' }], [{ kind: 'status', status: 99 }]]) {
      assert.equal((await put('faults', body)).status, 400);
    }
    assert.equal((await call(sandbox, '/-/sandbox/faults', { method: 'PUT', body: '[' })).status, 400);
    assert.equal((await put('rate-limit', { limit: -1 } satisfies RateLimit)).status, 400);
    const headers = { origin: 'https://evil.example' };
    assert.equal((await call(sandbox, '/-/sandbox/events', { method: 'POST', headers })).status, 403);
  });

  it('make tokens for any user', async () => {
    const make = (body: object) =>
      call(sandbox, '/-/sandbox/tokens', { method: 'POST', body: JSON.stringify(body), token: null });
    const { token } = (await make({ username: 'lucia' })).json as { token: string };
    assert.equal(((await call(sandbox, '/user', { token })).json as { username: string }).username, 'lucia');
    assert.equal((await call(sandbox, '/projects/501/error_tracking/settings', { token })).status, 403);
    assert.equal((await make({ username: 'nobody' })).status, 404);
  });

  it('switch integrated error tracking off and client keys, too', async () => {
    const settings = '/projects/502/error_tracking/settings?active=true&integrated=true';
    await put('error-tracking', { available: false });
    assert.equal((await call(sandbox, settings, { method: 'PUT' })).status, 404);
    await put('error-tracking', { available: true });
    assert.equal((await call(sandbox, settings, { method: 'PUT' })).status, 200);
    const [key] = (await call(sandbox, '/projects/502/error_tracking/client_keys')).records;
    await put(`client-keys/${String(key?.['id'])}`, { active: false });
    const [inactive] = (await call(sandbox, '/projects/502/error_tracking/client_keys')).records;
    assert.equal(inactive?.['active'], false);
    assert.equal((await put('client-keys/1', { active: false })).status, 404);
  });
});
