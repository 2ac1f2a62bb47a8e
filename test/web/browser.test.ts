import assert from 'node:assert/strict';
import { type BrowserWorker, startBrowserWorker } from './browserWorker.ts';
import { clientOf, errorOf, sampleToken, sampleUser } from '../support/clientSamples.ts';
import { type Handler, type ReceivedRequest, sendJson, startHostileServer } from '../support/hostileServer.ts';

/** Starts a server that web pages may use. */
const startServer = (handler: Handler) => startHostileServer(handler, true);

/** Everything of a request that reaches the other end, as text. */
const wholeOf = ({ target, headers, body }: ReceivedRequest): string => JSON.stringify([target, headers, body]);

describe('a client in a worker of a browser', () => {
  let worker: BrowserWorker;

  before(async () => {
    worker = await startBrowserWorker();
  });
  after(() => worker[Symbol.asyncDispose]());

  it('sends the token to the instance and says where it comes from', async () => {
    await using server = await startServer((_, response) => sendJson(response, sampleUser));
    const user = await clientOf(server.origin, { fetch: worker.fetch }).directory.currentUser();
    assert.equal(user.username, 'rosa');
    const headers = server.requests[0]?.headers ?? {};
    assert.equal(headers['private-token'], sampleToken);
    assert.equal(headers['origin'], worker.origin);
    assert.equal(headers['cookie'], undefined);
    assert.equal(headers['referer'], undefined);
  });

  it('names an instance that lets no web page read its answers, and gives it no token', async () => {
    await using foreign = await startHostileServer((_, response) => sendJson(response, {}));
    await using server = await startHostileServer(({ method }, response) =>
      // Also what it is asked without a token, to find out whether it is there, may lead elsewhere.
      method === 'OPTIONS'
        ? sendJson(response, {})
        : response.writeHead(302, { location: `${foreign.origin}/elsewhere` }).end(),
    );
    const client = clientOf(server.origin, { fetch: worker.fetch });
    for (const asked of [client.directory.currentUser(), client.errorTracking.createClientKey(1)]) {
      const error = await errorOf(asked, 'unavailable');
      assert.deepEqual([error.kind, error.detail], ['network', 'CORS']);
    }
    const received = [...server.requests, ...foreign.requests];
    assert.ok(received.length > 0);
    assert.ok(received.every((request) => !wholeOf(request).includes(sampleToken)));
  });

  it('follows no redirect: nothing reaches another origin, and the error says why', async () => {
    await using foreign = await startServer((_, response) => sendJson(response, sampleUser));
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await startServer((_, response) => {
        response.writeHead(status, { location: `${foreign.origin}/api/v4/user` }).end();
      });
      const client = clientOf(server.origin, { fetch: worker.fetch });
      const error = await errorOf(client.directory.currentUser(), 'unavailable');
      assert.deepEqual([error.kind, error.detail], ['network', 'HIDDEN_REDIRECT']);
      assert.equal(server.requests.length, 1, 'it is not tried again');
    }
    assert.equal(foreign.requests.length, 0);
  });

  it('says no more of what cannot be reached than the browser does', async () => {
    const server = await startServer(() => {});
    await server[Symbol.asyncDispose]();
    const error = await errorOf(
      clientOf(server.origin, { fetch: worker.fetch }).directory.currentUser(),
      'unavailable',
    );
    assert.deepEqual([error.kind, error.detail], ['network', 'UNKNOWN']);
  });

  it('pauses after a refusal for their number, though it cannot see for how long', async () => {
    await using server = await startServer((_, response) =>
      response.writeHead(429, { 'retry-after': '3600', 'content-type': 'text/plain' }).end('Retry later\n'),
    );
    const error = await errorOf(
      clientOf(server.origin, { fetch: worker.fetch }).directory.currentUser(),
      'rateLimited',
    );
    assert.equal(error.retryAt, undefined);
    assert.equal(server.requests.length, 3);
  });
});
