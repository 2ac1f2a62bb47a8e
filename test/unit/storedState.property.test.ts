import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { FeedStore } from '../../src/activity/feed/feedStore.ts';
import { CheckedMemento } from '../../src/common/stored.ts';
import { takeLock } from '../../src/platform/node/locks.ts';
import { draftSchema } from '../../src/notifications/drafts.ts';
import { ScopeFiles } from '../../src/notifications/scopeFiles.ts';
import { MemoryMemento } from '../support/editorState.ts';
import { mementoOf, stored } from './common/keptState.ts';
import { hostileText, hugeText, runs } from '../support/properties.ts';

const scope = { kind: 'global', accountId: 'ada@host' } as const;

describe('state that was kept, whatever has become of it', () => {
  it('is of the expected kind, or counts as missing and is reported once', () => {
    fc.assert(
      fc.property(stored, fc.constantFrom<unknown>([], {}, false, 0, ''), (value, wanted) => {
        const { memento, warnings } = mementoOf({ key: value });
        const [one, again] = [memento.get('key', wanted), memento.get('key', wanted)];
        assert.equal(one, again);
        assert.deepEqual([typeof one, Array.isArray(one), one === null], [typeof wanted, Array.isArray(wanted), false]);
        assert.equal(warnings.length, one === value ? 0 : 1);
        assert.ok(
          warnings.every((sentence) => typeof value !== 'string' || value.length < 8 || !sentence.includes(value)),
        );
        assert.equal(memento.get('another', wanted), wanted);
      }),
      runs(300),
    );
  });
});

describe('files that were kept, whatever has become of them', () => {
  let folder: string;
  let warnings: string[];
  let store: FeedStore;
  const key = { accountId: 'ada@host', name: 'mine' };
  const event = { id: 2, action_name: 'opened', created_at: '2026-03-01T12:00:00.000Z' };
  const saved = {
    checkedAt: new Date(0),
    instanceUrl: 'https://host',
    items: [event],
    projects: { 7: { path: 'a/b', webUrl: 'https://host/a/b' } },
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'beacon-kept-'));
  });
  beforeEach(() => {
    warnings = [];
    store = new FeedStore(join(folder, 'activity'), (sentence) => warnings.push(sentence));
  });
  after(() => rm(folder, { recursive: true }));

  async function leave(content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(store.path(key)), { recursive: true });
    await writeFile(store.path(key), content);
  }

  it('feeds: are read or loaded again, and the log names those that were not', async () => {
    const file = fc.record(
      {
        version: fc.constantFrom(1, 0, 2, '1', null),
        instanceUrl: fc.oneof(fc.constantFrom('https://host', 'javascript:alert(1)', 'file:///x'), hostileText),
        items: fc.oneof(stored, fc.array(fc.oneof(stored, fc.constant(event)))),
        projects: fc.oneof(stored, fc.constant({ 7: { path: 'a/b' } }), fc.constant({ __proto__: { path: 'x' } })),
        odd: stored,
      },
      { requiredKeys: [] },
    );
    const content = fc.oneof(
      file.map((one) => JSON.stringify(one)),
      fc.json(),
      hostileText,
      fc.uint8Array({ maxLength: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(content, async (left) => {
        warnings = [];
        await leave(left);
        const read = await store.read(key);
        assert.equal(warnings.length, read ? 0 : 1);
        assert.match(read?.instanceUrl ?? 'https://host', /^https?:/);
        assert.ok(read === undefined || Array.isArray(read.items));
        await store.write(key, { ...saved, checkedAt: new Date(Date.now() + 1000) });
        assert.deepEqual((await store.read(key))?.items, [event]);
      }),
      runs(40),
    );
  });

  it('drafts: those of this version and form are there, the others count as none, and the log names each once', async () => {
    const base = { level: 'global' };
    const kept = { scope, change: { level: 'watch' }, base, revision: 'a' };
    const content = fc.oneof(
      fc.record({
        version: fc.constantFrom(1, 2),
        scope: fc.constant(scope),
        change: stored,
        base: stored,
        revision: stored,
      }),
      stored,
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          content.map((one) => JSON.stringify(one)),
          hostileText,
        ),
        async (left) => {
          const drafts = join(folder, 'drafts');
          warnings = [];
          const files = new ScopeFiles(drafts, draftSchema, { warn: (sentence) => warnings.push(sentence) });
          await files.write(kept);
          const [name = ''] = await readdir(drafts);
          await writeFile(join(drafts, name), left);
          const read = await files.read(scope);
          assert.deepEqual((await files.all()).length, read ? 1 : 0);
          assert.equal(warnings.length, read ? 0 : 1);
          assert.ok(read === undefined || draftSchema().safeParse(read).success);
          await files.write(kept);
          assert.deepEqual(await files.all(), [kept]);
          await files.remove(scope);
          assert.deepEqual([await files.all(), await readdir(drafts)], [[], []]);
        },
      ),
      runs(60),
    );
  });

  it('feeds: a file that is cut anywhere, of another version or huge is loaded again and not quoted in the log', async () => {
    await store.write(key, saved);
    const whole = JSON.stringify({
      version: 2,
      instanceUrl: 'https://host',
      items: [{ ...event, target_title: 'Private title' }],
      projects: {},
    });
    for (let length = 0; length < whole.length; length += 7) {
      await leave(whole.slice(0, length));
      assert.equal(await store.read(key), undefined);
    }
    for (const text of [whole.replace('"version":2', '"version":99'), JSON.stringify(hugeText), '['.repeat(100_000)]) {
      await leave(text);
      assert.equal(await store.read(key), undefined);
    }
    assert.equal(warnings.length, Math.ceil(whole.length / 7) + 3);
    assert.ok(warnings.every((sentence) => sentence.length < 500 && !sentence.includes('Private')));
    await leave(whole);
    assert.equal((await store.read(key))?.items.length, 1);
  });

  it('are for the eyes of the user alone', async () => {
    const drafts = join(folder, 'own');
    const draft = { scope, change: {}, base: { level: 'global' }, revision: 'a' };
    await new ScopeFiles(drafts, draftSchema, { warn: assert.fail }).write(draft);
    await store.write(key, saved);
    for (const path of [join(drafts, (await readdir(drafts))[0] ?? ''), store.path(key)]) {
      assert.equal((await stat(path)).mode & 0o077, 0, path);
    }
  });

  it('feeds: a missing file is not reported', async () => {
    assert.equal(await store.read({ ...key, name: 'never' }), undefined);
    assert.deepEqual(warnings, []);
  });

  it('feeds: no name of an account or a feed leads out of the folder', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (accountId, name) => {
        assert.equal(dirname(store.path({ accountId, name })), join(folder, 'activity'));
        assert.match(store.path({ accountId, name }), /\/[0-9a-f]{24}-[0-9a-f]{24}\.json$/);
      }),
      runs(200),
    );
  });

  it('leases: are another window’s or this one’s', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.json(), hostileText, fc.constant(JSON.stringify({ owner: 'x', until: 5000 }))),
        async (left) => {
          const path = join(folder, `lease${(round += 1)}`);
          await writeFile(`${path}.1`, left);
          const release = await takeLock(path, 100, () => 1000);
          assert.ok(!(release && (await takeLock(path, 100, () => 1000))));
          await release?.();
        },
      ),
      runs(50),
    );
  });
});

describe('what is kept in the editor’s state', () => {
  /** Takes a write back as often as it is asked to, as the editor does when the news of the write before comes late. */
  class ForgetfulMemento extends MemoryMemento {
    #forgotten: number;

    constructor(forgotten: number) {
      super();
      this.#forgotten = forgotten;
    }

    override async update(key: string, value: unknown): Promise<void> {
      if (this.#forgotten === 0) {
        await super.update(key, value);
      }
      this.#forgotten = Math.max(0, this.#forgotten - 1);
    }
  }

  it('is written again where the editor has lost it', async () => {
    const values = new ForgetfulMemento(1);
    const memento = new CheckedMemento(values, { warn: assert.fail });
    values.values.set('chosen', 'sandbox');
    await memento.update('chosen', undefined);
    assert.equal(memento.get('chosen'), undefined);
    await memento.update('opened', { ada: [1, 2] });
    assert.deepEqual(memento.get('opened'), { ada: [1, 2] });
  });

  it('is what was written last, while an earlier write is still under way', async () => {
    const memento = new CheckedMemento(new MemoryMemento(), { warn: assert.fail });
    await Promise.all([memento.update('chosen', 'ada'), memento.update('chosen', 'bob')]);
    assert.equal(memento.get('chosen'), 'bob');
  });

  it('is given up after some writes, where another window goes on with its own', async () => {
    const memento = new CheckedMemento(new ForgetfulMemento(Infinity), { warn: assert.fail });
    await memento.update('chosen', 'ada');
    assert.equal(memento.get('chosen'), undefined);
  });
});
