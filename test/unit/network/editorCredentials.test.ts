import assert from 'node:assert/strict';
import type { Fetch, Transport } from '../../../src/api/transport.ts';
import { ProxyFailure } from '../../../src/network/connect.ts';
import { withEditorCredentials } from '../../../src/network/editorFetch.ts';

const request = {
  method: 'POST',
  headers: { accept: 'application/json' },
  body: '{}',
  signal: new AbortController().signal,
  redirect: 'manual',
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
} as const;

describe('a proxy whose credentials only the editor can get', () => {
  const sent: string[] = [];
  beforeEach(() => sent.splice(0));

  const own = (outcome: number | Error): Transport => ({
    async send({ method, url, body }) {
      sent.push(`own ${method} ${url.href} ${body ?? ''}`);
      if (outcome instanceof Error) {
        throw outcome;
      }
      return {
        status: outcome,
        header: (name) => (name === 'x-a' ? 'b' : undefined),
        bytes: async () => Buffer.from('own'),
      };
    },
    async close() {},
  });
  const editor =
    (outcome: number | Error): Fetch =>
    async (url, { method, body = '' }) => {
      sent.push(`editor ${method} ${url} ${body}`);
      if (outcome instanceof Error) {
        throw outcome;
      }
      return { status: outcome, headers: { get: () => null }, body: null };
    };
  const wanting = new ProxyFailure('proxy:80', 407);
  const url = 'https://gitlab.example.com/api/v4/user';

  it('is no business of the editor as long as it wants none', async () => {
    const answer = await withEditorCredentials(own(200), editor(200))(url, request);
    for await (const piece of answer.body ?? []) {
      assert.deepEqual(piece, Buffer.from('own'));
    }
    assert.equal(answer.headers.get('x-a'), 'b');
    assert.equal(answer.headers.get('x-b'), null);
    assert.deepEqual(sent, [`own POST ${url} {}`]);
  });

  it('is passed by the editor from then on', async () => {
    const fetch = withEditorCredentials(own(wanting), editor(201));
    assert.equal((await fetch(url, request)).status, 201);
    assert.equal((await fetch(url, request)).status, 201);
    assert.deepEqual(sent, [`own POST ${url} {}`, `editor POST ${url} {}`, `editor POST ${url} {}`]);
  });

  it('is named if the editor has none either, and asked again the next time', async () => {
    for (const outcome of [407, new Error('Proxy response (407) !== 200 when HTTP Tunneling')]) {
      const fetch = withEditorCredentials(own(wanting), editor(outcome));
      await assert.rejects(fetch(url, request), wanting);
      await assert.rejects(fetch(url, request), wanting);
    }
    assert.equal(sent.length, 8);
  });

  it('hides no other failure', async () => {
    const refused = new ProxyFailure('proxy:80', 403);
    await assert.rejects(withEditorCredentials(own(refused), editor(200))(url, request), refused);
    const untrusted = new Error('certificate');
    await assert.rejects(withEditorCredentials(own(wanting), editor(untrusted))(url, request), untrusted);
  });
});
