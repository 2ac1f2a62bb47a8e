import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { sampleAccount } from '../../support/accountSamples.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { hostileText, runs } from '../../support/properties.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';
import { stored } from '../common/keptState.ts';
import { ActivityWindow } from './activityWindow.ts';
import { sampleEvent } from './anyEvent.ts';

insideWindow(import.meta.filename);

const event = (id: number) => sampleEvent({ id });
const key = { accountId: 'ada@host', name: 'ada@host/mine []' };
const saved = {
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
  let store: ActivityWindow['activity']['store'];
  let warnings: readonly string[];
  let windows: ActivityWindow[];

  /** A window with the accounts of some users of one host. */
  async function open(...names: readonly string[]): Promise<ActivityWindow> {
    const { connection } = new ScriptedInstance(() => ({ json: [] }));
    const window = await ActivityWindow.open(async () => connection, { folder: dirname(folder) });
    windows.push(window);
    names.forEach((name) => window.keepAccount(sampleAccount(name, 'https://host')));
    return window;
  }

  beforeEach(async () => {
    windows = [];
    folder = join(await mkdtemp(join(tmpdir(), 'beacon-store-')), 'activity');
    ({
      activity: { store },
      log: warnings,
    } = await open('ada', 'bo'));
  });
  afterEach(() => windows.forEach((window) => window.dispose()));

  it('gives back what it was given, in another window too', async () => {
    await store.write(key, saved);
    const read = await (await open('ada')).activity.store.read(key);
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
    const ofBo = await open('bo');
    assert.equal(await ofBo.activity.store.read(key), undefined, 'its file is still there');
    assert.ok(await store.read(key));
    await ofBo.activity.store.forget();
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
    const window = await open();
    await window.activity.store.write(key, saved);
    assert.equal(await window.activity.store.read(key), undefined);
    window.keepAccount(sampleAccount('ada', 'https://host'));
    const writing = window.activity.store.write(key, saved);
    window.signOutOf('ada@host');
    await writing;
    await window.activity.store.forget();
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

  it('reads what was kept, whatever has become of it, or nothing, which the log says', async () => {
    await mkdir(folder, { recursive: true });
    const titled = { ...event(2), target_title: 'Private title' };
    const file = fc.record(
      {
        version: fc.constantFrom(1, 0, 2, '1', null),
        instanceUrl: fc.oneof(fc.constantFrom('https://host', 'javascript:alert(1)', 'file:///x'), hostileText),
        items: fc.oneof(stored, fc.array(fc.oneof(stored, fc.constant(titled)))),
        projects: fc.oneof(stored, fc.constant({ 7: { path: 'a/b' } }), fc.constant({ __proto__: { path: 'x' } })),
        odd: stored,
      },
      { requiredKeys: [] },
    );
    const content = fc.oneof(
      file.map((one) => JSON.stringify(one)),
      fc.tuple(file, fc.nat()).map(([one, cut]) => JSON.stringify(one).slice(0, cut)),
      fc.json(),
      hostileText,
      fc.uint8Array({ maxLength: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(content, async (left) => {
        const before = warnings.length;
        await writeFile(store.path(key), left);
        const read = await store.read(key);
        assert.equal(warnings.length - before, read ? 0 : 1);
        assert.ok(
          warnings.every((sentence) => sentence.length < 500 && !sentence.includes('Private')),
          'it is not quoted',
        );
        assert.match(read?.instanceUrl ?? 'https://host', /^https?:/);
        assert.ok(read === undefined || Array.isArray(read.items));
        await store.write(key, { ...saved, items: [event(2)], checkedAt: new Date(Date.now() + 1000) });
        assert.deepEqual((await store.read(key))?.items, [event(2)]);
      }),
      runs(40),
    );
  });

  it('does not report a missing file', async () => {
    assert.equal(await store.read({ ...key, name: 'never' }), undefined);
    assert.deepEqual(warnings, []);
  });

  it('stays in its folder, whatever an account or a feed is called', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (accountId, name) => {
        assert.equal(dirname(store.path({ accountId, name })), folder);
        assert.match(store.path({ accountId, name }), /\/[0-9a-f]{24}-[0-9a-f]{24}\.json$/);
      }),
      runs(200),
    );
  });

  it('is for the eyes of the user alone', async () => {
    await store.write(key, saved);
    assert.equal((await stat(store.path(key))).mode & 0o077, 0);
  });
});
