import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { startTestSandbox, sandboxTime } from './caller.ts';

const redirectUri = 'vscode://beacon-gitlab.beacon-gitlab/signed-in';
const verifier = 'a-verifier-of-the-length-that-the-standard-asks-for';
const challenge = createHash('sha256').update(verifier).digest('base64url');

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

  it('revokes nothing for another application', async () => {
    const { json } = await redeem(await codeOf());
    const revoke = { client_id: 'other', token: json['refresh_token'] ?? '' };
    assert.equal((await post('/oauth/revoke', revoke)).status, 403);
  });
});
