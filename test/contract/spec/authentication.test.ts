import assert from 'node:assert/strict';
import { allPages, clientOf, errorOf, sampleToken, sampleUser, serveClient } from '../../support/clientSamples.ts';
import { sendJson } from '../../support/hostileServer.ts';

describe('the API documentation: authentication', () => {
  it('the token is sent in PRIVATE-TOKEN, and in no other header', async () => {
    await using server = await serveClient({ json: sampleUser });
    await server.client.directory.currentUser();
    const { 'private-token': sent, ...others } = server.requests[0]?.headers ?? {};
    assert.equal(sent, sampleToken);
    assert.ok(!JSON.stringify([others, server.targets[0]]).includes(sampleToken));
  });

  it('a function is asked for the token before each request', async () => {
    const tokens = ['first', 'second'];
    await using server = await serveClient({ json: sampleUser }, { token: async () => tokens.shift() });
    await server.client.directory.currentUser();
    await server.client.directory.currentUser();
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['private-token']),
      ['first', 'second'],
    );
  });

  it('without a token requests are anonymous', async () => {
    await using server = await serveClient({ json: [] }, { token: undefined });
    await allPages(server.client.events.ofUser(7));
    assert.equal(server.requests[0]?.headers['private-token'], undefined);
  });

  it('the scopes and the expiry of the token can be asked for', async () => {
    const token = { id: 3, name: 'editor', scopes: ['read_user'], active: true, expires_at: '2026-12-31', user_id: 25 };
    await using server = await serveClient({ json: token });
    assert.deepEqual(await server.client.directory.token(), token);
    assert.equal(server.targets[0], '/api/v4/personal_access_tokens/self');
  });

  it('a role that does not suffice is an error of its own, with the reason that the instance gives', async () => {
    await using server = await serveClient({ json: { message: '403 Forbidden - Not a maintainer' }, status: 403 });
    const error = await errorOf(server.client.errorTracking.settings(1), 'missingRole');
    assert.equal(error.sentence, '403 Forbidden - Not a maintainer');
  });

  it('a token that is unknown, expired or revoked is not signed in', async () => {
    for (const [body, sentence] of [
      [{ message: '401 Unauthorized' }, '401 Unauthorized'],
      [{ error: 'invalid_token', error_description: 'Token is expired.' }, 'Token is expired.'],
      [{ error: 'invalid_token', error_description: 'Token was revoked.' }, 'Token was revoked.'],
    ] as const) {
      await using server = await serveClient({ json: body, status: 401 });
      const error = await errorOf(server.client.directory.currentUser(), 'notSignedIn');
      assert.equal(error.sentence, sentence);
    }
  });

  it('a token that no header can carry is not sent', async () => {
    await using server = await serveClient({ json: sampleUser });
    for (const token of ['a b', 'a\r\nx-other: 1', 'ünicode', '']) {
      const error = await errorOf(clientOf(server.origin, { token }).directory.currentUser(), 'notSignedIn');
      assert.ok(token === '' || !String(error).includes(token));
    }
    for (const token of [null, 7, {}] as unknown as string[]) {
      await errorOf(clientOf(server.origin, { token: () => token }).directory.currentUser(), 'notSignedIn');
    }
    assert.equal(server.requests.length, 0);
  });

  it('the version of the instance can be asked for', async () => {
    await using server = await serveClient({ json: { version: '18.7.0-ee', revision: 'a1' } });
    assert.deepEqual(await server.client.directory.version(), { version: '18.7.0-ee', revision: 'a1' });
  });

  it('one user can be asked for by username, and may not exist', async () => {
    let answer: unknown[] = [sampleUser];
    await using server = await serveClient((_, response) => sendJson(response, answer));
    const { directory } = server.client;
    assert.deepEqual(await directory.user('rosa+x'), sampleUser);
    answer = [];
    await errorOf(directory.user('rosa'), 'notFound');
    await assert.rejects(directory.user(''), TypeError);
    assert.deepEqual(server.targets, ['/api/v4/users?username=rosa%2Bx', '/api/v4/users?username=rosa']);
  });
});
