import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FeedStore, type SavedFeed } from '../../../src/activity/feed/feedStore.ts';
import type { EventRecord } from '../../../src/api/events.ts';

const event = (id: number): EventRecord => ({
  id,
  project_id: 7,
  action_name: 'opened',
  created_at: '2026-03-01T12:00:00.000Z',
});
const key = { accountId: 'ada@host', name: 'ada@host/mine []' };
const saved: SavedFeed = {
  checkedAt: new Date('2026-03-01T12:00:00.123Z'),
  instanceUrl: 'http://127.0.0.1:8080/gitlab',
  items: [event(2), event(1)],
  projects: {
    7: { path: 'group/project', webUrl: 'https://host/group/project', defaultBranch: 'main' },
    8: { path: 'x/y' },
  },
};

describe('the store of feeds', () => {
  let folder: string;
  let store: FeedStore;

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'beacon-store-')), 'activity');
    store = new FeedStore(folder);
  });
  afterEach(async () => {
    await rm(join(folder, '..'), { recursive: true, force: true });
  });

  it('gives back what it was given, in another window too', async () => {
    await store.write(key, saved);
    const read = await new FeedStore(folder).read(key);
    assert.deepEqual(read?.checkedAt, saved.checkedAt);
    assert.deepEqual(read.projects, saved.projects);
    assert.equal(read.instanceUrl, saved.instanceUrl);
    assert.deepEqual(read.items[0], event(2));
    assert.equal(read.items.length, 2);
  });

  it('keeps the newest events alone', async () => {
    await store.write(key, { ...saved, items: Array.from({ length: 900 }, (_, index) => event(1000 - index)) });
    assert.equal((await store.read(key))?.items.length, 200);
  });

  it('keeps feeds of accounts and filters apart', async () => {
    await store.write(key, saved);
    assert.equal(await store.read({ ...key, accountId: 'bo@host' }), undefined);
    assert.equal(await store.read({ ...key, name: 'other' }), undefined);
  });

  it('notes that nothing has changed without writing the feed again', async () => {
    await store.write(key, saved);
    const later = new Date('2026-03-01T13:00:00.456Z');
    await store.touch(key, later);
    assert.deepEqual((await store.read(key))?.checkedAt, later);
  });

  it('leaves out what is no event, and keeps the rest', async () => {
    await store.write(key, saved);
    const content = await readFile(store.path(key), 'utf8');
    await writeFile(store.path(key), content.replace('"id":2,', '"id":"2",'));
    assert.deepEqual((await store.read(key))?.items, saved.items.slice(1));
  });

  it('forgets the feeds of accounts that are gone', async () => {
    const other = { ...key, accountId: 'bo@host' };
    await store.write(key, saved);
    await store.write(other, saved);
    await new FeedStore(folder, undefined, () => ['bo@host']).forget();
    assert.equal(await store.read(key), undefined);
    assert.ok(await store.read(other));
  });

  it('does not grow for ever', async () => {
    for (let index = 0; index < 40; index += 1) {
      await store.write({ ...key, name: String(index) }, { ...saved, checkedAt: new Date(index * 1000) });
    }
    assert.ok((await readdir(folder)).length <= 30);
    assert.ok(await store.read({ ...key, name: '39' }));
  });

  it('keeps nothing of an account that is gone, however late it is written', async () => {
    let accounts: string[] = [];
    const own = new FeedStore(folder, undefined, () => accounts);
    await own.write(key, saved);
    assert.equal(await own.read(key), undefined);
    accounts = [key.accountId];
    const writing = own.write(key, saved);
    accounts = [];
    await own.forget();
    await writing;
    assert.deepEqual(await readdir(folder).catch(() => []), []);
  });

  it('keeps as much of long events as is soon read again, and reads no file that it has not written', async () => {
    const long = (id: number) => ({ ...event(id), note: { id, body: 'x'.repeat(500_000) } });
    await store.write(key, { ...saved, items: Array.from({ length: 50 }, (_, index) => long(index)) });
    assert.equal((await store.read(key))?.items.length, 3);
    const text = JSON.stringify({ version: 2, instanceUrl: saved.instanceUrl, items: [], projects: {} });
    for (const [content, isRead] of [
      [text, true],
      [`${text}${' '.repeat(9_000_000)}`, false],
      [text.replace('[]', '['.repeat(1001) + ']'.repeat(1001)), false],
    ] as const) {
      await writeFile(store.path(key), content);
      assert.equal((await store.read(key)) !== undefined, isRead);
    }
  });
});
