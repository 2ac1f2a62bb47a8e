import assert from 'node:assert/strict';
import { isApiError } from '../../../src/api/errors.ts';
import { errorOf, serveClient } from '../../support/clientSamples.ts';

const html = 'text/html; charset=UTF-8';
const json = 'application/json';
const unauthorized = '{"message":"401 Unauthorized"}';
const bearer = 'Bearer realm="GitLab, Basic", error="invalid_token", error_description="Say \\"Basic\\", Basic x"';
const challenge = '<html><head><title>Just a moment...</title></head></html>';
const maintenance = '<html><head><title>GitLab is not responding</title></head></html>';

describe('client: what stands in front of an instance', () => {
  const cases: readonly (readonly [
    status: number,
    headers: Record<string, string>,
    body: string,
    answeredBy: string,
  ])[] = [
    [401, { 'content-type': html, 'www-authenticate': 'Basic realm="Restricted"' }, '<html></html>', 'password'],
    [401, { 'content-type': json, 'www-authenticate': 'basic realm="x"' }, unauthorized, 'password'],
    [401, { 'www-authenticate': 'Negotiate' }, '', 'password'],
    [401, { 'content-type': json, 'www-authenticate': 'NEGOTIATE, ntlm' }, unauthorized, 'password'],
    [
      401,
      { 'content-type': json, 'www-authenticate': 'Negotiate oYG2MIGz==, Basic realm="a, b"' },
      unauthorized,
      'password',
    ],
    [401, { 'content-type': json, 'www-authenticate': 'Digest realm="x", qop="auth"' }, unauthorized, 'password'],
    [401, { 'content-type': json, 'www-authenticate': `${bearer}, Basic realm = "x"` }, unauthorized, 'password'],
    [401, { 'content-type': json, 'www-authenticate': `Basic, ${bearer}` }, unauthorized, 'password'],
    [401, { 'content-type': html }, '<html>Sign in</html>', 'password'],
    [401, { 'content-type': 'text/plain' }, unauthorized, 'password'],
    [401, { 'content-type': json }, '{}', 'password'],
    [401, { 'content-type': json }, unauthorized, 'notSignedIn'],
    [401, { 'content-type': json, 'www-authenticate': bearer }, unauthorized, 'notSignedIn'],
    [401, { 'content-type': json, 'www-authenticate': 'Bearer' }, '{"error":"invalid_token"}', 'notSignedIn'],
    [403, { 'content-type': html, 'cf-mitigated': 'challenge' }, challenge, 'protection'],
    [403, { 'content-type': html }, '<html>Access denied</html>', 'protection'],
    [403, { 'content-type': json }, '{"code":"DENIED"}', 'protection'],
    [403, { 'content-type': json }, '{"message":"403 Forbidden"}', 'missingRole'],
    [503, { 'content-type': html }, challenge, 'protection'],
    [503, { 'content-type': html, 'cf-mitigated': 'Challenge' }, '', 'protection'],
    [503, { 'content-type': html }, maintenance, 'unavailable'],
    [503, { 'content-type': json }, '{"message":"Just a moment"}', 'unavailable'],
    [400, { 'content-type': html }, '<html>Proxy</html>', 'notAnInstance'],
    [404, { 'content-type': html }, '<html>Proxy</html>', 'notAnInstance'],
    [302, { location: '/users/sign_in' }, '', 'page'],
    [303, { location: '../../login?next=/api/v4/user' }, '', 'page'],
    [302, {}, '', 'page'],
    [301, { location: '/users/sign_in' }, '', 'page'],
    [307, { location: '/oauth/authorize?state=1' }, '', 'page'],
    [302, { location: 'https://acme.cloudflareaccess.com/login' }, '', 'movedElsewhere'],
  ];
  for (const [status, headers, body, answeredBy] of cases) {
    it(`is told from the instance's own words: ${status} ${JSON.stringify(headers)} ${body}`, async () => {
      const rejected: unknown[] = [];
      const asked: unknown[] = [];
      const token = (replaced: string | undefined) => {
        asked.push(replaced);
        return 'token';
      };
      const onRejected = (error: unknown) => rejected.push(error);
      await using server = await serveClient({ status, headers, text: body }, { token, onRejected });
      const error = await errorOf(server.client.directory.currentUser());
      assert.equal(isApiError(error, 'inFront') ? error.obstacle : error.reason, answeredBy);
      assert.equal(error.status, status);
      const isOfInstance = isApiError(error, 'notSignedIn');
      assert.equal(rejected.length, isOfInstance ? 1 : 0, 'only the instance rejects a token');
      assert.equal(asked.includes('token'), isOfInstance, 'only then another token is wanted');
      assert.equal(server.requests.length, answeredBy === 'unavailable' ? 3 : 1);
    });
  }

  it('is named by its origin where it is elsewhere, as is where the same instance is by https', async () => {
    for (const status of [302, 303]) {
      let location = 'https://login.example:8443/sign-in?from=x';
      await using server = await serveClient((_, response) => response.writeHead(status, { location }).end());
      const { directory } = server.client;
      const elsewhere = await errorOf(directory.currentUser(), 'movedElsewhere');
      assert.deepEqual([elsewhere.foreignOrigin, elsewhere.isPage], ['https://login.example:8443', true]);
      location = `${server.origin.replace('http:', 'https:')}/api/v4/user`;
      const secure = await errorOf(directory.currentUser(), 'movedElsewhere');
      assert.deepEqual([secure.foreignOrigin, secure.isPage], [new URL(location).origin, false]);
    }
  });

  it('carries out no change, and is asked once', async () => {
    await using server = await serveClient({ status: 503, headers: { 'cf-mitigated': 'challenge' } });
    const { errorTracking } = server.client;
    await errorOf(errorTracking.create(1, { active: true, integrated: true }), 'inFront');
    await errorOf(errorTracking.createClientKey(1), 'inFront');
    assert.equal(server.requests.length, 2);
  });

  it('does not pass for the instance in the words of an account that is refused', async () => {
    const body = { message: '403 Forbidden - Your account has been blocked.' };
    await using server = await serveClient({ json: body, status: 403, headers: { 'cf-mitigated': 'challenge' } });
    await errorOf(server.client.directory.currentUser(), 'inFront');
  });
});
