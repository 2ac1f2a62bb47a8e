import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Feed } from '../../../src/activity/feed/feed.ts';
import { FeedStore } from '../../../src/activity/feed/feedStore.ts';
import type { FeedFilter } from '../../../src/activity/feed/filter.ts';
import { Projects } from '../../../src/activity/feed/projects.ts';
import type { EventFilter, EventRecord } from '../../../src/api/events.ts';
import type { ListOptions, Page, PageLink } from '../../../src/api/pagination.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);

type FeedPage = Pick<Page<EventRecord>, 'items' | 'misfits' | 'next' | 'etag' | 'notModified'>;
const event = (id: number, fields: Partial<EventRecord> = {}) =>
  ({ id, action_name: 'opened', created_at: '2026-03-01T12:00:00.000Z', ...fields }) as EventRecord;
const link = (page: number) => `page=${page}` as PageLink;
const page = (ids: readonly number[], next?: number, rest: Partial<FeedPage> = {}): FeedPage => ({
  items: ids.map((id) => event(id)),
  misfits: [],
  next: next === undefined ? undefined : link(next),
  etag: undefined,
  notModified: false,
  ...rest,
});
const unchanged: FeedPage = { items: [], misfits: [], next: undefined, etag: 'same', notModified: true };
/** What nobody has read or muted. */
const reading = { readUpTo: undefined, counts: true, onlyNew: false, marks: new Map(), muted: new Set() };
const noEvent = () => ({ dispose: () => undefined });

/**
 * A feed whose requests are answered in order, or as a function says; `asked` lists the requested pages, `requests` all about
 * them, `logged` the errors of the log.
 */
function scripted(
  answers: readonly (FeedPage | Error)[] | (() => Promise<FeedPage>),
  filter: FeedFilter = {},
  parts: object = {},
) {
  const requests: ListOptions[] = [];
  const logged: string[] = [];
  async function* mine(_: EventFilter, options: ListOptions): AsyncGenerator<FeedPage> {
    const number = requests.push(options);
    const answer = typeof answers === 'function' ? await answers() : answers[number - 1];
    if (answer instanceof Error || answer === undefined) {
      throw answer ?? new Error('asked too often');
    }
    yield answer;
  }
  const client = { events: { mine } };
  const clock = new FakeClock(new Date('2026-03-01T15:00:00Z'));
  const connections = { of: async () => ({ client, instanceUrl: 'https://gitlab.example.com/' }) } as never;
  const store = new FeedStore(mkdtempSync(join(tmpdir(), 'beacon-feed-')), () => ['ada@gitlab.example.com'], {
    warn: assert.fail,
  });
  const shared = {
    app: {
      connections,
      clock,
      accounts: { all: [] },
      log: {
        error: (message: string) => void logged.push(message),
        warn: (message: string) => void logged.push(message),
      },
    },
    store,
    projects: new Projects(connections),
    readState: { of: () => reading, begin: async () => undefined, onDidChange: noEvent },
    ...parts,
  };
  const feed = new Feed({ kind: 'mine', accountId: 'ada@gitlab.example.com' }, filter, shared as never);
  /** Keeps events on disk as another window does, a minute later than anything before. */
  async function keep(...items: readonly EventRecord[]): Promise<void> {
    clock.jump(60_000);
    const saved = { checkedAt: clock.date(), instanceUrl: 'https://gitlab.example.com', items, projects: {} };
    await store.write(feed.key, saved);
  }
  return { feed, requests, asked: () => requests.map(({ from }) => from), keep, store, clock, logged };
}

const ids = (feed: Feed) => feed.state.items.map(({ id }) => id);

describe('a feed', () => {
  it('appends pages until there is no next one, short or empty as they are', async () => {
    const { feed, asked } = scripted([page([5], 2), page([], 3), page([2], 4), page([1])]);
    await feed.refresh();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [5, 2], 'an empty page is followed by the next one');
    await feed.loadMore();
    assert.deepEqual(ids(feed), [5, 2, 1]);
    assert.equal(feed.state.next, undefined);
    assert.deepEqual(asked(), [undefined, link(2), link(3), link(4)]);
  });

  it('leaves very many events that happened meanwhile to the next refresh, in their order', async () => {
    const answers = [page([5, 4], 2), page([8, 7], 3), page([6, 5], 4), page([4, 3], 5), page([9, 8, 7, 6, 5], 2)];
    const { feed } = scripted(answers);
    await feed.refresh();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [5, 4, 3]);
    await feed.refresh();
    assert.deepEqual(ids(feed), [9, 8, 7, 6, 5, 4, 3]);
  });

  for (const ascending of [false, true]) {
    it(`does not grow for ever by refreshing, with the ${ascending ? 'oldest' : 'newest'} first`, async () => {
      let last = 0;
      const body = 'x'.repeat(20_000);
      const more = (): FeedPage => {
        last += 999;
        // Each answer meets the one before.
        const newest = Array.from({ length: 1000 }, (_, index) => ({ ...event(last - index), body }));
        return page([], undefined, { items: newest });
      };
      const { feed } = scripted(async () => more(), ascending ? { order: 'asc' } : {});
      let most = 0;
      for (let polls = 0; polls < 12; polls += 1) {
        await feed.refresh();
        most = Math.max(most, feed.state.items.length);
        assert.ok(ids(feed).includes(last), 'what is new is there');
      }
      assert.ok(most > 1000 && most * body.length <= 64 * 1024 * 1024, String(most));
    });
  }

  it('counts each record that is no event once, names it in the log, and has the others', async () => {
    const odd = (raw: unknown): FeedPage => ({
      ...page([]),
      items: [event(1), event(1)],
      misfits: [
        { raw, problems: ['id: missing'] },
        { raw, problems: [] },
      ],
    });
    const { feed, logged } = scripted([odd({ no: 'event' }), odd({ no: 'event' }), odd(7)]);
    await feed.refresh();
    await feed.refresh();
    assert.deepEqual(ids(feed), [1]);
    assert.equal(feed.state.unreadable.size, 1);
    await feed.refresh();
    assert.equal(feed.state.unreadable.size, 2);
    assert.match(logged.join(), /is no event: id: missing/);
  });

  it('keeps what was loaded when a page fails, and goes on at that page', async () => {
    const failure = new Error('away');
    const { feed, asked } = scripted([page([3], 2), failure, page([2])]);
    await feed.refresh();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [3]);
    assert.equal(feed.state.error, failure);
    await feed.loadMore();
    assert.deepEqual(ids(feed), [3, 2]);
    assert.equal(feed.state.error, undefined);
    assert.deepEqual(asked(), [undefined, link(2), link(2)]);
  });

  it('keeps what was loaded when a refresh fails, and reports that once', async () => {
    const { feed } = scripted([page([3], 2), new Error('away'), new Error('away'), page([3], 2)]);
    await feed.refresh();
    assert.equal(await feed.refresh(), true);
    assert.equal(await feed.refresh(), false);
    assert.deepEqual(ids(feed), [3]);
    assert.ok(feed.state.error);
    assert.equal(await feed.refresh(), true, 'that it works again is a change');
    assert.equal(feed.state.error, undefined);
  });

  it('requests a page once for callers at the same time', async () => {
    const { feed, requests } = scripted([page([3], 2), page([2], 3)]);
    await Promise.all([feed.refresh(), feed.refresh()]);
    await Promise.all([feed.loadMore(), feed.loadMore()]);
    assert.deepEqual(ids(feed), [3, 2]);
    assert.equal(requests.length, 2);
  });

  it('ends the request and ignores its answer when it is closed', async () => {
    const { promise, resolve } = Promise.withResolvers<FeedPage>();
    const { feed, requests } = scripted(() => promise);
    const loading = feed.refresh();
    while (requests.length === 0) {
      await new Promise(setImmediate);
    }
    feed.dispose();
    resolve(page([9], 2));
    await loading;
    assert.deepEqual(ids(feed), []);
    assert.equal(requests[0]?.signal?.aborted, true);
  });

  it('never rejects, whatever fails: a request, the store, what is read, the names of projects', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('full disk');
    };
    const { feed, logged } = scripted(
      [page([3], 2), page([2])],
      {},
      {
        readState: { of: () => reading, begin: fail, onDidChange: noEvent },
      },
    );
    await feed.open();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [3, 2]);
    assert.match(logged.join(), /full disk/);
    const other = scripted([page([3], 2)], {}, { store: { read: fail } });
    await other.feed.refresh();
    assert.deepEqual(ids(other.feed), [3]);
    assert.match(other.logged.join(), /full disk/);
  });

  it('asks once for what is there when it is opened, by all who look at it', async () => {
    const { feed, requests } = scripted([page([3], 2)]);
    await Promise.all([feed.open(), feed.open()]);
    await feed.open();
    assert.deepEqual(ids(feed), [3]);
    assert.equal(requests.length, 1);
  });

  it('goes on at the right page when it has begun again while one was loading', async () => {
    const next = Promise.withResolvers<FeedPage>();
    const newer = Array.from({ length: 10 }, (_, index) => page([100 - index], index + 2));
    const answers = [page([5], 2), next.promise, ...newer, page([90], 12), page([89], 13)];
    const { feed, asked } = scripted(async () => answers[asked().length - 1] ?? page([]));
    await feed.refresh();
    const loading = feed.loadMore();
    while (asked().length < 2) {
      await new Promise(setImmediate);
    }
    await feed.refresh();
    assert.equal(ids(feed).length, 10);
    next.resolve(page([4], 3));
    await loading;
    assert.deepEqual(ids(feed), [100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
    assert.deepEqual(asked().slice(-1), [link(11)]);
  });

  describe('when it is refreshed', () => {
    it('begins again when too much is new, rather than hide that something is missing', async () => {
      const pages = Array.from({ length: 10 }, (_, index) => page([100 - index], index + 2));
      const { feed } = scripted([page([2, 1]), ...pages]);
      await feed.refresh();
      await feed.refresh();
      assert.deepEqual(ids(feed), [100, 99, 98, 97, 96, 95, 94, 93, 92, 91]);
      assert.equal(feed.state.next, link(11));
    });

    it('lets go of events that are gone', async () => {
      const { feed } = scripted([page([4, 3, 2], 2), page([5, 4, 2], 2)]);
      await feed.refresh();
      await feed.refresh();
      assert.deepEqual(ids(feed), [5, 4, 2]);
    });

    it('asks by the etag of the first page, and has changed nothing if that is the same', async () => {
      const { feed, requests } = scripted([page([2], undefined, { etag: 'one' }), unchanged]);
      await feed.refresh();
      assert.equal(await feed.refresh(), false);
      assert.deepEqual(
        requests.map(({ etag }) => etag),
        [undefined, 'one'],
      );
      assert.deepEqual(ids(feed), [2]);
    });

    it('becomes empty when the instance says so', async () => {
      const { feed } = scripted([page([2]), page([])]);
      await feed.refresh();
      assert.equal(await feed.refresh(), true);
      assert.deepEqual(ids(feed), []);
    });
  });

  describe('with events that were kept', () => {
    it('shows them until the instance answers, and keeps those that go on from there', async () => {
      const answer = Promise.withResolvers<FeedPage>();
      const answers = [answer.promise, Promise.resolve(page([4, 3, 2], 3))];
      let number = 0;
      const { feed, requests, keep } = scripted(async () => (await answers[number++]) ?? page([]));
      await keep(event(4), event(3));
      await feed.open();
      assert.deepEqual(ids(feed), [4, 3]);
      assert.equal(feed.state.loaded, false);
      answer.resolve(page([5, 4], 2, { etag: 'new' }));
      await feed.check();
      assert.equal(requests[0]?.etag, undefined, 'the first page is needed for where it goes on');
      assert.deepEqual(ids(feed), [5, 4, 3]);
      await feed.loadMore();
      assert.deepEqual(ids(feed), [5, 4, 3, 2]);
    });

    it('drops them if the instance has begun again and gives their ids to other events', async () => {
      const answer = Promise.withResolvers<FeedPage>();
      const { feed, keep } = scripted(() => answer.promise);
      const other = (id: number) => event(id, { created_at: '2025-01-01T00:00:00.000Z' });
      await keep(other(5), other(4), other(3), other(2));
      await feed.open();
      answer.resolve(page([5, 4], 2));
      await feed.check();
      assert.deepEqual(ids(feed), [5, 4]);
      assert.equal(feed.state.next, link(2));
    });

    it('does not put them in the place of newer ones', async () => {
      const { feed, keep, clock } = scripted([page([5])]);
      await keep(event(4));
      clock.jump(60_000);
      await feed.refresh();
      await feed.open();
      assert.deepEqual(ids(feed), [5]);
    });

    it('does not keep older events in the place of newer ones of another window', async () => {
      const { feed, keep, store } = scripted([page([3, 2], 2), page([1])]);
      await feed.refresh();
      await keep(event(4), event(3));
      await feed.loadMore();
      assert.deepEqual(
        (await store.read(feed.key))?.items.map((item) => 'id' in item && item.id),
        [4, 3],
      );
    });
  });

  describe('with the oldest events first', () => {
    it('finds new events at its end', async () => {
      const { feed, asked } = scripted([page([1, 2], 2), page([3]), page([3, 4]), page([4, 5])], { order: 'asc' });
      await feed.refresh();
      assert.equal(await feed.refresh(), false, 'nothing can be seen of what is new while there are pages to load');
      await feed.loadMore();
      await feed.refresh();
      assert.deepEqual(ids(feed), [1, 2, 3, 4]);
      assert.deepEqual(asked(), [undefined, link(2), link(2)]);
    });
  });

  describe('of which not all is shown', () => {
    const ofAda = (ids_: readonly number[], next?: number): FeedPage =>
      page([], next, { items: ids_.map((id) => event(id, { author_username: id < 5 ? 'ada' : 'bo' })) });

    it('reads on until there is something to be shown', async () => {
      const answers = [ofAda([9], 2), ofAda([8], 3), ofAda([3], 4), ofAda([7], 5), ofAda([2])];
      const { feed, asked } = scripted(answers, { author: 'ada' });
      await feed.refresh();
      assert.deepEqual(asked(), [undefined, link(2), link(3)]);
      await feed.loadMore();
      assert.deepEqual(asked().slice(3), [link(4), link(5)]);
    });

    it('reads on where all that comes is muted', async () => {
      const muted = { ...reading, muted: new Set(['author/bo']) };
      const readState = { of: () => muted, begin: async () => undefined, onDidChange: noEvent };
      const { feed, asked } = scripted([ofAda([9], 2), ofAda([4], 3), ofAda([8], 4), ofAda([3])], {}, { readState });
      await feed.refresh();
      assert.deepEqual(asked(), [undefined, link(2)]);
      await feed.loadMore();
      assert.deepEqual(asked().slice(2), [link(3), link(4)]);
    });

    it('shows by a filter of today nothing of yesterday after midnight, though nothing new has come', async () => {
      const { feed, clock } = scripted(async () => answer, { since: 'today' });
      let answer = page([], undefined, { items: [event(5, { created_at: clock.date().toISOString() })] });
      await feed.refresh();
      assert.equal(feed.state.shown.length, 1);
      clock.jump(24 * 3_600_000);
      answer = unchanged;
      await feed.check();
      assert.equal(feed.state.shown.length, 0);
      assert.equal(feed.state.filteredCount, 1);
    });

    it('stops for this time after ten pages', async () => {
      const answers = Array.from({ length: 20 }, (_, index) => ofAda([100 - index], index + 2));
      const { feed, requests } = scripted(answers, { author: 'ada' });
      await feed.refresh();
      assert.equal(requests.length, 11);
      assert.equal(feed.state.next, link(12));
    });
  });
});
