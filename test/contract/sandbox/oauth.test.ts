import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { clientOf } from '../../support/clientSamples.ts';
import { startTestSandbox, sandboxTime } from './caller.ts';

const redirectUri = 'vscode://beacon-gitlab.beacon-gitlab/signed-in';
const verifier = 'a-verifier-of-the-length-that-the-standard-asks-for';
const challenge = createHash('sha256').update(verifier).digest('base64url');
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

describe("The sandbox's OAuth provider", () => {
  let sandbox: Sandbox;
  let id: string;
  let time = sandboxTime.getTime();
  before(async () => {
    sandbox = await startTestSandbox({ now: () => new Date(time) });
  });
  after(() => sandbox.close());
  beforeEach(() => {
    time = sandboxTime.getTime();
    id = sandbox.control.registerApplication([redirectUri]);
  });

  async function post(path: string, form: Record<string, string>) {
    const body = new URLSearchParams(form);
    const response = await fetch(sandbox.url + path, { method: 'POST', body, redirect: 'manual' });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const json: unknown = isJson ? JSON.parse(text) : {};
    return {
      status: response.status,
      json: json as Record<string, string>,
      location: response.headers.get('location'),
    };
  }

  const asked = () => ({
    ...{ client_id: id, redirect_uri: redirectUri, response_type: 'code', state: 's', scope: 'api' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  });
  const codeOf = async (): Promise<string> => {
    const { location } = await post('/oauth/authorize', { ...asked(), decision: 'authorize' });
    const target = new URL(location ?? '');
    assert.equal(`${target.protocol}//${target.host}${target.pathname}`, redirectUri);
    assert.equal(target.searchParams.get('state'), 's');
    return target.searchParams.get('code') ?? '';
  };
  const redeem = (code: string, rest: Record<string, string> = {}) =>
    post('/oauth/token', {
      ...{ grant_type: 'authorization_code', client_id: id, redirect_uri: redirectUri, code, code_verifier: verifier },
      ...rest,
    });

  it('asks the user, and gives tokens for a code once', async () => {
    const consent = await fetch(`${sandbox.url}/oauth/authorize?${new URLSearchParams(asked()).toString()}`);
    assert.match(await consent.text(), /<button name="decision" value="authorize">/);
    const code = await codeOf();
    const { status, json } = await redeem(code);
    assert.deepEqual([status, json['token_type'], Number(json['expires_in'])], [200, 'Bearer', 7200]);
    const client = clientOf(sandbox.url, { token: json['access_token'], bearer: true });
    assert.equal((await client.directory.currentUser()).username, 'marta');
    assert.equal((await redeem(code)).json['error'], 'invalid_grant');
    const info = await fetch(`${sandbox.url}/oauth/token/info`, {
      headers: { authorization: `Bearer ${json['access_token']}` },
    });
    assert.deepEqual(((await info.json()) as { scope: unknown }).scope, ['api']);
  });

  it('gives nothing without the verifier, for another address, another application, or too late', async () => {
    for (const rest of [
      { code_verifier: 'another' },
      { redirect_uri: 'https://evil.example' },
      { client_id: 'other' },
    ]) {
      assert.deepEqual([(await redeem(await codeOf(), rest)).json['error']], ['invalid_grant']);
    }
    const code = await codeOf();
    time += 601_000;
    assert.equal((await redeem(code)).json['error'], 'invalid_grant');
    for (const rest of [
      { redirect_uri: 'https://evil.example' },
      { client_id: 'x' },
      { code_challenge_method: 'plain' },
    ]) {
      assert.equal((await post('/oauth/authorize', { ...asked(), ...rest, decision: 'authorize' })).status, 400);
    }
    const { location } = await post('/oauth/authorize', { ...asked(), decision: 'deny' });
    assert.equal(new URL(location ?? '').searchParams.get('error'), 'access_denied');
  });

  for (const [registered, given, isTaken] of [
    ['vscode://a.b/signed-in', 'vscode://a.b/signed-in?windowId=2', true],
    ['vscode://a.b/signed-in', 'vscode://a.b/elsewhere', false],
    ['http://127.0.0.1:8080/callback', 'http://127.0.0.1:9090/callback?id=1', true],
    ['http://127.0.0.1:8080/callback?id=1', 'http://127.0.0.1:9090/callback?id=2', false],
    ['https://editor.example/callback', 'https://editor.example:8443/callback', false],
    ['https://editor.example/callback', 'not an address', false],
  ] as const) {
    it(`${isTaken ? 'takes' : 'refuses'} ${given} where ${registered} is registered`, async () => {
      const other = sandbox.control.registerApplication([registered]);
      const query = new URLSearchParams({ ...asked(), client_id: other, redirect_uri: given });
      const consent = await fetch(`${sandbox.url}/oauth/authorize?${query.toString()}`);
      assert.equal(consent.status, isTaken ? 200 : 400);
    });
  }

  it('revokes what is signed out of, for its own application alone', async () => {
    const { json } = await redeem(await codeOf());
    const client = clientOf(sandbox.url, { token: json['access_token'], bearer: true });
    const revoke = (application: string, token = '') => post('/oauth/revoke', { client_id: application, token });
    assert.equal((await revoke('other', json['refresh_token'])).status, 403);
    assert.equal((await client.directory.currentUser()).username, 'marta');
    assert.equal((await revoke(id, json['refresh_token'])).status, 200);
    await assert.rejects(client.directory.currentUser(), { reason: 'notSignedIn' });
    assert.equal((await revoke(id, 'unknown')).status, 200);
  });

  it('has no device grant before 17.1', async () => {
    sandbox.control.setVersion('17.0.2');
    assert.equal((await post('/oauth/authorize_device', { client_id: id })).status, 404);
    sandbox.control.setVersion('17.1.0');
    assert.equal((await post('/oauth/authorize_device', { client_id: id })).status, 200);
  });

  it('takes a refresh token once, and access tokens for two hours', async () => {
    const { json: first } = await redeem(await codeOf());
    const refresh = (token = '') =>
      post('/oauth/token', { grant_type: 'refresh_token', client_id: id, refresh_token: token });
    const { json: second } = await refresh(first['refresh_token']);
    assert.notEqual(second['access_token'], first['access_token']);
    assert.equal((await refresh(first['refresh_token'])).json['error'], 'invalid_grant');
    const outdated = clientOf(sandbox.url, { token: first['access_token'], bearer: true });
    await assert.rejects(outdated.directory.currentUser(), { reason: 'notSignedIn' });
    time += 7_201_000;
    const client = clientOf(sandbox.url, { token: second['access_token'], bearer: true });
    await assert.rejects(client.directory.currentUser(), { reason: 'notSignedIn' });
    assert.equal((await refresh(second['refresh_token'])).status, 200);
  });

  it('lets a device wait for the decision of the user', async () => {
    const { json: device } = await post('/oauth/authorize_device', { client_id: id, scope: 'api' });
    const ask = async () => {
      const form = { grant_type: deviceGrant, client_id: id, device_code: device['device_code'] ?? '' };
      const { json } = await post('/oauth/token', form);
      return json['error'] ?? json['token_type'];
    };
    assert.equal(await ask(), 'authorization_pending');
    assert.equal(await ask(), 'slow_down');
    time += 5000;
    assert.equal(await ask(), 'authorization_pending');
    const verification = await fetch(device['verification_uri_complete'] ?? '');
    assert.ok((await verification.text()).includes(`value="${device['user_code']}"`));
    assert.equal((await post('/oauth/device', { user_code: 'NONE', decision: 'authorize' })).status, 404);
    const decision = { user_code: device['user_code'] ?? '', decision: 'authorize' };
    assert.equal((await post('/oauth/device', decision)).status, 200);
    assert.equal(await ask(), 'Bearer');
    assert.equal(await ask(), 'invalid_grant');
  });

  it('answers a device that it was denied, or came too late', async () => {
    const start = async () => (await post('/oauth/authorize_device', { client_id: id, scope: 'api' })).json;
    const ask = async (code = '') =>
      (await post('/oauth/token', { grant_type: deviceGrant, client_id: id, device_code: code })).json['error'];
    const denied = await start();
    await post('/oauth/device', { user_code: denied['user_code'] ?? '', decision: 'deny' });
    assert.equal(await ask(denied['device_code']), 'access_denied');
    const late = await start();
    time += 601_000;
    assert.equal(await ask(late['device_code']), 'expired_token');
    assert.equal((await post('/oauth/authorize_device', { client_id: 'other' })).status, 401);
    assert.equal((await post('/oauth/token', { grant_type: 'password' })).json['error'], 'unsupported_grant_type');
  });
});
