import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Pins } from '../../../src/accounts/pins.ts';
import { OpenFeeds } from '../../../src/activity/feed/openFeeds.ts';
import { isMuted, isNew, ReadState } from '../../../src/activity/feed/readState.ts';
import { sampleEvent } from './anyEvent.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { runs } from '../../support/properties.ts';
import { keptState, mementoOf } from '../common/keptState.ts';
import type { Feed } from './activityWindow.ts';

insideWindow(import.meta.filename);

/** What reading needs of a feed. */
const event = sampleEvent({ id: 9 });
const feed = { id: 'feed', ref: { kind: 'mine', accountId: 'ada@host' }, state: { items: [event] } } as unknown as Feed;

const kept = keptState(
  ...['activity.read', 'activity.marks', 'activity.quietFeeds', 'activity.mutes', 'activity.filters', 'activity.feed'],
  ...['activity.pinnedFeeds', 'activity.recentFeeds', 'pins'],
);

describe('what was kept of feeds, whatever has become of it', () => {
  it('lets the views begin, and take what the user does next', async () => {
    await fc.assert(
      fc.asyncProperty(kept, async (left) => {
        const { memento } = mementoOf(left);
        const onDidChange = () => ({ dispose: () => undefined });
        const app = {
          ...{
            globalState: memento,
            workspaceState: memento,
            accounts: { all: [], find: () => undefined, onDidChange },
          },
          ...{
            accountInUse: { account: undefined, onDidChange },
            workspaceProjects: { current: undefined, onDidChange },
          },
        };
        const read = new ReadState(app as never);
        const { mutes } = read;
        const feeds = new OpenFeeds({ app, readState: read } as never);
        const pins = new Pins(memento);
        const ofFeed = () => read.of(feed);
        assert.equal(typeof isNew(ofFeed(), event), 'boolean');
        await read.begin(feed);
        await read.markAllRead([feed]);
        assert.ok(!isNew(ofFeed(), event));
        await read.setRead('ada@host', [9], false);
        assert.ok(isNew(ofFeed(), event));
        await read.setCounts('feed', false);
        assert.ok(!ofFeed().counts);
        assert.equal(typeof isMuted(ofFeed().muted, event), 'boolean');
        await mutes.add({ accountId: 'ada@host', what: 'author', value: 'ada', name: 'Ada' });
        assert.ok(isMuted(ofFeed().muted, event));
        assert.equal(typeof feeds.filterOf('feed'), 'object');
        await feeds.setFilter('feed', { kind: 'closed Issue' });
        assert.deepEqual(feeds.filterOf('feed'), { kind: 'closed Issue' });
        assert.equal(typeof feeds.choice.kind, 'string');
        assert.ok(Array.isArray(feeds.recent));
        await feeds.pin({ kind: 'allProjects', accountId: 'ada@host' });
        assert.ok(feeds.isPinned({ kind: 'allProjects', accountId: 'ada@host' }));
        await pins.add({ accountId: 'ada@host', id: 1, path: 'g/p' });
        assert.ok(pins.has({ accountId: 'ada@host', id: 1 }));
        [read, feeds].forEach((part) => part.dispose());
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
});
