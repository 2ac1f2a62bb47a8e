import assert from 'node:assert/strict';
import type { PageLink } from '../../../src/api/pagination.ts';
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
import { sendJson, type Handler } from '../../support/hostileServer.ts';

/** Answers with the pages of so many events, numbered and linked as the API documentation says. */
function pagesOf(total: number, more: Record<string, string> = {}): Handler {
  return ({ url }, response) => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const perPage = Number(url.searchParams.get('per_page') ?? 20);
    const totalPages = Math.ceil(total / perPage);
    const [previous, next] = [page > 1 ? page - 1 : undefined, page < totalPages ? page + 1 : undefined];
    const link = Object.entries({ prev: previous, next, first: 1, last: totalPages })
      .filter(([, number]) => number !== undefined)
      .map(([rel, to]) => `<http://inner.example:8080${url.pathname}?page=${to}&per_page=${perPage}>; rel="${rel}"`);
    const numbered = {
      ...{ 'x-page': page, 'x-per-page': perPage, 'x-prev-page': previous ?? '', 'x-next-page': next ?? '' },
      ...{ 'x-total': total, 'x-total-pages': totalPages },
    };
    const records = numbers(total).slice((page - 1) * perPage, page * perPage);
    const headers = Object.fromEntries(Object.entries(numbered).map(([name, value]) => [name, String(value)]));
    sendJson(response, records.map(sampleEvent), { headers: { link: link.join(', '), ...headers, ...more } });
  };
}

const noKeyset = 'Keyset pagination is not yet available for this type of request';
const idsOf = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id);
const numbers = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('the API documentation: pagination', () => {
  it('link: the given next link is followed, by its path and query at the own origin', async () => {
    await using server = await serveClient(pagesOf(45));
    const records = await allRecords(server.client.events.mine({ action: 'pushed' }));
    assert.deepEqual(idsOf(records), numbers(45));
    assert.deepEqual(server.targets, [
      '/api/v4/events?action=pushed',
      '/api/v4/events?page=2&per_page=20',
      '/api/v4/events?page=3&per_page=20',
    ]);
  });

  it('link: an address of another host or path leads to the same API', async () => {
    for (const instancePath of ['', '/gitlab']) {
      for (const link of [
        '/api/v4/events?page=2',
        'https://inner/api/v4/events?page=2',
        'https://inner/gitlab/api/v4/events?page=2',
        'http://inner//other/api/v4/events?page=2',
      ]) {
        await using server = await serveClient(({ url }, response) =>
          sendJson(response, [], { headers: url.search === '' ? { link: `<${link}>; rel="next"` } : {} }),
        );
        await allPages(clientOf(server.origin + instancePath).events.mine());
        assert.equal(server.targets[1], `${instancePath}/api/v4/events?page=2`);
      }
    }
  });

  it('link: the next link is found in any spelling, and relative to the address of its page', async () => {
    const target = '/api/v4/events?page=2';
    for (const link of [
      `<${target}>; rel="last next"`,
      `<${target}>; REL="NEXT"`,
      `<${target}> ; rel = "next"`,
      `<${target}>;rel=next`,
      '<?page=2>; rel="next"',
      '<events?page=2>; rel="next"',
      `<${target}>; title="a <b>, c"; rel="next"`,
      `</x>; title="; rel=next"; rel="prev", <${target}>; rel="next"`,
    ]) {
      await using server = await serveClient(({ url }, response) =>
        sendJson(response, [], { headers: url.search === '' ? { link } : {} }),
      );
      await allPages(server.client.events.mine());
      assert.deepEqual(server.targets, ['/api/v4/events', target], link);
    }
  });

  it('link: one that leads out of the API is an error, once the page that came with it is there', async () => {
    for (const link of ['mailto:rosa@gitlab.example', 'http://[', '/other-app/x', '/api/v4/../../x']) {
      await using server = await serveClient({ json: [sampleEvent(7)], headers: { link: `<${link}>; rel="next"` } });
      for (const prefetch of [1, 6]) {
        const pages = server.client.events.mine({}, { prefetch });
        const { value: page } = await pages.next();
        assert.equal(page?.items.length, 1);
        assert.ok(page.next, 'does not look like the end of the list');
        await errorOf(pages.next(), 'notAnInstance');
        // And where a page is asked for by itself.
        await errorOf(server.client.events.mine({}, { from: page.next }).next(), 'notAnInstance');
      }
      assert.equal(server.requests.length, 2);
    }
  });

  it('x-total: handed on', async () => {
    await using server = await serveClient(pagesOf(45));
    const [first] = await allPages(server.client.events.mine());
    assert.equal(first?.total, 45);
  });

  it('x-next-page, x-prev-page: the number leads on where no link does', async () => {
    await using server = await serveClient(({ url }, response) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      const next = page < 3 ? String(page + 1) : '';
      sendJson(response, [sampleEvent(page)], { headers: { 'x-page': String(page), 'x-next-page': next } });
    });
    for (const prefetch of [1, 6]) {
      const records = await allRecords(server.client.events.mine({ action: 'pushed' }, { prefetch }));
      assert.deepEqual(idsOf(records), [1, 2, 3]);
    }
    assert.equal(server.targets[1], '/api/v4/events?action=pushed&page=2');
  });

  it('missing or unreadable pagination headers are normal', async () => {
    for (const link of ['nonsense', '<>', '</api/v4/events?page=2>', '</api/v4/events?page=2>; rel="nextish"']) {
      await using server = await serveClient({ json: [], headers: { 'x-total': '-1', 'x-next-page': '', link } });
      const [page] = await allPages(server.client.events.mine());
      assert.deepEqual([page?.total, page?.next], [undefined, undefined]);
    }
  });

  it('short and empty pages do not end a list, the absence of next does', async () => {
    await using server = await serveClient(numberedPages((page) => (page === 3 ? [sampleEvent(9)] : []), 3));
    const pages = await allPages(server.client.events.mine());
    assert.deepEqual(
      pages.map(({ items }) => items.length),
      [0, 0, 1],
    );
  });

  it('no page comes twice, whatever the links say', async () => {
    for (const link of ['/api/v4/events?page=1', '/api/v4/events?page=2', '/api/v4/events?cursor=a']) {
      await using server = await serveClient(({ url }, response) =>
        sendJson(response, [], {
          headers: { link: `<${link}>; rel=next`, 'x-page': url.searchParams.get('page') ?? '1' },
        }),
      );
      await allPages(server.client.events.mine());
      assert.equal(new Set(server.targets).size, server.requests.length);
      assert.ok(server.requests.length <= 2);
    }
  });

  it('links that lead back to the first page end a list', async () => {
    await using server = await serveClient(({ url }, response) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      sendJson(response, [], { headers: { link: `</api/v4/events?page=${(page % 3) + 1}>; rel="next"` } });
    });
    assert.equal((await allPages(server.client.events.mine())).length, 3);
    const first = '/api/v4/users?pagination=keyset&order_by=username&sort=asc';
    await using keyset = await serveClient(({ target }, response) =>
      sendJson(response, [], {
        headers: { link: `<${target === first ? '/api/v4/users?cursor=b' : first}>; rel="next"` },
      }),
    );
    assert.equal((await allPages(keyset.client.directory.users())).length, 2);
  });

  it('a page is requested when it is asked for', async () => {
    await using server = await serveClient(pagesOf(45));
    const pages = server.client.events.mine();
    for (const count of [1, 2]) {
      assert.equal(server.requests.length, count - 1);
      await pages.next();
    }
    await pages.return(undefined);
    assert.equal(server.requests.length, 2);
  });

  it('a list goes on from an earlier page, also after an error', async () => {
    let failing = true;
    await using server = await serveClient((request, response) => {
      if (failing && request.url.searchParams.get('page') === '2') {
        response.writeHead(500).end();
      } else {
        pagesOf(45)(request, response);
      }
    });
    const { client } = server;
    const pages = client.events.mine();
    const first = await pages.next();
    await errorOf(pages.next(), 'unavailable');
    failing = false;
    const rest = await allPages(client.events.mine({}, { from: first.value?.next }));
    assert.deepEqual(idsOf(rest.flatMap(({ items }) => items)), numbers(45).slice(20));
  });

  it('pages in flight are bounded, come in order, once each, and none beyond the last', async () => {
    const held: (() => void)[] = [];
    await using server = await serveClient((request, response) => {
      const page = Number(request.url.searchParams.get('page') ?? 1);
      const answer = () => pagesOf(200)(request, response);
      if (page === 1 || page > 5) {
        answer();
      } else if (held.push(answer) === 4) {
        // Pages 2 to 5 are answered once all four are asked for, the last first.
        assert.equal(server.requests.length, 5);
        held.toReversed().forEach((each) => each());
      }
    });
    const records = await allRecords(server.client.events.mine({}, { prefetch: 4 }));
    assert.deepEqual(idsOf(records), numbers(200));
    assert.equal(server.requests.length, 10);
  });

  it('pages that were requested by numbers that do not lead on are aborted', async () => {
    const closed: Promise<unknown>[] = [];
    await using server = await serveClient(({ url }, response) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      const next = { 1: 2, 2: 10, 10: 20 }[page];
      if (page === 3 || page === 4) {
        closed.push(new Promise((resolve) => response.on('close', resolve)));
      } else {
        sendJson(response, [sampleEvent(page)], {
          headers: next === undefined ? {} : { link: `</api/v4/events?page=${next}>; rel="next"` },
        });
      }
    });
    const { client } = server;
    const records = await allRecords(client.events.mine({}, { prefetch: 3 }));
    assert.deepEqual(idsOf(records), [1, 2, 10, 20]);
    await Promise.all(closed);
    assert.equal(closed.length, 2);
  });

  it('aborting while pages are in flight is one AbortedError, and the end of all of them', async () => {
    const controller = new AbortController();
    const closed: Promise<unknown>[] = [];
    await using server = await serveClient((request, response) => {
      if (request.url.searchParams.has('page')) {
        closed.push(new Promise((resolve) => response.on('close', resolve)));
        if (closed.length === 5) {
          controller.abort();
        }
      } else {
        pagesOf(1000)(request, response);
      }
    });
    // An unhandled rejection of one of them would fail the test run.
    const { client } = server;
    const pages = client.events.mine({}, { prefetch: 5, signal: controller.signal });
    assert.equal((await pages.next()).value?.items.length, 20);
    await errorOf(pages.next(), 'aborted');
    assert.deepEqual(await pages.next(), { value: undefined, done: true });
    await Promise.all(closed);
    assert.equal(server.requests.length, 6);
  });

  it('what cannot be meant is refused unsent', async () => {
    await using server = await serveClient(pagesOf(60));
    const { events } = server.client;
    for (const options of [...[NaN, Infinity].map((perPage) => ({ perPage })), { etag: '"a"\r\nprivate-token: b' }]) {
      await assert.rejects(allPages(events.mine({}, options)), TypeError);
    }
    for (const from of ['', '@elsewhere.example/', 'https://elsewhere.example/']) {
      await errorOf(allPages(events.mine({}, { from: from as PageLink })), 'notAnInstance');
    }
    assert.equal(server.requests.length, 0);
  });

  it('leaving a list early aborts the pages in flight', async () => {
    const closed: Promise<unknown>[] = [];
    await using server = await serveClient((request, response) => {
      if (request.url.searchParams.has('page')) {
        closed.push(new Promise((resolve) => response.on('close', resolve)));
      } else {
        pagesOf(1000)(request, response);
      }
    });
    const { client } = server;
    // Of what nobody waits for nobody has to hear: an extension host logs it as an error of the extension.
    const unheard: unknown[] = [];
    const note = (reason: unknown) => unheard.push(reason);
    process.prependListener('unhandledRejection', note);
    for await (const page of client.events.mine({}, { prefetch: 3 })) {
      assert.equal(page.items.length, 20);
      break;
    }
    await Promise.all(closed);
    await client.close();
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    assert.deepEqual(unheard, []);
  });

  it('above 10,000 records without totals and last link the list still ends where next does', async () => {
    await using server = await serveClient(numberedPages((page) => (page > 5 ? [] : [sampleEvent(page)]), 5));
    const records = await allRecords(server.client.events.mine({}, { prefetch: 4 }));
    assert.deepEqual(idsOf(records), [1, 2, 3, 4, 5]);
  });

  it('keyset: pagination, order_by, sort and per_page are sent', async () => {
    await using server = await serveClient({ json: [] });
    const { directory } = server.client;
    await allPages(directory.projects({ parameters: { membership: true } }, { perPage: 100 }));
    await allPages(directory.groups());
    await allPages(directory.users({ search: 'ro' }));
    assert.deepEqual(server.targets, [
      '/api/v4/projects?membership=true&pagination=keyset&order_by=id&sort=desc&per_page=100',
      '/api/v4/groups?order_by=name&sort=asc',
      '/api/v4/users?search=ro&pagination=keyset&order_by=username&sort=asc',
    ]);
  });

  it('keyset: the given link is followed, by id_after and by cursor', async () => {
    for (const filter of ['id_after=42', 'cursor=eyJpZCI6IjQyIn0%3D']) {
      const link = `<http://inner/api/v4/users?${filter}&pagination=keyset>; rel="next"`;
      await using server = await serveClient(({ url }, response) =>
        sendJson(response, url.search.includes(filter) ? [] : [sampleUser], {
          headers: url.search.includes(filter) ? {} : { link, 'x-next-cursor': 'ignored' },
        }),
      );
      const records = await allRecords(server.client.directory.users({}, { prefetch: 6 }));
      assert.equal(records.length, 1);
      assert.equal(server.targets[1], `/api/v4/users?${filter}&pagination=keyset`);
    }
  });

  it('keyset: a page number among the parameters means nothing', async () => {
    await using server = await serveClient(({ url }, response) => {
      const next = { '': 'b', b: 'c' }[url.searchParams.get('cursor') ?? ''];
      const link = `</api/v4/users?cursor=${next}&page=1>; rel="next"`;
      sendJson(response, [sampleUser], { headers: next === undefined ? {} : { link } });
    });
    assert.equal((await allRecords(server.client.directory.users())).length, 3);
  });

  it('keyset: no other headers are needed, and the former Links header means nothing', async () => {
    const headers = { links: '</api/v4/users?page=2>; rel="next"' };
    await using server = await serveClient({ json: [sampleUser], headers });
    const [page] = await allPages(server.client.directory.users());
    assert.deepEqual([page?.total, page?.next], [undefined, undefined]);
  });

  it('keyset resources: groups have it without a token alone, and are read by offset', async () => {
    await using server = await serveClient(({ url, headers }, response) => {
      const isRefused = url.searchParams.get('pagination') === 'keyset' && headers['private-token'] !== undefined;
      const page = url.searchParams.get('page') ?? '1';
      if (isRefused) {
        sendJson(response, { error: noKeyset }, { status: 405 });
      } else {
        const group = { id: Number(page), name: 'House', full_path: `house/${page}` };
        sendJson(response, [group], { headers: page === '1' ? { 'x-next-page': '2' } : {} });
      }
    });
    const groups = await allRecords(server.client.directory.groups({ search: 'house' }));
    assert.deepEqual(idsOf(groups), [1, 2]);
  });

  it('keyset resources: where keyset is not available the instance refuses, and the client says so', async () => {
    await using server = await serveClient({ json: { error: noKeyset }, status: 405 });
    const error = await errorOf(allPages(server.client.directory.users()), 'refused');
    assert.deepEqual([error.status, error.sentence], [405, noKeyset]);
  });

  it('a poll with the etag of an earlier page answers that nothing has changed', async () => {
    await using server = await serveClient((request, response) => {
      if (request.headers['if-none-match'] === 'W/"a"') {
        response.writeHead(304, { etag: 'W/"a"' }).end();
      } else {
        pagesOf(45, { etag: 'W/"a"' })(request, response);
      }
    });
    const { client } = server;
    const { value: first } = await client.events.mine().next();
    assert.deepEqual([first?.etag, first?.notModified], ['W/"a"', false]);
    const again = await allPages(client.events.mine({}, { etag: first?.etag }));
    assert.deepEqual(
      again.map(({ notModified, items, etag }) => [notModified, items, etag]),
      [[true, [], 'W/"a"']],
    );
  });

  it('an etag still holds after an answer that does not repeat it', async () => {
    await using server = await serveClient({ status: 304 });
    const [page] = await allPages(server.client.events.mine({}, { etag: 'W/"a"' }));
    assert.deepEqual([page?.notModified, page?.etag], [true, 'W/"a"']);
  });

  it('only the first page is asked for on a condition', async () => {
    await using server = await serveClient(pagesOf(45, { etag: '"b"' }));
    await allPages(server.client.events.mine({}, { etag: '"a"' }));
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['if-none-match']),
      ['"a"', undefined, undefined],
    );
  });
});
