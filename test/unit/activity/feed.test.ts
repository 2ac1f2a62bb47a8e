import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/api/events.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';
import { ActivityWindow, type Feed } from './activityWindow.ts';
import { sampleEvent } from './anyEvent.ts';

const inside = insideWindow(import.meta.filename);

/** What an instance answers: events, and the number of the page after them. */
interface Page {
  readonly items: readonly unknown[];
  readonly next?: number | undefined;
}
type Answer = Page | 'unchanged' | Error;

const away = new TypeError('fetch failed');
const event = (id: number, fields: Partial<EventRecord> = {}) =>
  sampleEvent({ id, created_at: '2026-03-01T12:00:00.000Z', ...fields });
const page = (ids: readonly number[], next?: number): Page => ({ items: ids.map((id) => event(id)), next });
const windows: ActivityWindow[] = [];
afterEach(() => windows.splice(0).forEach((window) => window.dispose()));

/** A feed whose requests are answered in order, or as a function says; `asked` has the numbers of the pages, null for the first. */
async function scripted(answers: readonly Answer[] | (() => Answer | Promise<Answer>), filter: Feed['filter'] = {}) {
  const asked: (string | null)[] = [];
  const instance = new ScriptedInstance(async (url) => {
    if (!url.pathname.endsWith('/events')) {
      return { status: 404, json: {} };
    }
    const number = asked.push(url.searchParams.get('page'));
    const answer = typeof answers === 'function' ? await answers() : answers[number - 1];
    if (answer === undefined || answer instanceof Error) {
      throw answer ?? new Error('asked too often');
    }
    if (answer === 'unchanged') {
      return { status: 304 };
    }
    const { items, next } = answer;
    url.searchParams.set('page', String(next));
    return { json: items, headers: next === undefined ? {} : { link: `<${url.href}>; rel="next"` } };
  });
  const clock = new FakeClock(new Date('2026-03-01T15:00:00Z'));
  const window = await ActivityWindow.open(async () => instance.connection, { clock });
  windows.push(window);
  // It asks for nothing by itself.
  window.view.show(false);
  if (Object.keys(filter).length > 0) {
    await window.activity.feeds.setFilter(window.feed.id, filter);
  }
  const { feed } = window;
  const { store } = window.activity;
  /** Keeps events on disk as another window does, a minute later than anything before. */
  async function keep(...items: readonly EventRecord[]): Promise<void> {
    clock.jump(60_000);
    const saved = { checkedAt: clock.date(), instanceUrl: 'https://gitlab.example.com', items, projects: {} };
    await store.write(feed.key, saved);
  }
  return { window, feed, asked, keep, store, clock };
}

/** The number of the page that comes next. */
const nextOf = ({ state }: Feed) => /\bpage=(\d+)/.exec(String(state.next))?.[1];
const ids = (feed: Feed) => feed.state.items.map(({ id }) => id);

describe('a feed', () => {
  it('appends pages until there is no next one, short or empty as they are', async () => {
    const { feed, asked } = await scripted([page([5], 2), page([], 3), page([2], 4), page([1])]);
    await feed.refresh();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [5, 2], 'an empty page is followed by the next one');
    await feed.loadMore();
    assert.deepEqual(ids(feed), [5, 2, 1]);
    assert.equal(feed.state.next, undefined);
    assert.deepEqual(asked, [null, '2', '3', '4']);
  });

  it('leaves very many events that happened meanwhile to the next refresh, in their order', async () => {
    const answers = [page([5, 4], 2), page([8, 7], 3), page([6, 5], 4), page([4, 3], 5), page([9, 8, 7, 6, 5], 2)];
    const { feed } = await scripted(answers);
    await feed.refresh();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [5, 4, 3]);
    await feed.refresh();
    assert.deepEqual(ids(feed), [9, 8, 7, 6, 5, 4, 3]);
  });

  for (const ascending of [false, true]) {
    it(`does not grow for ever by refreshing, with the ${ascending ? 'oldest' : 'newest'} first`, async () => {
      let last = 0;
      const note = { id: 1, body: 'x'.repeat(100_000) };
      const more = (): Page => {
        last += 49;
        // Each answer meets the one before.
        const newest = Array.from({ length: 50 }, (_, index) => event(last - index, { note }));
        return { items: newest };
      };
      const { feed } = await scripted(more, ascending ? { order: 'asc' } : {});
      let most = 0;
      for (let polls = 0; polls < 15; polls += 1) {
        await feed.refresh();
        most = Math.max(most, feed.state.items.length);
        assert.ok(ids(feed).includes(last), 'what is new is there');
      }
      assert.ok(most > 500 && most * note.body.length <= 64 * 1024 * 1024, String(most));
    });
  }

  it('counts each record that is no event once, names it in the log, and has the others', async () => {
    const odd = (raw: unknown): Page => ({ items: [event(1), raw, event(1), 'no event'] });
    const { window, feed } = await scripted([odd({ no: 'event' }), odd({ no: 'event' }), odd(7)]);
    await feed.refresh();
    await feed.refresh();
    assert.deepEqual(ids(feed), [1]);
    assert.equal(feed.state.unreadable.size, 2);
    await feed.refresh();
    assert.equal(feed.state.unreadable.size, 3);
    assert.deepEqual((await window.rows())[0], 'Unreadable: 3. Show Log');
    assert.equal(window.log.filter((line) => line.includes('is no event: ')).length, 3);
  });

  it('keeps what was loaded when a refresh fails, and reports that once', async () => {
    const { feed } = await scripted([page([3], 2), away, away, page([3], 2)]);
    await feed.refresh();
    assert.equal(await feed.refresh(), true);
    assert.equal(await feed.refresh(), false);
    assert.deepEqual(ids(feed), [3]);
    assert.ok(feed.state.error);
    assert.equal(await feed.refresh(), true, 'that it works again is a change');
    assert.equal(feed.state.error, undefined);
  });

  it('requests a page once for all who open it, refresh it or ask for more at the same time', async () => {
    const { feed, asked } = await scripted([page([3], 2), page([3], 2), page([2], 3)]);
    await Promise.all([feed.open(), feed.open()]);
    await feed.open();
    assert.equal(asked.length, 1);
    await Promise.all([feed.refresh(), feed.refresh()]);
    await Promise.all([feed.loadMore(), feed.loadMore()]);
    assert.deepEqual(ids(feed), [3, 2]);
    assert.deepEqual(asked, [null, null, '2']);
  });

  it('ends the request and ignores its answer when it is closed', async () => {
    const { promise, resolve } = Promise.withResolvers<Page>();
    const { feed, asked } = await scripted(() => promise);
    const loading = feed.refresh();
    await inside.window.until(() => asked.length === 1);
    feed.dispose();
    await loading;
    resolve(page([9], 2));
    await new Promise(setImmediate);
    assert.deepEqual(ids(feed), []);
  });

  it('never rejects, whatever fails: a request, the store, what is read, the names of projects', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('full disk');
    };
    const { window, feed } = await scripted([page([3], 2), page([2])]);
    Object.assign(window.activity.readState, { begin: fail });
    await feed.open();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [3, 2]);
    assert.match(window.log.join(), /full disk/);
    const other = await scripted([page([3], 2)]);
    Object.assign(other.store, { read: fail });
    await other.feed.refresh();
    assert.deepEqual(ids(other.feed), [3]);
    assert.match(other.window.log.join(), /full disk/);
  });

  it('goes on at the right page when it has begun again while one was loading', async () => {
    const next = Promise.withResolvers<Page>();
    const newer = Array.from({ length: 10 }, (_, index) => page([100 - index], index + 12));
    const answers = [page([5], 2), next.promise, ...newer, page([90], 22), page([89], 23)];
    const { feed, asked } = await scripted(async () => answers[asked.length - 1] ?? page([]));
    await feed.refresh();
    const loading = feed.loadMore();
    await inside.window.until(() => asked.length === 2);
    await feed.refresh();
    assert.equal(ids(feed).length, 10);
    next.resolve(page([4], 3));
    await loading;
    assert.deepEqual(ids(feed), [100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
    assert.deepEqual(asked.slice(-1), ['21']);
  });

  const refreshed: readonly [name: string, answers: readonly Page[], ids: readonly number[], next?: string][] = [
    [
      'begins again when too much is new, rather than hide that something is missing',
      [page([2, 1]), ...Array.from({ length: 10 }, (_, index) => page([100 - index], index + 2))],
      [100, 99, 98, 97, 96, 95, 94, 93, 92, 91],
      '11',
    ],
    ['lets go of events that are gone', [page([4, 3, 2], 2), page([5, 4, 2], 2)], [5, 4, 2], '2'],
    ['becomes empty when the instance says so', [page([2]), page([])], []],
  ];
  for (const [name, answers, expected, next] of refreshed) {
    it(`${name}, when it is refreshed`, async () => {
      const { feed } = await scripted(answers);
      await feed.refresh();
      assert.equal(await feed.refresh(), true);
      assert.deepEqual([ids(feed), nextOf(feed)], [expected, next]);
    });
  }

  describe('with events that were kept', () => {
    it('shows them until the instance answers, and keeps those that go on from there', async () => {
      const answer = Promise.withResolvers<Page>();
      const answers = [answer.promise, Promise.resolve(page([4, 3, 2], 3))];
      let number = 0;
      const { feed, keep } = await scripted(async () => (await answers[number++]) ?? page([]));
      await keep(event(4), event(3));
      await feed.open();
      assert.deepEqual(ids(feed), [4, 3]);
      assert.equal(feed.state.loaded, false);
      answer.resolve(page([5, 4], 2));
      await feed.check();
      assert.deepEqual(ids(feed), [5, 4, 3]);
      await feed.loadMore();
      assert.deepEqual(ids(feed), [5, 4, 3, 2]);
    });

    it('drops them if the instance has begun again and gives their ids to other events', async () => {
      const answer = Promise.withResolvers<Page>();
      const { feed, keep } = await scripted(() => answer.promise);
      const other = (id: number) => event(id, { created_at: '2025-01-01T00:00:00.000Z' });
      await keep(other(5), other(4), other(3), other(2));
      await feed.open();
      answer.resolve(page([5, 4], 2));
      await feed.check();
      assert.deepEqual(ids(feed), [5, 4]);
      assert.equal(nextOf(feed), '2');
    });

    it('does not put them in the place of newer ones', async () => {
      const { feed, keep, clock } = await scripted([page([5])]);
      await keep(event(4));
      clock.jump(60_000);
      await feed.refresh();
      await feed.open();
      assert.deepEqual(ids(feed), [5]);
    });

    it('does not keep older events in the place of newer ones of another window', async () => {
      const { feed, keep, store } = await scripted([page([3, 2], 2), page([1])]);
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
      const { feed, asked } = await scripted([page([1, 2], 2), page([3]), page([3, 4]), page([4, 5])], {
        order: 'asc',
      });
      await feed.refresh();
      assert.equal(await feed.refresh(), false, 'nothing can be seen of what is new while there are pages to load');
      await feed.loadMore();
      await feed.refresh();
      assert.deepEqual(ids(feed), [1, 2, 3, 4]);
      assert.deepEqual(asked, [null, '2', '2']);
    });
  });

  describe('of which not all is shown', () => {
    const ofAda = ([id = 0]: readonly number[], next?: number): Page => ({
      ...{ items: [event(id, { author: { id: 1, name: 'A', username: id < 5 ? 'ada' : 'bo' } })], next },
    });

    it('reads on until there is something to be shown', async () => {
      const answers = [ofAda([9], 2), ofAda([8], 3), ofAda([3], 4), ofAda([7], 5), ofAda([2])];
      const { feed, asked } = await scripted(answers, { author: 'ada' });
      await feed.refresh();
      assert.deepEqual(asked, [null, '2', '3']);
      await feed.loadMore();
      assert.deepEqual(asked.slice(3), ['4', '5']);
    });

    it('reads on where all that comes is muted', async () => {
      const { window, feed, asked } = await scripted([ofAda([9], 2), ofAda([4], 3), ofAda([8], 4), ofAda([3])]);
      await window.activity.readState.mutes.add({ accountId: 'sandbox', what: 'author', value: 'bo', name: 'Bo' });
      await feed.refresh();
      assert.deepEqual(asked, [null, '2']);
      await feed.loadMore();
      assert.deepEqual(asked.slice(2), ['3', '4']);
    });

    it('shows by a filter of today nothing of yesterday after midnight, though nothing new has come', async () => {
      const { feed, clock } = await scripted(() => answer, { since: 'today' });
      let answer: Answer = { items: [event(5, { created_at: clock.date().toISOString() })] };
      await feed.refresh();
      assert.equal(feed.state.shown.length, 1);
      clock.jump(24 * 3_600_000);
      answer = 'unchanged';
      await feed.check();
      assert.equal(feed.state.shown.length, 0);
      assert.equal(feed.state.filteredCount, 1);
    });

    it('stops for this time after ten pages', async () => {
      const answers = Array.from({ length: 20 }, (_, index) => ofAda([100 - index], index + 2));
      const { feed, asked } = await scripted(answers, { author: 'ada' });
      await feed.refresh();
      assert.equal(asked.length, 11);
      assert.equal(nextOf(feed), '12');
    });
  });
});
