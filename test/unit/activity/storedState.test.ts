import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Pins } from '../../../src/accounts/pins.ts';
import { Kept, Memento } from '../../support/editor/storage.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { runs } from '../../support/properties.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';
import { keptState, mementoOf } from '../common/keptState.ts';
import { ActivityWindow, allProjects, mine } from './activityWindow.ts';
import { sampleEvent } from './anyEvent.ts';

insideWindow(import.meta.filename);

const instance = new ScriptedInstance((url) =>
  url.pathname.endsWith('/events') ? { json: [sampleEvent({ id: 9 })] } : { status: 404, json: {} },
);
const open = async (globalState: unknown, workspaceState = globalState): Promise<ActivityWindow> =>
  await ActivityWindow.open(async () => instance.connection, {
    ...{ globalState: globalState as Memento, workspaceState: workspaceState as Memento },
  });

const kept = keptState(
  ...['activity.read', 'activity.marks', 'activity.quietFeeds', 'activity.mutes', 'activity.filters', 'activity.feed'],
  ...['activity.pinnedFeeds', 'activity.recentFeeds', 'pins'],
);

describe('what was kept of feeds, whatever has become of it', () => {
  it('lets the views begin, and take what the user does next', async () => {
    await fc.assert(
      fc.asyncProperty(kept, async (left) => {
        const { memento } = mementoOf(left);
        const window = await open(memento);
        const { feeds, readState } = window.activity;
        assert.equal(typeof feeds.choice.kind, 'string');
        assert.ok(Array.isArray(feeds.recent));
        await readState.mutes.remove(readState.mutes.all);
        await feeds.choose(mine);
        const feed = () => feeds.all.find(({ id }) => id === 'sandbox/mine')?.state;
        await window.run('refresh');
        assert.ok(feed());
        await readState.markAllRead(feeds.all);
        assert.equal(feed()?.newItems.length, 0);
        await readState.setRead('sandbox', [9], false);
        assert.equal(feed()?.newItems.length, feed()?.items.length);
        await readState.setCounts('sandbox/mine', false);
        assert.equal(feed()?.reading.counts, false);
        await readState.mutes.add({ accountId: 'sandbox', what: 'author', value: 'ada', name: 'Ada' });
        assert.equal(feed()?.shown.length, 0);
        assert.equal(typeof feeds.filterOf('sandbox/mine'), 'object');
        await feeds.setFilter('sandbox/mine', { kind: 'closed Issue' });
        assert.deepEqual(feeds.filterOf('sandbox/mine'), { kind: 'closed Issue' });
        await feeds.pin(allProjects);
        assert.ok(feeds.isPinned(allProjects));
        const pins = new Pins(memento);
        await pins.add({ accountId: 'ada@host', id: 1, path: 'g/p' });
        assert.ok(pins.has({ accountId: 'ada@host', id: 1 }));
        window.dispose();
      }),
      runs(150),
    );
  });

  it('is reported in the log once if some of a list cannot be read, which does not lose the rest', () => {
    const pin = { kind: 'project', accountId: 'ada@host', id: 1, path: 'g/p' } as const;
    const { memento, warnings } = mementoOf({ pins: [{ ...pin, id: 'seven' }, pin, null] });
    const pins = new Pins(memento);
    assert.deepEqual([pins.of('ada@host'), pins.of('ada@host')], [[pin], [pin]]);
    assert.deepEqual(warnings, ['Of what was kept as "pins", 2 cannot be read and are left out.']);
  });

  it('has the choice of a feed again, whichever it was, and keeps projects and users of several accounts apart', async () => {
    const project = { kind: 'project', accountId: 'ada@host', id: 7, path: 'group/project' } as const;
    const user = { kind: 'user', accountId: 'ada@host', id: 7, username: 'bo', name: 'Bo' } as const;
    const choices = [mine, project, user, { ...project, accountId: 'ada@other' }];
    const kept = [new Kept(), new Kept()] as const;
    for (const choice of choices) {
      const window = await open(...[new Memento(kept[0]), new Memento(kept[1])]);
      await window.activity.feeds.choose(choice);
      await window.activity.feeds.pin(choice);
      window.dispose();
      const next = await open(...[new Memento(kept[0]), new Memento(kept[1])]);
      const { chosenAs: _, ...found } = { chosenAs: '', ...next.activity.feeds.choice };
      assert.deepEqual(found, choice);
      next.dispose();
    }
    const last = await open(...[new Memento(kept[0]), new Memento(kept[1])]);
    assert.equal(last.activity.feeds.shown.length, 4);
    last.dispose();
  });

  it('is no choice of a feed if it is none', async () => {
    for (const none of ['mine', { kind: 'galaxy' }, { kind: 'project' }, { kind: 'user', id: '3' }]) {
      const window = await open(new Memento(), new Memento(new Kept({ 'activity.feed': none })));
      assert.deepEqual(window.activity.feeds.choice, allProjects);
      window.dispose();
    }
  });
});
