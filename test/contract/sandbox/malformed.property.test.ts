import assert from 'node:assert/strict';
import { connect } from 'node:net';
import * as fc from 'fast-check';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { runs } from '../../support/properties.ts';
import { suiteSandbox } from './caller.ts';

describe('The sandbox with malformed requests', () => {
  const defects: Error[] = [];
  const { sandbox, call } = suiteSandbox({ onDefect: (error) => defects.push(error) });

  it('never answers with 500 and never crashes', async () => {
    const before = memory();
    await fc.assert(
      fc.asyncProperty(requestArbitrary, async (makeRequest) => {
        const status = await send(sandbox, makeRequest(sandbox.tokens.owner));
        assert.ok(status === undefined || status < 500, `status ${status}`);
      }),
      runs(300),
    );
    assert.deepEqual(defects, []);
    assert.equal((await call('/events')).status, 200);
    // Sockets, compiled code and caches may stay; 64 MB are far below what the requests took altogether.
    assert.ok(memory() - before < 64 * 1024 * 1024);
  });
});

/** Bytes in use after garbage collection. */
function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Sends bytes as they are; the status of the first answer, or undefined if the connection just ends. */
async function send(sandbox: Sandbox, bytes: Buffer): Promise<number | undefined> {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // The sandbox may hang up before it has read everything.
  socket.on('error', () => undefined);
  socket.end(bytes);
  await closed;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(chunks).toString('latin1'))?.[1];
  return status === undefined ? undefined : Number(status);
}

const segment = fc.oneof(
  fc.constantFrom('events', 'projects', 'users', 'groups', '501', 'harbor%2Ftide-table', '%', '%2', '%ff', '%00', '..'),
  fc.constantFrom('notification_settings', 'error_tracking', 'settings', 'client_keys', 'envelope', 'store'),
  fc.string({ maxLength: 20 }).map((text) => encodeURI(text.replaceAll(/[\ud800-\udfff]/g, ''))),
);
const path = fc.oneof(
  fc.array(segment, { maxLength: 6 }).map((segments) => `/api/v4/${segments.join('/')}`),
  fc.constantFrom('/api/v4/notification_settings', '/api/v4/projects/501/error_tracking/settings', '//', '*', '/%'),
  fc.constantFrom(
    '/errortracking/api/v1/projects/api/501/envelope/',
    '/api/v4/error_tracking/collector/api/501/store/',
    '/api/v4/projects/501/error_tracking/client_keys/1',
  ),
  fc.constantFrom('/oauth/token', '/oauth/revoke', '/oauth/authorize', '/-/sandbox/received'),
);
const name = fc.constantFrom('page', 'per_page', 'action', 'after', 'sort', 'order_by', 'pagination', 'cursor');
const key = fc.tuple(name, fc.constantFrom('', '[]', '[a]', '[0][key]', '[a][b][c][d][e]', '[[[', '[__proto__]'));
const value = fc.oneof(
  fc.string({ maxLength: 30 }).map((text) => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, ''))),
  fc.constantFrom('%', '%zz', '%ff%fe', '-1', '1e99', 'NaN', 'keyset', 'id', 'eyJpZCI6e319', '0'.repeat(9000)),
);
const query = fc
  .array(fc.tuple(key, value), { maxLength: 5 })
  .map((pairs) => pairs.map(([[first, rest], text]) => `${first}${rest}=${text}`).join('&'));
const body = fc.oneof(
  fc.json(),
  query,
  fc.constantFrom('[', '{"level":', '['.repeat(50_000), `{"level":"${'x'.repeat(100_000)}"}`, '{"__proto__":{"a":1}}'),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);
const contentType = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-99',
  ';',
);
const header = fc.constantFrom(
  'x-a: b',
  `x-long: ${'x'.repeat(70_000)}`,
  'content-encoding: gzip',
  'if-none-match: W/"',
  'expect: 200-maybe',
  ': nameless',
  'transfer-encoding: chunked',
);

/** The bytes of requests, most of them wrong in some way; the token comes later. */
const requestArbitrary = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'FOO', 'TRACE'),
    path,
    query,
    body,
    isDeclared: fc.boolean(),
    contentType,
    headers: fc.array(header, { maxLength: 2 }),
    host: fc.constantFrom('127.0.0.1', '127.0.0.1', '127.0.0.1', 'localhost:1', 'a b', '[', ''),
  })
  .map(
    ({ method, path: target, query: search, body: content, isDeclared, contentType: type, headers, host }) =>
      (token: string) => {
        const bytes = Buffer.from(isDeclared ? content : '', 'latin1');
        const lines = [
          `${method} ${target}?${search} HTTP/1.1`,
          `host: ${host}`,
          `private-token: ${token}`,
          `content-type: ${type}`,
          ...(isDeclared ? [`content-length: ${bytes.length}`] : []),
          'connection: close',
          ...headers,
        ];
        return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
      },
  );
