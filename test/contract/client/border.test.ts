import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../../src/common/clock.ts';
import {
  allPages,
  allRecords,
  clientOf,
  errorOf,
  numberedPages,
  sampleEvent,
  sampleUser,
  serveClient,
} from '../../support/clientSamples.ts';
import { sendJson } from '../../support/hostileServer.ts';

describe('client: the border to an instance', () => {
  it('what has not the form of its field counts as unknown, and loses no record', async () => {
    const sha = 'a'.repeat(40);
    const misfits: Record<string, unknown[]> = {
      created_at: ['1969-12-31T23:59:59Z', '12026-01-01T00:00:00Z', 'yesterday', 7, '2026-01-01'],
      author_username: ['[x](command:y)', 'a b', '-x', 'a\nb', {}],
      project_id: ['7', -7, 1.5, 1e300],
      target_title: [7, []],
      push_data: [7, 'x'],
    };
    const cases = Object.entries(misfits).flatMap(([name, values]) => values.map((value) => [name, value] as const));
    const pushes = ['--output=/tmp/x', 'HEAD', `${sha}~1`, 7, sha].map((id) => ({ commit_to: id, commit_from: id }));
    const sent = [...cases.map(([name, value]) => ({ [name]: value })), ...pushes.map((push_data) => ({ push_data }))];
    await using server = await serveClient({ json: sent.map((fields) => ({ ...sampleEvent(1), ...fields })) });
    const items = await allRecords(server.client.events.mine());
    const read = items.map((item, index) => item[cases[index]?.[0] ?? '']);
    assert.deepEqual(read.slice(0, cases.length), Array(cases.length).fill(null));
    assert.deepEqual(
      items.slice(cases.length).map(({ push_data: push }) => [push?.commit_to, push?.commit_from]),
      [null, null, null, null, sha].map((id) => [id, id]),
    );
  });

  it('a body that unpacks to more than any page holds is a fault, and one out of all proportion is not parsed', async () => {
    const bodies: readonly [string, string][] = [
      ['too long', ' '.repeat(16 * 1024 * 1024 + 1)],
      ['values', `[${'{},'.repeat(1_000_000)}{}]`],
      ['records', `[${'{},'.repeat(1001)}{}]`],
      ['nesting', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
      ['nesting', `[{"id":1,"x":${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}]`],
      ['values', `[{"id":1,"x":[${'0,'.repeat(1_000_000)}0]}]`],
    ];
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    let body = '';
    await using server = await serveClient(({ headers }, response) => {
      assert.match(headers['accept-encoding'] ?? '', /gzip/);
      response.writeHead(200, packed).end(gzipSync(body));
    });
    for (const options of [{}, { fetch: globalThis.fetch }]) {
      const client = clientOf(server.origin, options);
      for (const [what, text] of bodies) {
        body = text;
        const before = server.requests.length;
        const error = await errorOf(allPages(client.events.mine()));
        assert.equal(error.reason, what === 'too long' ? 'unavailable' : 'notAnInstance');
        assert.ok(what === 'too long' || error.message.includes(what), error.message);
        assert.equal(server.requests.length - before, 1, 'asked once');
      }
      body = JSON.stringify(Array.from({ length: 1000 }, (_, index) => sampleEvent(index)));
      const [page] = await allPages(client.events.mine());
      assert.equal(page?.items.length, 1000);
      await client.close();
    }
  });

  it('a list of huge pages ends long before it fills the memory', async () => {
    const body = JSON.stringify([{ ...sampleEvent(1), extra: 'x'.repeat(15_000_000) }]);
    let pages = 0;
    const fetch = async () => {
      pages += 1;
      const link = `</api/v4/events?page=${pages + 1}>; rel="next"`;
      return new Response(body, { headers: { 'content-type': 'application/json', link, 'x-page': String(pages) } });
    };
    const { events } = clientOf('https://gitlab.example', { fetch });
    const error = await errorOf(allPages(events.mine()), 'notAnInstance');
    assert.match(error.message, /a list of more than 67108864 characters/);
    assert.equal(pages, 5);
    pages = 0;
    const limited = await allPages(events.mine({}, { maxPages: 500 }));
    assert.ok(limited.length === 5 && pages === 5 && limited.at(-1)?.next, 'ends, and says that there is more');
  });

  for (const kind of ['page', 'cursor'] as const) {
    it(`a list without an end, by ${kind}, ends with an error, or at a limit that was given`, async () => {
      await using server = await serveClient(({ url }, response) => {
        url.searchParams.set(kind, String(Number(url.searchParams.get(kind) ?? 1) + 1));
        sendJson(response, [sampleUser], { headers: { link: `<${url.href}>; rel="next"` } });
      });
      const { directory, events, errorTracking } = server.client;
      for (const [read, longest] of [
        [() => allPages(directory.users()), 200],
        [() => allPages(directory.projects()), 200],
        [() => allPages(errorTracking.clientKeys(1)), 20],
      ] as const) {
        const before = server.requests.length;
        const error = await errorOf(read(), 'notAnInstance');
        assert.match(error.message, new RegExp(`more than ${longest} pages`));
        assert.equal(server.requests.length - before, longest);
      }
      for (const prefetch of [1, 6]) {
        const before = server.requests.length;
        const pages = await allPages(events.mine({}, { maxPages: 12, prefetch }));
        assert.equal(pages.length, 12);
        assert.ok(pages.at(-1)?.next, 'says that there is more');
        assert.equal(server.requests.length - before, 12);
      }
    });
  }

  it('a list that is aborted gives no further page, not even one that was read ahead', async () => {
    await using server = await serveClient(numberedPages((page) => [sampleEvent(page)]));
    const { client } = server;
    const leaving = new AbortController();
    let taken = 0;
    const read = async (): Promise<void> => {
      for await (const _ of client.events.mine({}, { prefetch: 3, signal: leaving.signal })) {
        taken += 1;
        while (server.requests.length < taken + 1) {
          await new Promise(setImmediate);
        }
        // What was asked for before this has come, too.
        await client.directory.user(1).catch(() => undefined);
        if (taken === 2) {
          leaving.abort();
        }
      }
    };
    await errorOf(read(), 'aborted');
    assert.equal(taken, 2);
  });

  it('sixteen requests are under way at most, those that wait can be aborted, and all get through', async () => {
    const open: ServerResponse[] = [];
    let most = 0;
    await using server = await serveClient(({ url }, response) => {
      if (url.pathname.endsWith('/version')) {
        sendJson(response, { version: '18.7.0' });
        return;
      }
      open.push(response);
      most = Math.max(most, open.length);
    });
    const users = (): number => server.requests.filter(({ url }) => url.pathname.includes('/users/')).length;
    const { directory } = server.client;
    const asked = Array.from({ length: 50 }, (_, index) => directory.user(index + 1));
    const controller = new AbortController();
    const aborted = directory.user(999, { signal: controller.signal });
    const count = async (number: number): Promise<void> => {
      while (users() < number) {
        await new Promise(setImmediate);
      }
    };
    await count(16);
    // Whatever else is sent has come by now, as what is sent after it has.
    const other = clientOf(server.origin);
    for (let round = 0; round < 3; round += 1) {
      await other.directory.version();
    }
    controller.abort();
    await assert.rejects(aborted);
    for (let answered = 0; answered < 50; answered += 1) {
      await count(Math.min(50, 16 + answered));
      const response = open.shift();
      assert.ok(response);
      sendJson(response, sampleUser);
    }
    assert.equal((await Promise.all(asked)).length, 50);
    assert.equal(most, 16);
    assert.ok(server.requests.every(({ target }) => !target.includes('999')));
  });

  it('an instance below a path is bounded by it: no redirect and no link leads to another program of the host', async () => {
    const places = [
      '/other-app/user',
      '/gitlab',
      '/gitlabx/user',
      '/gitlab/../other-app/user',
      '/gitlab/%2e%2e/other-app/user',
      '/gitlab/..%2fother-app/user',
      '/gitlab/%2E%2E%2Fother-app/user',
      '/gitlab/..%5cother-app/user',
      '/gitlab/..;/other-app/user',
      '/gitlab/.%2e;a=b%2fother-app/user',
      '/gitlab/%252e%252E%255cother-app/user',
    ];
    let place = '';
    await using server = await serveClient(({ url }, response) => {
      if (url.pathname === '/gitlab/api/v4/user') {
        response.writeHead(301, { location: place }).end();
      } else {
        sendJson(response, [], { headers: { link: `<${place}>; rel="next"` } });
      }
    });
    const client = clientOf(`${server.origin}/gitlab/`);
    for (place of places) {
      await errorOf(client.directory.currentUser(), 'notAnInstance');
      await errorOf(allPages(client.events.mine()), 'notAnInstance');
    }
    assert.ok(server.requests.every(({ target }) => /^\/gitlab\/api\/v4\/(?:user|events)$/.test(target)));
    assert.equal(server.requests.length, 2 * places.length);
    const from = '/other-app/x' as never;
    await errorOf(allPages(client.events.mine({}, { from })), 'notAnInstance');
    place = '/gitlab/api/v4/projects/a%2Fb..c?x=..';
    await errorOf(client.directory.currentUser(), 'notAnInstance');
    assert.equal(server.requests.at(-1)?.target, place);
  });

  it('a refusal is waited for as long as it says, whatever the clock is set to meanwhile', async () => {
    await using server = await serveClient({ status: 429, headers: { 'retry-after': '20' }, text: 'Retry later' });
    const leaving = new AbortController();
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => {
      waits.push(milliseconds);
      await new Promise(setImmediate);
      leaving.abort();
    };
    const client = clientOf(server.origin, { clock: { ...systemClock, sleep }, retries: 0 });
    await errorOf(client.directory.currentUser(), 'rateLimited');
    const { now } = Date;
    Date.now = () => now() + 8 * 3_600_000;
    try {
      await errorOf(client.directory.currentUser({ signal: leaving.signal }), 'aborted');
    } finally {
      Date.now = now;
    }
    assert.ok(waits[0] !== undefined && waits[0] > 0 && waits[0] <= 20_000, String(waits));
    assert.equal(server.requests.length, 1);
  });
});
