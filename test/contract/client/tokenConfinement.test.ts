import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Client } from '../../../src/api/client.ts';
import { isApiError } from '../../../src/api/errors.ts';
import {
  allPages,
  clientOf,
  errorOf,
  sampleToken,
  sampleUser,
  serveClient,
  steady,
  type SampleOptions,
} from '../../support/clientSamples.ts';
import { sendJson, startHostileServer, type Handler, type HostileServer } from '../../support/hostileServer.ts';

const json = { 'content-type': 'application/json' };

/** Every way to say "there" that an address may have, to a client at `origin`. */
function addressesOf(foreign: HostileServer, origin: string): string[] {
  const { host } = new URL(foreign.origin);
  return [
    `${foreign.origin}/api/v4/events?page=2`,
    `//${host}/api/v4/events?page=2`,
    `/\\${host}/api/v4/events?page=2`,
    `\\\\${host}/api/v4/events?page=2`,
    `http:\\\\${host}/api/v4/events?page=2`,
    `http://user:password@${host}/api/v4/events?page=2`,
    `${origin}@${host}/api/v4/events?page=2`,
    `http://${new URL(origin).hostname}@${host}/api/v4/events?page=2`,
    `https://${host}/api/v4/events?page=2`,
    `HTTP://${host}/api/v4/events?page=2`,
    `\thttp://${host}/api/v4/events?page=2`.trimStart(),
  ];
}

/** Both transports; the token must not leave its instance by either. */
const transports: [string, SampleOptions][] = [
  ['undici', {}],
  ['fetch', { fetch: globalThis.fetch }],
];

describe('client: the token stays at its origin and out of texts', () => {
  for (const [name, options] of transports) {
    it(`no redirect takes the token, or any request, to another origin (${name})`, async () => {
      await using foreign = await startHostileServer(steady({ json: sampleUser }));
      for (const status of [300, 301, 302, 303, 305, 307, 308]) {
        let location = '';
        await using server = await serveClient((_, response) => {
          response.writeHead(status, { location, refresh: `0; url=${location}` }).end();
        });
        for (location of addressesOf(foreign, server.origin)) {
          const client = clientOf(server.origin, options);
          await errorOf(client.directory.currentUser());
          await errorOf(client.errorTracking.createClientKey(1));
        }
      }
      assert.equal(foreign.requests.length, 0);
    });

    it(`no link takes the token, or any request, to another origin (${name})`, async () => {
      await using foreign = await startHostileServer(steady({ json: [] }));
      let link = '';
      await using server = await serveClient(({ url }, response) =>
        sendJson(response, [], { headers: url.search === '' ? { link: `<${link}>; rel="next"` } : {} }),
      );
      for (link of addressesOf(foreign, server.origin)) {
        for (const prefetch of [1, 6]) {
          const pages = await allPages(clientOf(server.origin, options).events.mine({}, { prefetch }));
          assert.equal(pages.length, 2);
          await allPages(clientOf(server.origin, options).events.mine({}, { from: pages[0]?.next }));
        }
      }
      assert.equal(foreign.requests.length, 0);
    });
  }

  it('a proxy that stands before an inner host gets the token for the page after a link to that host', async () => {
    await using server = await serveClient(({ url }, response) =>
      sendJson(response, [], {
        headers: url.search === '' ? { link: '<http://inner:8080/api/v4/events?page=2>; rel="next"' } : {},
      }),
    );
    await allPages(server.client.events.mine());
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['private-token']),
      [sampleToken, sampleToken],
    );
  });

  it('no link brings the token back into an address', async () => {
    await using server = await serveClient(({ url }, response) =>
      sendJson(response, [], {
        headers: url.search === '' ? { link: `</api/v4/events?page=2&private_token=${sampleToken}>; rel="next"` } : {},
      }),
    );
    const pages = await allPages(server.client.events.mine());
    assert.equal(server.requests.length, 2);
    assert.ok(![pages[0]?.next, ...server.targets].join().includes(sampleToken));
  });

  it('errors, logs and events never hold the token, even where the instance repeats it', async () => {
    // What is not seen, and what others read over, keeps no letters of it apart; cut, no part of it remains.
    const hiding = ['\u200B', '\u00AD', '\u2060', '\uFEFF', '\u{E0041}', '\u2800', '\u0301', '\n', '\u202E'];
    const hidden = hiding.map((unseen) => Array.from(sampleToken).join(unseen)).join(' ');
    const inBase64 = ['', 'a', 'ab'].map((before) => Buffer.from(before + sampleToken).toString('base64'));
    const inLines = inBase64.map((one) => one.replaceAll(/.{10}/g, '$&\u200B\r\n'));
    const echo = `${sampleToken} ${sampleToken.toLowerCase()} ${encodeURIComponent(sampleToken)} ${hidden} ${inLines.join(' ')}`;
    const atTheEnd = `${'x'.repeat(1980)}${sampleToken} ${'\u200B'.repeat(5000)}${sampleToken}`;
    const answering = (status: number, body: unknown, more: Record<string, string> = {}): Handler => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return steady({ status, headers: { ...json, 'x-request-id': sampleToken, ...more }, text });
    };
    const handlers: Handler[] = [
      ...[400, 401, 403, 404, 405, 409, 414, 422, 429, 500, 503].flatMap((status) => [
        answering(status, { message: echo }),
        answering(status, { message: atTheEnd }),
        answering(status, { message: { [sampleToken]: [echo], error: echo }, error: echo }),
        answering(status, { error: 'insufficient_scope', error_description: echo, scope: echo }),
        answering(status, echo, { 'content-type': `text/${sampleToken}` }),
      ]),
      answering(200, echo, { 'content-type': `text/${sampleToken}` }),
      answering(200, echo),
      answering(200, { [sampleToken]: echo, id: echo }),
      answering(200, { status: 'error', message: echo, http_status: echo }),
      answering(301, '', { location: `http://${sampleToken}.example/${sampleToken}` }),
      answering(301, '', { location: `/api/v4/${sampleToken}` }),
      answering(302, '', { location: `/${sampleToken}` }),
      answering(200, [], { link: `<http://[${sampleToken}>; rel="next"` }),
      (_, response) => response.destroy(),
    ];
    const calls: ((client: Client) => Promise<unknown>)[] = [
      ({ directory }) => directory.project(`house/${sampleToken}`),
      ({ events }) => allPages(events.mine({ action: sampleToken })),
      ({ errorTracking }) => errorTracking.createClientKey(sampleToken),
      ({ notificationSettings }) => notificationSettings.update('global', { notification_email: sampleToken }),
    ];
    const texts: unknown[] = [];
    const note = (text: unknown) => texts.push(text);
    for (const handler of handlers) {
      await using server = await serveClient(handler);
      for (const call of calls) {
        const client = clientOf(server.origin, { log: note });
        await call(client).catch((error: unknown) => {
          assert.ok(isApiError(error));
          note([String(error), error.stack, JSON.stringify(error), error]);
        });
      }
    }
    assert.ok(texts.length > handlers.length);
    const all = inspect(texts, { depth: 10, showHidden: true, maxArrayLength: null, maxStringLength: null });
    const read = all.replaceAll(/\\(?:x|u\{?)[\da-f]+\}?|\\n|[^\x21-\x7E]/gi, '').toLowerCase();
    assert.ok(!read.includes(sampleToken.slice(0, 12).toLowerCase()));
    assert.ok(!inBase64.some((one) => read.includes(one.slice(4, 24).toLowerCase())));
  });

  it('no answer, however large, keeps the client from saying what it was', async () => {
    // Each letter of a token that repeats itself may be its start; what is not seen goes on for long.
    const repeating = `${'a'.repeat(500)}b`;
    const said = 'a'.repeat(1_000_000);
    const unseen = `a${'\u200B'.repeat(5_000_000)}`;
    for (const answer of [
      { json: { message: said }, status: 400 },
      { json: { message: unseen }, status: 403 },
      { json: { status: 'error', message: unseen } },
      { text: `[{"\\u0061":"${said}"}]`, headers: json },
    ]) {
      await using server = await serveClient(answer, { token: repeating, bearer: true });
      await errorOf(server.client.directory.currentUser());
    }
  });

  it('errors and logs hold no values of queries, paths and bodies', async () => {
    const secret = 'Secret-Value-1';
    const texts: unknown[] = [];
    await using server = await serveClient({ status: 500 }, { log: (entry) => texts.push(entry) });
    const { client } = server;
    for (const failing of [
      client.directory.project(secret),
      allPages(client.directory.users({ search: secret })),
      client.notificationSettings.update('global', { notification_email: secret }),
    ]) {
      texts.push(await errorOf(failing));
    }
    assert.ok(!inspect(texts, { depth: 10, showHidden: true }).includes(secret));
  });
});
