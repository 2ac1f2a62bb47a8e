import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { startTestSandbox, suiteSandbox } from './caller.ts';

describe("The sandbox's conventions", () => {
  const { sandbox, call, outcomeOf } = suiteSandbox();

  it('find no endpoint at an unencoded path', async () => {
    for (const path of ['/projects/harbor/tide-table', '/projects/harbor/tide-table/events', '/nothing']) {
      assert.deepEqual(await outcomeOf(path), [404, { error: '404 Not Found' }]);
    }
  });

  it('refuse a method that an endpoint does not have', async () => {
    const { status, json, headers } = await call('/projects/501/events', { method: 'POST' });
    assert.deepEqual([status, json, headers.get('allow')], [405, { error: '405 Not Allowed' }, 'GET, HEAD']);
  });

  it('move requests for a moved project to its id, GET alone', async () => {
    const { status, text, headers } = await call('/projects/harbor%2Falmanac/events?per_page=2&sort=asc');
    const location = `${sandbox.url}/api/v4/projects/501/events?per_page=2&sort=asc`;
    assert.deepEqual([status, headers.get('location')], [301, location]);
    assert.equal(text, `This resource has been moved permanently to ${location}`);
    assert.equal((await call(location)).records.length, 2);
    const put = await call('/projects/harbor%2Falmanac', { method: 'PUT' });
    assert.deepEqual(put.json, { message: 'Non GET methods are not allowed for moved projects' });
    assert.equal((await call('/projects/harbor%2Falmanac', { token: null })).status, 404);
  });

  it('answer a browser with a page where a GitLab instance has one', async () => {
    const headers = { accept: 'text/html' };
    const page = await call(`${sandbox.url}/harbor/tide-table/-/issues/3?<script>`, { headers });
    assert.equal(page.status, 200);
    assert.match(page.text, /<h1>\/harbor\/tide-table\/-\/issues\/3<\/h1>/);
    const hostile = await call(`${sandbox.url}/%3Cscript%3E`, { headers });
    assert.ok(!hostile.text.includes('<script>'));
    assert.equal((await call('/nothing', { headers })).status, 404);
    assert.equal((await call(`${sandbox.url}/%ff`, { headers })).status, 404);
  });

  it('show a browser the tokens that are valid, where a GitLab instance makes one', async () => {
    const { tokens } = sandbox;
    const headers = { accept: 'text/html' };
    for (const page of ['?name=Beacon&scopes=api', '/legacy/new?name=Beacon', '/granular/new']) {
      const address = `${sandbox.url}/-/user_settings/personal_access_tokens${page}`;
      const { text, headers: answered } = await call(address, { headers, token: null });
      const shown = [...text.matchAll(/<code>([^<]*)<\/code>/g)].map(([, token]) => token);
      assert.deepEqual(shown, Object.values(tokens));
      assert.match(text, new RegExp(`<h1>Access tokens of ${sandbox.url}</h1>`));
      assert.match(text, /<td>marta<\/td>\s*<td>owner<\/td>[^]*<td>tomasz<\/td>\s*<td>developer<\/td>/);
      assert.match(text, new RegExp(`<td>read_user</td>\\s*<td><code>${tokens.readUser}</code>`));
      const policy = answered.get('content-security-policy') ?? '';
      assert.match(
        policy,
        /^default-src 'none'; style-src 'nonce-[0-9a-f]{32}'; base-uri 'none'; form-action 'none'; /,
      );
      assert.ok(text.includes(`<style nonce="${/nonce-([0-9a-f]+)/.exec(policy)?.[1]}">`));
      assert.doesNotMatch(text, /<script|<link|<img| style=/);
    }
  });

  it('have a token with api of each user who has a narrower one', async () => {
    const { readUser, reader } = sandbox.tokens;
    const [narrow, wide] = [await call('/user', { token: readUser }), await call('/user', { token: reader })];
    assert.equal(narrow.text, wide.text);
    assert.equal((await call('/projects', { token: reader })).status, 200);
  });

  it('refuse a long query', async () => {
    // The longest one that is taken comes back four times in a header that clients can still read.
    const longest = await call(`/events?page=2&per_page=20&x=${'x'.repeat(3040)}`);
    assert.equal(longest.status, 200);
    assert.equal(longest.headers.get('link')?.match(/x{3040}/g)?.length, 4);
    assert.equal((await call(`/events?x=${'x'.repeat(3100)}`)).status, 414);
    assert.equal((await call(`/events?x=${'x'.repeat(40_000)}`)).status, 414);
  });

  it('refuse a huge body', async () => {
    const body = Buffer.alloc(11 * 1024 * 1024, 'x');
    const headers = { 'content-type': 'application/json' };
    const { status } = await call('/notification_settings', { method: 'PUT', headers, body });
    assert.equal(status, 413);
  });

  it('give every answer an id of its own', async () => {
    const paths = ['/user', '/user', '/nothing', '/projects/999', `/events?${'x'.repeat(9000)}`];
    const ids = await Promise.all(paths.map(async (path) => (await call(path)).headers.get('x-request-id')));
    assert.equal(new Set(ids).size, paths.length);
    assert.ok(ids.every((id) => /^[0-9A-Z]{26}$/.test(id ?? '')));
  });

  it('refuse a token that is unknown, expired or revoked', async () => {
    const [expired, revoked] = sandbox.control.tokens().slice(3);
    assert.deepEqual(await outcomeOf('/user', { token: 'glpat-unknown' }), [401, { message: '401 Unauthorized' }]);
    for (const [token, fate] of [
      [expired, 'is expired'],
      [revoked, 'was revoked'],
    ] as const) {
      const error_description = `Token ${fate}. You have to re-authorize from the user.`;
      const outcome = await outcomeOf('/user', { token: String(token?.value) });
      assert.deepEqual(outcome, [401, { error: 'invalid_token', error_description }]);
    }
  });

  it('refuse other host names by default', async () => {
    const open = await startTestSandbox({ anyHost: true });
    assert.deepEqual([await statusAs('evil.example', sandbox), await statusAs('evil.example', open)], [403, 200]);
    assert.deepEqual([await statusAs('localhost:80', sandbox), await statusAs('[::1]', sandbox)], [200, 200]);
    await open.close();
  });
});

/** The status of a request to the sandbox under another host name. */
async function statusAs(host: string, { url, tokens }: Sandbox): Promise<number | undefined> {
  const headers = { host, 'private-token': tokens.owner };
  const [response] = (await once(request(`${url}/api/v4/user`, { headers }).end(), 'response')) as [IncomingMessage];
  return response.resume().statusCode;
}
