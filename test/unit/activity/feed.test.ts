import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/api/events.ts';
import type { PageLink } from '../../../src/api/pagination.ts';
import { unrecognizedRecord } from '../../../src/api/unrecognized.ts';
import { Feed, type FeedPage } from '../../../src/activity/feed.ts';

const event = (id: number) => ({ id, created_at: '2026-03-01T12:00:00.000Z' }) as EventRecord;
const link = (page: number) => `page=${page}` as PageLink;
const page = (ids: readonly number[], next?: number): FeedPage => ({
  items: ids.map(event),
  next: next === undefined ? undefined : link(next),
});

/** A feed whose requests are answered in turn; `asked` tells for which pages. */
function scripted(...answers: readonly (FeedPage | Error)[]): { feed: Feed; asked: (PageLink | undefined)[] } {
  const asked: (PageLink | undefined)[] = [];
  const feed = new Feed(async (from) => {
    const answer = answers[asked.push(from) - 1];
    if (answer instanceof Error || answer === undefined) {
      throw answer ?? new Error('asked too often');
    }
    return answer;
  });
  return { feed, asked };
}

const ids = (feed: Feed) => feed.state.items.map((item) => ('id' in item ? item.id : undefined));

describe('a feed', () => {
  it('starts empty and holds the first page after a refresh', async () => {
    const { feed } = scripted(page([3, 2], 2));
    assert.deepEqual(feed.state, { items: [], loaded: false, next: undefined });
    await feed.refresh();
    assert.deepEqual(ids(feed), [3, 2]);
    assert.equal(feed.state.loaded, true);
  });

  it('appends pages until there is no next one, short or empty as they are', async () => {
    const { feed, asked } = scripted(page([5], 2), page([], 3), page([2]));
    await feed.refresh();
    await feed.loadMore();
    assert.equal(feed.state.next, link(3));
    await feed.loadMore();
    assert.deepEqual(ids(feed), [5, 2]);
    assert.equal(feed.state.next, undefined);
    assert.deepEqual(asked, [undefined, link(2), link(3)]);
  });

  it('shows an event once that a new one has pushed to the next page', async () => {
    const { feed } = scripted(page([3, 2], 2), page([2, 1]));
    await feed.refresh();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [3, 2, 1]);
  });

  it('keeps entries that are no event records', async () => {
    const items = [unrecognizedRecord('?', []), event(1), unrecognizedRecord('?', [])];
    const { feed } = scripted({ items, next: undefined });
    await feed.refresh();
    assert.deepEqual(feed.state.items, items);
  });

  it('keeps what was loaded when a page fails, and goes on at that page', async () => {
    const failure = new Error('away');
    const { feed, asked } = scripted(page([3], 2), failure, page([2]));
    await feed.refresh();
    await feed.loadMore();
    assert.deepEqual(ids(feed), [3]);
    assert.equal(feed.state.error, failure);
    await feed.loadMore();
    assert.deepEqual(ids(feed), [3, 2]);
    assert.equal(feed.state.error, undefined);
    assert.deepEqual(asked, [undefined, link(2), link(2)]);
  });

  it('keeps what was loaded when a refresh fails', async () => {
    const { feed } = scripted(page([3], 2), new Error('away'));
    await feed.refresh();
    await feed.refresh();
    assert.deepEqual(ids(feed), [3]);
    assert.ok(feed.state.error);
  });

  it('requests a page once for callers at the same time', async () => {
    const { feed, asked } = scripted(page([3], 2), page([2], 3));
    await feed.refresh();
    await Promise.all([feed.loadMore(), feed.loadMore()]);
    assert.deepEqual(ids(feed), [3, 2]);
    assert.equal(asked.length, 2);
  });

  it('ends the request and ignores its answer after a reset', async () => {
    const { promise, resolve } = Promise.withResolvers<FeedPage>();
    const signals: AbortSignal[] = [];
    const feed = new Feed((_from, signal) => {
      signals.push(signal);
      return promise;
    });
    const loading = feed.refresh();
    feed.reset();
    resolve(page([9], 2));
    await loading;
    assert.deepEqual(ids(feed), []);
    assert.equal(signals[0]?.aborted, true);
  });
});
