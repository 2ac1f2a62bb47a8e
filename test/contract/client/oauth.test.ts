import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type ApiErrorReason, isApiError } from '../../../src/api/errors.ts';
import type { Client } from '../../../src/api/client.ts';
import { authorizationPage, authorizationSecrets, type OAuth } from '../../../src/api/oauth.ts';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { SleeplessClock } from '../../support/fakeClock.ts';
import { clientOf, errorOf, serveClient, steady } from '../../support/clientSamples.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';
import { startTestSandbox } from '../sandbox/caller.ts';

const json = { 'content-type': 'application/json' };
const redirectUri = 'vscode://beacon-gitlab.beacon-gitlab/signed-in';

describe('client: OAuth', () => {
  let clock: SleeplessClock;
  let sandbox: Sandbox;
  let applicationId: string;
  let client: Client;
  let provider: OAuth;
  before(async () => {
    clock = new SleeplessClock();
    sandbox = await startTestSandbox({ now: () => clock.date() });
  });
  after(() => sandbox.close());
  beforeEach(async () => {
    applicationId = sandbox.control.registerApplication([redirectUri]);
    client = clientOf(sandbox.url, { token: undefined });
    provider = client.oauth(applicationId);
  });
  afterEach(() => client.close());

  /** Decides on a page of the sandbox as the user does; answers where that leads. */
  async function decide(page: string, decision: 'authorize' | 'deny', more: Record<string, string> = {}): Promise<URL> {
    const url = new URL(page);
    const body = new URLSearchParams({ ...Object.fromEntries(url.searchParams), ...more, decision });
    const response = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
    return new URL(response.headers.get('location') ?? 'about:blank');
  }

  /** The code that the user allows an application, and what belongs to it. */
  async function authorized() {
    const secrets = authorizationSecrets();
    const page = authorizationPage({ instanceUrl: sandbox.url, applicationId }, secrets, redirectUri);
    const answer = (await decide(page, 'authorize')).searchParams;
    assert.equal(answer.get('state'), secrets.state);
    return { code: answer.get('code') ?? '', verifier: secrets.verifier, state: secrets.state };
  }

  async function refusalOf(attempt: Promise<unknown>): Promise<string> {
    const error: unknown = await attempt.catch((reason: unknown) => reason);
    assert.ok(isApiError(error, 'grantRefused'), inspect(error));
    return error.code;
  }

  it('gets tokens by the browser with PKCE, once for each code and verifier', async () => {
    const { code, verifier, state } = await authorized();
    const pair = await provider.redeem(code, verifier, redirectUri);
    assert.equal(pair.expiresIn, 7200);
    const own = clientOf(sandbox.url, { token: pair.accessToken, bearer: true });
    assert.equal((await own.directory.currentUser()).username, 'marta');
    assert.deepEqual(pair.scopes, ['api']);
    assert.equal(await refusalOf(provider.redeem(code, verifier, redirectUri)), 'invalid_grant');
    const other = await authorized();
    assert.notEqual(other.state, state);
    assert.equal(await refusalOf(provider.redeem(other.code, verifier, redirectUri)), 'invalid_grant');
  });

  it('gets none for another address or application, or too late', async () => {
    const [first, second, third] = [await authorized(), await authorized(), await authorized()];
    const elsewhere = provider.redeem(first.code, first.verifier, 'https://evil.example');
    assert.equal(await refusalOf(elsewhere), 'invalid_grant');
    const other = client.oauth('other').redeem(second.code, second.verifier, redirectUri);
    assert.equal(await refusalOf(other), 'invalid_grant');
    clock.jump(601_000);
    assert.equal(await refusalOf(provider.redeem(third.code, third.verifier, redirectUri)), 'invalid_grant');
  });

  for (const [registered, given, isTaken] of [
    ['vscode://a.b/signed-in', 'vscode://a.b/signed-in?windowId=2', true],
    ['vscode://a.b/signed-in', 'vscode://a.b/elsewhere', false],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:9090/callback?id=1', true],
    ['http://127.0.0.1:8080/callback?id=1', 'http://127.0.0.1:9090/callback?id=2', false],
    ['https://editor.example/callback', 'https://editor.example:8443/callback', false],
    ['https://editor.example/callback', 'not an address', false],
  ] as const) {
    it(`is ${isTaken ? 'led' : 'not led'} to ${given} where ${registered} is registered`, async () => {
      const application = {
        instanceUrl: sandbox.url,
        applicationId: sandbox.control.registerApplication([registered]),
      };
      const { href } = await decide(authorizationPage(application, authorizationSecrets(), given), 'authorize');
      assert.equal(href.startsWith(given), isTaken, href);
    });
  }

  it('refreshes with each refresh token once, and revokes its own', async () => {
    const { code, verifier } = await authorized();
    const pair = await provider.redeem(code, verifier, redirectUri);
    const next = await provider.refresh(pair.refreshToken ?? '');
    assert.notEqual(next.accessToken, pair.accessToken);
    assert.equal(await refusalOf(provider.refresh(pair.refreshToken ?? '')), 'invalid_grant');
    assert.equal(await refusalOf(client.oauth('other').revoke(next.refreshToken ?? '')), 'unauthorized_client');
    await provider.revoke(next.refreshToken ?? '');
    const signedOut = clientOf(sandbox.url, { token: next.accessToken, bearer: true });
    assert.equal((await errorOf(signedOut.directory.currentUser())).reason, 'notSignedIn');
  });

  it('reaches an instance below a path', async () => {
    await using server = await serveClient({ json: { access_token: 'token', token_type: 'bearer' } });
    const instanceUrl = `${server.origin}/gitlab`;
    const below = clientOf(instanceUrl, { token: undefined });
    await below.oauth(applicationId).refresh('token');
    assert.equal(server.targets[0], '/gitlab/oauth/token');
    const page = authorizationPage({ instanceUrl, applicationId }, authorizationSecrets(), redirectUri);
    assert.ok(
      page.startsWith(`${instanceUrl}/oauth/authorize?client_id=${applicationId}&redirect_uri=vscode%3A%2F%2F`),
    );
    await below.close();
  });

  const html = { 'content-type': 'text/html' };
  const basic = { 'www-authenticate': 'Basic' };
  const hostile: readonly [
    what: string,
    reason: ApiErrorReason,
    status: number,
    body: string | object,
    headers?: Record<string, string>,
  ][] = [
    ['HTML', 'notAnInstance', 200, '<p>'],
    ['JSON that is cut', 'unavailable', 200, '{"a', json],
    ['any depth', 'notAnInstance', 200, '['.repeat(5000) + ']'.repeat(5000), json],
    ['no token', 'notAnInstance', 200, { token_type: 'Bearer' }],
    ['a token of several lines', 'notAnInstance', 200, { access_token: 'a\nb', token_type: 'bearer' }],
    ['a token without end', 'notAnInstance', 200, { access_token: 'a'.repeat(5000), token_type: 'bearer' }],
    ['another kind of token', 'notAnInstance', 200, { access_token: 'a', token_type: 'mac' }],
    ['a sentence for a code', 'notSignedIn', 401, { error: 'You need to sign in.' }],
    ['a page that is not there', 'notAnInstance', 404, ''],
    ['too many requests', 'rateLimited', 429, 'Retry later'],
    ['a failure', 'unavailable', 502, ''],
    ['a failure with a code', 'unavailable', 503, { error: 'server_error' }],
    ['a redirect within', 'inFront', 307, '', { location: '/elsewhere' }],
    ['a password in front', 'inFront', 401, { error: 'unauthorized' }, basic],
    ['an application that is not known', 'grantRefused', 401, { error: 'invalid_client' }, basic],
  ];
  for (const [what, reason, status, body, headers] of hostile) {
    it(`takes ${what} for what it is, after one request`, async () => {
      const answer =
        typeof body === 'string' ? { text: body, headers: { ...html, ...headers } } : { json: body, headers };
      await using server = await serveClient({ status, ...answer });
      assert.equal((await errorOf(server.client.oauth(applicationId).refresh('secret'))).reason, reason);
      assert.equal(server.requests.length, 1);
    });
  }

  it('ends what is under way when it is closed', async () => {
    const arrived = Promise.withResolvers<void>();
    await using server = await startHostileServer(() => arrived.resolve());
    for (const fetch of [undefined, globalThis.fetch]) {
      const other = clientOf(server.origin, { token: undefined, fetch });
      const refreshing = assert.rejects(other.oauth(applicationId).refresh('refresh'), { reason: 'aborted' });
      await arrived.promise;
      await other.close();
      await refreshing;
      await assert.rejects(other.oauth(applicationId).refresh('refresh'), { reason: 'aborted' });
    }
  });

  it('follows no redirect to another origin', async () => {
    await using other = await startHostileServer(steady({ json: {} }));
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await serveClient({ status, headers: { location: `${other.origin}/oauth/token` } });
      await assert.rejects(server.client.oauth(applicationId).refresh('secret'), { reason: 'movedElsewhere' });
    }
    assert.equal(other.requests.length, 0);
  });

  it('keeps what is secret out of errors and the log, even where the instance repeats it', async () => {
    const secret = 'Secret-0123456789abcdef';
    const logged: unknown[] = [];
    await using server = await serveClient(
      ({ body }, response) => {
        const said = `${body} ${secret}`;
        sendJson(response, { message: said, error: said, error_description: said }, { status: 400 });
      },
      { log: (entry) => logged.push(entry) },
    );
    const oauth = server.client.oauth(applicationId);
    const errors = await Promise.all(
      [oauth.refresh(secret), oauth.redeem(secret, secret, redirectUri), oauth.revoke(secret)].map((attempt) =>
        attempt.catch((error: unknown) => error),
      ),
    );
    assert.equal(logged.length, 3);
    assert.ok(!inspect([errors, logged], { depth: 9, showHidden: true }).includes(secret));
  });

  it('sends a request again with the token that replaces one, once, and a POST never', async () => {
    const seen: string[] = [];
    await using server = await serveClient(({ method, headers }, response) => {
      seen.push(`${method} ${headers.authorization ?? ''}`);
      const isGood = headers.authorization === 'Bearer good';
      sendJson(response, isGood ? { id: 1, username: 'ada', name: 'Ada' } : { message: '401 Unauthorized' }, {
        status: isGood ? 200 : 401,
      });
    });
    const rejected: unknown[] = [];
    let current = 'old';
    const clientWith = (next: string) =>
      clientOf(server.origin, {
        token: (bad) => (bad === undefined ? current : (current = next)),
        bearer: true,
        onRejected: (error) => rejected.push(error),
      });
    assert.equal((await clientWith('good').directory.currentUser()).username, 'ada');
    assert.deepEqual(seen.splice(0), ['GET Bearer old', 'GET Bearer good']);
    current = 'old';
    const replaced = { reason: 'notSignedIn', isReplaced: true };
    await assert.rejects(clientWith('good').errorTracking.createClientKey(1), replaced);
    assert.deepEqual(seen.splice(0), ['POST Bearer old']);
    assert.equal(rejected.length, 0);
    for (const [next, sent] of [
      ['bad', ['GET Bearer old', 'GET Bearer bad']],
      ['old', ['GET Bearer old']],
    ] as const) {
      current = 'old';
      await assert.rejects(clientWith(next).directory.currentUser(), { reason: 'notSignedIn' });
      assert.deepEqual(seen.splice(0), sent);
    }
    assert.equal(rejected.length, 2);
  });
});
