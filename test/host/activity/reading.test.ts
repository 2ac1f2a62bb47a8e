import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { contextKeysOf, headerOf } from '../../../src/activity/activityHeader.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { ActivityParts, sampleEvent as event } from '../../support/activityParts.ts';
import { ScriptedInstance } from '../../support/scriptedInstance.ts';

describe('what is new since the reader left', () => {
  let events: EventRecord[];
  let parts: ActivityParts;

  beforeEach(() => {
    events = [event({ id: 3 }), event({ id: 2 }), event({ id: 1 })];
    const instance = new ScriptedInstance((url) =>
      url.pathname.endsWith('/events') ? { json: events } : { status: 404, json: {} },
    );
    parts = new ActivityParts(async () => instance.connection);
  });
  afterEach(() => parts.dispose());

  const header = () =>
    headerOf({
      feeds: parts.feeds,
      readState: parts.readState,
      onlyNew: parts.onlyNew,
      account: undefined,
      now: parts.now,
    });
  const contextKeys = () =>
    contextKeysOf({
      feeds: parts.feeds,
      readState: parts.readState,
      onlyNew: false,
      account: undefined,
      now: parts.now,
    });
  const happen = async (...ids: number[]) => {
    events = [...ids.map((id) => event({ id })), ...events];
    await parts.loader.check(parts.open);
  };

  it('is nothing when a feed is seen for the first time', async () => {
    await parts.loader.refresh(parts.open);
    assert.equal(header().badge, undefined);
    assert.equal(contextKeys()['beacon.activity.hasNew'], false);
  });

  it('counts in the badge and stands out in the rows', async () => {
    await parts.loader.refresh(parts.open);
    await happen(5, 4);
    assert.deepEqual(header().badge, { value: 2, tooltip: '2 new events' });
    const items = (await parts.events()).map((node) => parts.tree.getTreeItem(node));
    const stand = items.map(({ iconPath }) => (iconPath as vscode.ThemeIcon).color !== undefined);
    assert.deepEqual(stand, [true, true, false, false, false]);
    assert.match(items[0]?.accessibilityInformation?.label ?? '', /^New: Ada Byron opened issue/);
    assert.doesNotMatch(items[2]?.accessibilityInformation?.label ?? '', /^New/);
    assert.deepEqual(
      items.map(({ resourceUri }) => resourceUri !== undefined),
      stand,
    );
  });

  it('is read up to an event, and all at once', async () => {
    await parts.loader.refresh(parts.open);
    await happen(6, 5, 4);
    await parts.readState.markReadUpTo(parts.open.id, 5);
    parts.open.invalidate();
    assert.equal(header().badge?.value, 1);
    assert.equal(header().badge?.tooltip, '1 new event');
    await parts.readState.markAllRead(parts.open.id, parts.open.state.items);
    assert.equal(header().badge, undefined);
  });

  it('is remembered across restarts, by each feed', async () => {
    await parts.loader.refresh(parts.open);
    await happen(4);
    await parts.choose({ kind: 'allProjects' });
    await parts.loader.refresh(parts.open);
    assert.equal(header().badge, undefined, 'this feed is seen for the first time');
    await parts.choose({ kind: 'mine' });
    await parts.loader.refresh(parts.open);
    assert.equal(header().badge?.value, 1);
  });

  it('can be all that is shown', async () => {
    await parts.loader.refresh(parts.open);
    await happen(4);
    parts.onlyNew = true;
    parts.open.invalidate();
    assert.deepEqual(
      (await parts.events()).map(({ key }) => key),
      ['4'],
    );
    assert.match(header().description ?? '', /only new/);
    await parts.readState.markAllRead(parts.open.id, parts.open.state.items);
    parts.open.invalidate();
    parts.tree.redraw();
    assert.ok((await parts.rows()).includes('Show All Events'));
  });

  it('follows the filter of the feed', async () => {
    await parts.loader.refresh(parts.open);
    await parts.filters.set(parts.open.id, { kind: 'closed Issue' });
    events = [event({ id: 5, action_name: 'closed' }), event({ id: 4 }), ...events];
    await parts.loader.refresh(parts.open);
    assert.equal(header().badge?.value, 1);
    assert.equal(header().description, 'My Activity · closed issue');
    assert.equal(contextKeys()['beacon.activity.filtered'], true);
  });

  it('does not count what is muted, nor feeds that are not to count', async () => {
    await parts.loader.refresh(parts.open);
    const robot = { id: 9, username: 'robot', name: 'Robot' };
    events = [event({ id: 6, author: robot }), event({ id: 5, project_id: 8 }), event({ id: 4 }), ...events];
    await parts.loader.check(parts.open);
    assert.equal(header().badge?.value, 3);
    const mute = { accountId: 'sandbox', what: 'author', value: 'robot', name: 'Robot' } as const;
    await parts.mutes.add(mute);
    await parts.mutes.add({ accountId: 'sandbox', what: 'project', value: '8', name: 'a/b' });
    await parts.mutes.add({ accountId: 'other', what: 'kind', value: 'opened Issue', name: 'opened Issue' });
    parts.open.invalidate();
    parts.tree.redraw();
    assert.equal(header().badge?.value, 1);
    const rows = await parts.tree.getChildren();
    assert.ok(rows.some((node) => parts.tree.getTreeItem(node).description === '2 events are muted'));
    await parts.mutes.remove([mute]);
    parts.open.invalidate();
    assert.equal(header().badge?.value, 2);
    await parts.readState.setCounts(parts.open.id, false);
    assert.equal(header().badge, undefined);
    await parts.readState.setCounts(parts.open.id, true);
    assert.equal(header().badge?.value, 2);
  });

  it('counts an event once that is in several feeds', async () => {
    await parts.choices.pin({ kind: 'allProjects' });
    await Promise.all(parts.feeds.all.map((open) => parts.loader.refresh(open)));
    events = [event({ id: 4 }), ...events];
    await Promise.all(parts.feeds.all.map((open) => parts.loader.check(open)));
    assert.equal(header().badge?.value, 1);
    const [root] = await parts.tree.getChildren();
    assert.equal(root && parts.tree.getTreeItem(root).description, '1 new');
    assert.equal(root && parts.tree.getTreeItem(root).accessibilityInformation?.label, 'Feed All My Projects, 1 new');
  });
});
