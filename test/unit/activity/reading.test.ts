import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/api/events.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { ActivityWindow, allProjects, mine } from './activityWindow.ts';
import { sampleEvent as event } from './anyEvent.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';
import { insideWindow } from '../../support/insideWindow.ts';

const inside = insideWindow(import.meta.filename);
/** As many single events of an account are remembered. */
const mostMarks = 10_000;

describe('what is new since the reader left', () => {
  let events: EventRecord[];
  let window: ActivityWindow;
  let open: (before?: ActivityWindow) => Promise<ActivityWindow>;

  beforeEach(async () => {
    events = [event({ id: 3 }), event({ id: 2 }), event({ id: 1 })];
    const instance = new ScriptedInstance((url) =>
      url.pathname.endsWith('/events') ? { json: events } : { status: 404, json: {} },
    );
    open = (before) => ActivityWindow.open(async () => instance.connection, before);
    window = await open();
    await window.feed.refresh();
  });
  afterEach(async () => {
    window.dispose();
    await inside.window.setting('beacon.activity.ownEventsAreNew', undefined);
  });

  const header = () => window.view;
  const hasKey = (name: string) => inside.window.contextKeys.get(`beacon.activity.${name}`);
  /** Events of these ids, or with these fields, happen. */
  const happen = async (...more: readonly (number | Partial<EventRecord>)[]) => {
    events = [...more.map((one) => event(typeof one === 'number' ? { id: one } : one)), ...events];
    await window.feed.check();
  };

  it('is nothing when a feed is seen for the first time', async () => {
    assert.equal(header().badge, undefined);
    assert.equal(hasKey('hasNew'), false);
  });

  it('counts in the badge and stands out in the rows', async () => {
    await happen(5, 4);
    assert.deepEqual(header().badge, { value: 2, tooltip: '2 new events in My Activity' });
    const items = await window.eventItems();
    assert.match(items[0]?.accessibilityInformation?.label ?? '', /^New: ada opened issue/);
    assert.doesNotMatch(items[2]?.accessibilityInformation?.label ?? '', /^New/);
    assert.deepEqual(
      items.map(({ resourceUri }) => resourceUri !== undefined),
      [true, true, false, false, false],
    );
  });

  it('is what comes next, whatever id an event before it has, or none', async () => {
    await happen({ id: undefined as never }, Number.MAX_SAFE_INTEGER, 2 ** 50);
    assert.equal(window.feed.state.items.length, 6);
    await window.run('markAllRead');
    await happen(4);
    assert.deepEqual(header().badge, { value: 1, tooltip: '1 new event in My Activity' });
  });

  it('is that of an account, and read in feeds by name, where there are several', async () => {
    await happen(5, 4);
    window.accounts.push(sampleAccount('ada', 'https://one.example'), sampleAccount('bob', 'https://two.example'));
    window.activity.updateHeader();
    assert.equal(header().badge?.tooltip, '2 new events in My Activity (marta@sandbox)');
    await window.run('markAllRead');
    await inside.window.message('Marked as read: My Activity (marta@sandbox)');
  });

  describe('and was marked as read as a whole', () => {
    beforeEach(() => happen(5, 4));

    const said = () => inside.window.messages.at(-1)?.text;
    /** Presses Undo, in the newest message unless another one is meant. @returns what is said after that. */
    const undo = async (press: () => unknown = () => inside.window.press('Undo')) => {
      const { length } = inside.window.messages;
      await press();
      await inside.window.until(() => inside.window.messages.length > length);
      return said();
    };
    /** Leaves the next message open. @returns what presses Undo in it, whatever is said after it. */
    const undoOfNext = () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      inside.window.answer('Marked as read', () => promise);
      return () => resolve('Undo');
    };
    const news = () => window.feed.state.newItems.map(({ id }) => id);

    it('is new again after Undo in the message, and so is what came meanwhile', async () => {
      await window.run('markAllRead');
      assert.deepEqual(news(), []);
      assert.equal(said(), 'Marked as read: My Activity');
      await happen(6);
      assert.deepEqual(news(), [6]);
      assert.equal(await undo(), 'Unread again: My Activity');
      assert.deepEqual(news(), [6, 5, 4]);
      assert.equal(header().badge?.value, 3);
    });

    it('is named by the feeds in which something was marked', async () => {
      await window.activity.feeds.pin(allProjects);
      assert.equal(window.activity.feeds.all.length, 2, 'one of them is not loaded');
      await window.run('markAllRead');
      assert.equal(said(), 'Marked as read: My Activity');
      assert.equal(await undo(), 'Unread again: My Activity');
    });

    it('is shown and counted again after Undo of a mute, and the message says so', async () => {
      await window.run('muteAuthor', (await window.events())[0]);
      assert.deepEqual(news(), []);
      assert.match(said() ?? '', /: these events are neither shown nor counted in any feed of this account\.$/);
      assert.match((await undo()) ?? '', /^Shown and counted again: \w/);
      assert.deepEqual(news(), [5, 4]);
    });

    it('stays read where single events were opened, and where more was read meanwhile', async () => {
      await window.run('markFeedRead', { feed: window.feed });
      await window.activity.readState.markOpened('sandbox', 5);
      assert.equal(await undo(), 'Unread again: My Activity');
      assert.deepEqual(news(), [4]);
      const first = undoOfNext();
      await window.run('markAllRead');
      await happen(6);
      await window.run('markAllRead');
      assert.equal(await undo(first), 'Nothing was undone: more was marked as read since then.');
      assert.deepEqual(news(), []);
    });

    it('is restored in exactly the feeds that were meant, also below a filter', async () => {
      await window.activity.feeds.pin(allProjects);
      const [all, mine] = window.activity.feeds.all;
      assert.ok(all && mine);
      await Promise.all([all, mine].map((feed) => feed.refresh()));
      await window.activity.feeds.setFilter(mine.id, { kind: 'closed Issue' });
      await window.run('refresh');
      events = [event({ id: 8, action_name: 'closed' }), event({ id: 7 }), ...events];
      await window.run('refresh');
      const counts = () => window.activity.feeds.all.map(({ state }) => state.newItems.length);
      const before = counts();
      const filtered = window.activity.feeds.all.find(({ id }) => id === mine.id);
      await window.run('markFeedRead', { feed: filtered });
      assert.deepEqual(counts(), [before[0], 0]);
      assert.equal(said(), 'Marked as read: My Activity, also what is filtered out');
      await undo();
      assert.deepEqual(counts(), before);
      const both = undoOfNext();
      await window.run('markAllRead');
      assert.deepEqual(counts(), [0, 0]);
      await happen(9);
      await window.run('refresh');
      await window.run('markFeedRead', { feed: all });
      assert.equal(await undo(both), 'Unread again: My Activity');
      assert.deepEqual(counts(), [0, before[1]]);
    });

    it('names as many events of a day as are marked', async () => {
      const unread = Array.from({ length: mostMarks + 1 }, (_, index) => ({ isNew: true, item: { id: 5 - index } }));
      await window.run('markDayRead', { kind: 'day', feed: window.feed, events: unread.toReversed() });
      assert.equal(said(), `${mostMarks.toLocaleString('en')} events were marked as read.`);
      assert.deepEqual(news(), [5]);
    });

    it('offers nothing to undo where nothing was new', async () => {
      await window.run('markAllRead');
      await window.run('markAllRead');
      assert.equal(said(), 'Nothing is unread');
    });
  });

  it('is remembered across restarts, by each feed', async () => {
    await happen(4);
    await window.activity.feeds.choose(allProjects);
    await window.feed.refresh();
    assert.equal(header().badge?.value, 1, 'what is new in a feed is new in one that is seen for the first time');
    await window.run('markAllRead');
    assert.equal(header().badge, undefined);
    await window.activity.feeds.choose(mine);
    window.dispose();
    window = await open(window);
    for (const [feed, value] of [
      [mine, 1],
      [allProjects, undefined],
    ] as const) {
      await window.activity.feeds.choose(feed);
      await window.feed.refresh();
      assert.equal(header().badge?.value, value, feed.kind);
    }
  });

  it('can be all that is shown', async () => {
    await happen(4);
    await window.run('showOnlyNew');
    assert.deepEqual(
      (await window.events()).map(({ item }) => item.id),
      [4],
    );
    assert.match(header().description ?? '', /unread only/);
    await window.activity.readState.markAllRead([window.feed]);
    assert.deepEqual(await window.rows(), ['Show Read Activity', 'Nothing is unread']);
    // It is a matter of the view: a filter, and clearing it, is that of a feed.
    await window.activity.feeds.setFilter(window.feed.id, { actions: ['pushed'] });
    assert.deepEqual((await window.rows()).slice(0, 2), ['Clear Filter', 'Show Read Activity']);
    await window.run('clearFilter', { feed: window.feed });
    assert.deepEqual((await window.rows())[0], 'Show Read Activity');
  });

  it('knows without a filter what came with one, whichever way that is cleared', async () => {
    for (const [id, command] of ['clearFilter', 'filter'].entries()) {
      await window.activity.feeds.setFilter(window.feed.id, { actions: ['pushed'] });
      await happen(10 + id);
      if (command === 'filter') {
        inside.window.answer('Filter Activity', []);
      }
      await window.run(command, { feed: window.feed });
      assert.deepEqual(window.activity.feeds.filterOf(window.feed.id), {});
      assert.equal((await window.events())[0]?.item.id, 10 + id);
    }
  });

  it('leaves out single events that were opened, in each feed, whose rows stay', async () => {
    await happen(6, 5, 4);
    await window.run('showOnlyNew');
    await window.activity.readState.markOpened('sandbox', 5);
    assert.equal(header().badge?.value, 2);
    const items = await window.eventItems();
    assert.deepEqual(
      items.map(({ resourceUri }) => resourceUri !== undefined),
      [true, false, true],
    );
    await window.activity.readState.markOpened('other', 4);
    assert.equal(header().badge?.value, 2);
  });

  it('names the account that reads the feed, which may be another than the one in use', async () => {
    const accountId = 'ada@gitlab.example';
    await window.activity.feeds.choose({ kind: 'project', accountId, id: 7, path: 'a/b' });
    // First, as the status bar names another one.
    assert.match(header().description ?? '', /^ada@gitlab\.example · a\/b/);
    assert.doesNotMatch(header().description ?? '', /@sandbox/);
  });

  it('leaves a project that was chosen to its account when the window works with another one', async () => {
    const [ada, bob] = [sampleAccount('ada', 'https://one.example'), sampleAccount('bob', 'https://two.example')];
    window.accounts.push(ada, bob);
    window.use(ada);
    await window.activity.feeds.choose({ kind: 'project', accountId: ada.id, id: 7, path: 'a/b' });
    window.use(bob);
    assert.equal(window.feed.ref.accountId, bob.id);
    window.use(ada);
    assert.deepEqual(window.feed.ref, { kind: 'project', accountId: ada.id, id: 7, path: 'a/b' });
  });

  it('has rows of feeds that offer to count them or not, as it is now', async () => {
    await window.activity.feeds.pin(mine);
    await window.activity.feeds.choose(allProjects);
    const [row] = (await window.children()).filter((node) => node.kind === 'feed' && node.shown.feed === window.feed);
    assert.ok(row);
    assert.match(window.item(row).contextValue ?? '', / counted /);
    const changes = window.changes();
    await window.activity.readState.setCounts(window.feed.id, false);
    assert.ok(changes.includes(row));
    assert.match(window.item(row).contextValue ?? '', / uncounted /);
  });

  it('does not count what is muted, nor feeds that are not to count', async () => {
    const robot = { id: 9, username: 'robot', name: 'Robot' };
    await happen({ id: 6, author: robot }, { id: 5, project_id: 8 }, 4);
    assert.equal(header().badge?.value, 3);
    const mute = await window.mute('author', 'robot');
    await window.mute('project', '8');
    await window.activity.readState.mutes.add({ ...mute, accountId: 'other', what: 'kind', value: 'opened Issue' });
    assert.equal(header().badge?.value, 1);
    await window.activity.readState.mutes.remove([mute]);
    assert.equal(header().badge?.value, 2);
    await window.activity.readState.setCounts(window.feed.id, false);
    assert.equal(header().badge, undefined);
    await window.activity.readState.setCounts(window.feed.id, true);
    assert.equal(header().badge?.value, 2);
  });

  it('comes below a row that says how much is muted, and manages that', async () => {
    await window.mute('project', '8', 'a/b');
    assert.ok(!(await window.rows()).some((row) => row.startsWith('Muted')));
    await happen({ id: 4, project_id: 8 });
    const [row] = await window.items();
    assert.deepEqual(
      [row?.label, row?.command?.command, row?.tooltip],
      ['Muted events: 1', 'beacon.activity.manageMutes', 'a/b'],
    );
    await window.activity.feeds.setFilter(window.feed.id, { kind: 'opened Issue' });
    assert.deepEqual((await window.rows()).slice(0, 2), ['Clear Filter', 'Muted events: 1']);
    await window.activity.feeds.setFilter(window.feed.id, {});
    // Not that nothing has happened.
    await window.mute('kind', 'opened Issue');
    assert.deepEqual(await window.rows(), ['Muted events: 4']);
    await window.activity.readState.mutes.remove(window.activity.readState.mutes.all);
    assert.ok(!(await window.rows()).some((one) => one.startsWith('Muted')));
  });

  it('is never what one did oneself, unless beacon.activity.ownEventsAreNew says so', async () => {
    const own = { id: 1, username: 'marta', name: 'Marta' };
    await happen({ id: 5, author: own }, 4);
    assert.equal(header().badge?.value, 1);
    const news = async () =>
      (await window.eventItems()).map((item) => item.accessibilityInformation?.label.startsWith('New'));
    assert.deepEqual((await news()).slice(0, 2), [false, true]);
    await inside.window.setting('beacon.activity.ownEventsAreNew', true);
    assert.equal(header().badge?.value, 2);
    assert.deepEqual((await news()).slice(0, 2), [true, true]);
    await inside.window.setting('beacon.activity.ownEventsAreNew', undefined);
    assert.equal(header().badge?.value, 1);
  });

  it('counts an event once that is in several feeds', async () => {
    await window.activity.feeds.pin(allProjects);
    await Promise.all(window.activity.feeds.all.map((feed) => feed.refresh()));
    await happen(4);
    await Promise.all(window.activity.feeds.all.map((feed) => feed.check()));
    assert.deepEqual(header().badge, { value: 1, tooltip: '1 new event in All My Projects, My Activity' });
    const descriptions = async () =>
      (await window.items()).map(({ description }) => String(description).split(' · ').slice(0, -1));
    assert.deepEqual(await descriptions(), [['1 new'], ['1 new']]);
    const [root] = await window.children();
    assert.equal(
      window.item(root).accessibilityInformation?.label,
      'Feed All My Projects, pinned, 1 new, GitLab leaves out MRs and epics',
    );
    await window.run('leaveOutOfBadge', root);
    assert.deepEqual(header().badge, { value: 1, tooltip: '1 new event in My Activity' });
    assert.deepEqual(await descriptions(), [['1 new', 'not in badge'], ['1 new']]);
    await window.run('countInBadge', root);
    assert.deepEqual(await descriptions(), [['1 new'], ['1 new']]);
  });
});
