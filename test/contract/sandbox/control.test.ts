import assert from 'node:assert/strict';
import type { Fault, RateLimit } from '../../../src/sandbox/control/faults.ts';
import type { Write } from '../../../src/sandbox/app.ts';
import type { Sandbox } from '../../../src/sandbox/server.ts';
import { call, sandboxTime, startTestSandbox } from './caller.ts';

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

  it('send the second half of a body later', async () => {
    const whole = await call(sandbox, '/events');
    await setFaults({ kind: 'slowBody', milliseconds: 1, times: 1 });
    assert.equal((await call(sandbox, '/events')).text, whole.text);
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
    const refused = await put('rate-limit', { limit: -1 } satisfies RateLimit);
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused), /expected number to be >=0/);
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

  it('move a project, and delete it with its events', async () => {
    const own = await startTestSandbox();
    const control = (method: string, path: string, body?: unknown) =>
      call(own, `/-/sandbox/${path}`, {
        method,
        token: null,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    assert.equal((await control('PUT', 'projects/504', { path: 'ship-log' })).status, 200);
    const moved = await call(own, '/projects/harbor%2Ftools%2Flogbook/events');
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, `${own.url}/api/v4/projects/504/events`]);
    assert.equal((await call(own, '/projects/harbor%2Ftools%2Fship-log')).status, 200);
    const count = async () => Number((await call(own, '/events?scope=all')).headers.get('x-total'));
    const before = await count();
    assert.equal((await control('DELETE', 'projects/504')).status, 204);
    assert.equal((await call(own, '/projects/504/events')).status, 404);
    assert.equal((await call(own, '/projects/harbor%2Ftools%2Flogbook')).status, 404);
    assert.ok((await count()) < before);
    await control('POST', 'events', { count: 50, rare: true });
    const feed = await call(own, '/events?scope=all&per_page=100');
    assert.ok(feed.records.every((record) => record['project_id'] !== 504));
    for (const path of ['projects/504', 'projects/harbor%2Fnone']) {
      assert.equal((await control('PUT', path, { path: 'x' })).status, 404);
      assert.equal((await control('DELETE', path)).status, 404);
    }
    await own.close();
  });

  it('answer with the worst of each kind: fields that have no form, lists without an end, answers that unpack to megabytes', async () => {
    const own = await startTestSandbox();
    const set = (fault: object) =>
      call(own, '/-/sandbox/faults', { method: 'PUT', token: null, body: JSON.stringify([fault]) });
    const fields = { 'push_data.commit_to': '--output=x', created_at: '0001-01-01T00:00:00Z' };
    await set({ kind: 'fields', fields });
    const { records } = await call(own, '/events?action=pushed');
    assert.ok(records.length > 0);
    for (const { created_at: at, push_data: push } of records as { created_at: string; push_data: object }[]) {
      assert.deepEqual([at, (push as { commit_to: string }).commit_to], Object.values(fields).toReversed());
    }
    for (const by of ['page', 'cursor']) {
      await set({ kind: 'endlessNext', by });
      let path = '/projects?pagination=keyset&order_by=id';
      const visited = new Set([path]);
      for (let pages = 0; pages < 5; pages += 1) {
        const { status, headers } = await call(own, path);
        assert.equal(status, 200);
        path = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
        visited.add(path);
      }
      assert.equal(visited.size, 6);
    }
    for (const size of ['bytes', 'records', 'nesting', 'values']) {
      await set({ kind: 'bomb', of: size });
      const answer = await fetch(`${own.url}/api/v4/events`, { headers: { 'private-token': own.tokens.owner } });
      assert.equal(answer.headers.get('content-encoding'), 'gzip');
      assert.ok((await answer.arrayBuffer()).byteLength >= 64 * 1024 * 1024);
    }
    await own.close();
  });

  it('let events of rare kinds happen, some of them unknown', async () => {
    const made = await call(sandbox, '/-/sandbox/events', {
      method: 'POST',
      body: JSON.stringify({ count: 100, rare: true }),
      token: null,
    });
    const kinds = new Set(made.records.map((record) => record['target_type']));
    assert.ok(kinds.has('Lighthouse'));
  });

  it('report what was sent and answered for each write, even if the answer is lost', async () => {
    const writes: Write[] = [];
    const own = await startTestSandbox({ onWrite: (write) => writes.push(write) });
    await call(own, '/-/sandbox/faults', { method: 'PUT', token: null, body: JSON.stringify([{ kind: 'truncate' }]) });
    const body = JSON.stringify({ level: 'watch' });
    const headers = { 'content-type': 'application/json' };
    await assert.rejects(call(own, '/notification_settings', { method: 'PUT', body, headers }), TypeError);
    await assert.rejects(call(own, '/notification_settings'), TypeError);
    const [write] = writes;
    assert.deepEqual(
      [writes.length, write?.method, write?.path, write?.username, write?.body, write?.status],
      [1, 'PUT', '/notification_settings', 'marta', body, 200],
    );
    assert.equal((JSON.parse(write?.answer ?? '') as { level: string }).level, 'watch');
    await own.close();
  });

  it('date answers by the clock of the sandbox', async () => {
    assert.equal((await call(sandbox, '/events')).headers.get('date'), sandboxTime.toUTCString());
  });
});
