import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type ApiErrorReason } from '../../../src/api/errors.ts';
import { clientOf, errorOf, serveClient } from '../../support/clientSamples.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';

const json = { 'content-type': 'application/json' };

describe('the API documentation: errors', () => {
  it('a numeric status accompanies every response and decides the error', async () => {
    const reasons = new Map<ApiErrorReason, number[]>([
      ['validation', [400, 422]],
      ['notSignedIn', [401]],
      ['missingRole', [403]],
      ['notFound', [404]],
      ['refused', [402, 405, 409, 410]],
      ['tooLong', [414]],
      ['rateLimited', [429]],
      ['unavailable', [407, 408, 500, 501, 502, 503, 504, 599]],
    ]);
    for (const [reason, status] of [...reasons].flatMap(([one, all]) => all.map((each) => [one, each] as const))) {
      const headers = { 'x-request-id': '01HZ' };
      await using server = await serveClient({ json: { message: 'A sentence' }, status, headers });
      const error = await errorOf(server.client.directory.project('a/b'));
      assert.deepEqual(
        [error.reason, error.status, error.requestId, error.method, error.pathTemplate, error.instance],
        [reason, status, '01HZ', 'GET', '/projects/:id', server.origin.replace('http://', '')],
      );
    }
  });

  it('any body of an error is survived', async () => {
    const bodies = [
      'null',
      '[]',
      '7',
      '"text"',
      '{',
      '{"message":null,"error":[]}',
      '{"message":{"__proto__":["a"],"name":[1,null,{}],"path":"is taken"}}',
      '{"error":{"name":["is odd"]}}',
      '{"message":["one","two"]}',
    ];
    for (const body of bodies) {
      await using server = await serveClient({ status: 422, headers: json, text: body });
      await errorOf(server.client.directory.currentUser(), 'validation');
    }
  });

  it('a model error names its fields, whatever they are called', async () => {
    const text = '{"message":{"__proto__":["is odd"],"path":["is taken","is short"]}}';
    await using server = await serveClient({ status: 400, headers: json, text });
    const { fields } = await errorOf(server.client.directory.currentUser(), 'validation');
    assert.deepEqual(Object.entries(fields), [
      ['__proto__', ['is odd']],
      ['path', ['is taken', 'is short']],
    ]);
  });

  it('a model error of any size is read, and is no long message', async () => {
    const problems = Array.from({ length: 50_000 }, () => 'is odd');
    const message = { ...Object.fromEntries(problems.map((_, index) => [`field${index}`, 'is odd'])), name: problems };
    await using server = await serveClient({ json: { message }, status: 422 });
    const error = await errorOf(server.client.directory.currentUser(), 'validation');
    assert.equal(Object.keys(error.fields).length, 100);
    assert.equal(error.fields['field99']?.[0], 'is odd');
    assert.ok(error.message.length < 400 && inspect(error).length < 100_000);
    for (const answer of [
      { json: { message: 'y'.repeat(5_000_000) }, status: 400 },
      { json: { message: Array.from({ length: 100 }, () => 'z'.repeat(2000)) }, status: 400 },
      { json: { error: 'insufficient_scope', scope: message }, status: 403 },
    ]) {
      await using other = await serveClient(answer);
      const logged = inspect(await errorOf(other.client.directory.user(1)));
      assert.ok(logged.length < 100_000, String(logged.length));
    }
  });

  it('an instance that fails may say why', async () => {
    for (const [status, body, detail] of [
      [500, { message: 'The disk is full' }, undefined],
      [503, { error: 'The disk is full' }, undefined],
      [200, { status: 'error', message: 'The disk is full', http_status: 'bad_gateway' }, 'error'],
    ] as const) {
      await using server = await serveClient({ json: body, status });
      const error = await errorOf(server.client.errorTracking.settings(1), 'unavailable');
      assert.deepEqual([error.sentence, error.status, error.detail], ['The disk is full', status, detail]);
      assert.doesNotMatch(error.message, /disk/);
    }
  });

  it('aborting is an error of its own, before the request, while it waits, and for one of two who share it', async () => {
    let answer: (() => void) | undefined;
    await using server = await serveClient((_, response) => {
      answer = () => sendJson(response, { version: '1' });
      held.abort();
    });
    const { directory } = server.client;
    await errorOf(directory.version({ signal: AbortSignal.abort() }), 'aborted');
    assert.equal(server.requests.length, 0);
    const held = new AbortController();
    const left = errorOf(directory.version({ signal: held.signal }), 'aborted');
    const stays = directory.version();
    assert.equal((await left).reason, 'aborted');
    answer?.();
    assert.deepEqual(await stays, { version: '1' });
    assert.equal(server.requests.length, 1);
  });

  it('when all have left, the request itself is aborted', async () => {
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    await using server = await serveClient((_, response) => {
      closed = new Promise((resolve) => response.on('close', resolve));
      controller.abort();
    });
    await errorOf(server.client.directory.version({ signal: controller.signal }), 'aborted');
    await closed;
  });

  it('a refused connection and an unknown host are named', async () => {
    const server = await startHostileServer(() => {});
    await server[Symbol.asyncDispose]();
    const refused = await errorOf(clientOf(server.origin).directory.version(), 'unavailable');
    assert.deepEqual([refused.kind, refused.detail], ['network', 'ECONNREFUSED']);
    const unknown = await errorOf(clientOf('http://instance.invalid').directory.version(), 'unavailable');
    assert.equal(unknown.kind, 'dns');
    assert.equal(unknown.instance, 'instance.invalid');
  });
});
