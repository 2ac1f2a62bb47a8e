import assert from 'node:assert/strict';
import { createSandboxApp } from '../../../src/sandbox/app.ts';
import { sandboxTime, suiteSandbox } from './caller.ts';

const origin = 'https://vscode.example';

describe('Web pages of other origins', () => {
  const { sandbox, call } = suiteSandbox();

  const preflight = async (address: string, method: string, headers: string): Promise<Headers> =>
    (
      await fetch(address, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
      })
    ).headers;
  const permission = (headers: Headers): string | null => headers.get('access-control-allow-origin');

  it('may send any request to the API and to the address of a DSN, without credentials of their own', async () => {
    for (const path of ['/api/v4/user', '/errortracking/api/v1/projects/api/501/envelope/']) {
      const headers = await preflight(sandbox.url + path, 'PATCH', 'private-token,x-anything');
      assert.equal(permission(headers), '*');
      assert.match(headers.get('access-control-allow-methods') ?? '', /\bPATCH\b/);
      assert.match(headers.get('access-control-allow-headers') ?? '', /private-token,\s*x-anything/i);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  it('may read its answers, and of the headers those of pagination', async () => {
    const { headers: ofPage } = await call('/events?per_page=1', { headers: { origin } });
    const tag = ofPage.get('etag') ?? '';
    const answers = [
      await call('/events?per_page=1', { headers: { origin } }),
      await call('/events?per_page=1', { headers: { origin, 'if-none-match': tag } }),
      await call('/user', { headers: { origin }, token: 'unknown' }),
      await call('/no/such/address', { headers: { origin } }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 304, 401, 404],
    );
    for (const { headers } of answers) {
      assert.equal(permission(headers), '*');
      const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/,\s*/);
      assert.ok(exposed.includes('link') && exposed.includes('x-total') && exposed.includes('x-next-page'));
      assert.ok(!['etag', 'retry-after', 'ratelimit-remaining', 'x-request-id'].some((name) => exposed.includes(name)));
    }
  });

  it('may exchange and revoke tokens of OAuth, and do nothing else beside the API', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const headers = await preflight(sandbox.url + path, 'POST', 'authorization');
      assert.equal(permission(headers), '*', path);
      assert.equal(headers.get('access-control-allow-methods'), 'POST');
      assert.equal(headers.get('access-control-allow-headers'), 'Authorization');
    }
    for (const path of ['/oauth/authorize', '/harbor/tide-table']) {
      assert.equal(permission(await preflight(sandbox.url + path, 'GET', 'authorization')), null, path);
    }
  });

  it('may not read what programs sent', async () => {
    const address = `${sandbox.url}/-/sandbox/received`;
    assert.equal(permission(await preflight(address, 'GET', 'content-type')), null);
    assert.equal(permission((await fetch(address, { headers: { origin } })).headers), null);
  });
});

describe('The application of the sandbox', () => {
  it('answers a Request with a Response where there is no server', async () => {
    const url = 'https://sandbox.invalid';
    const app = createSandboxApp(url, { now: () => sandboxTime });
    const read = async (path: string, init: Pick<RequestInit, 'method' | 'body'> = {}): Promise<string> => {
      const headers = { 'private-token': app.tokens.owner, 'content-type': 'application/json' };
      const response = await app.fetch(new Request(url + path, { ...init, headers }));
      return await response.text();
    };
    assert.match(await read('/api/v4/user'), /"username":"marta"/);
    const put = { method: 'PUT', body: '{"level":"watch"}' };
    assert.match(await read('/api/v4/notification_settings', put), /"level":"watch"/);
    const keys = await read('/api/v4/projects/501/error_tracking/client_keys');
    assert.match(keys, /@sandbox\.invalid\/errortracking/);
    const envelope = { method: 'POST', body: '{}\n{"type":"event"}\n{"message":"Ebb","event_id":"1f"}\n' };
    const address = `/errortracking/api/v1/projects/api/501/envelope/?sentry_key=${/glet_\w+/.exec(keys)?.[0]}`;
    assert.match(await read(address, envelope), /"id":/);
    app.close();
  });
});
