import assert from 'node:assert/strict';
import { insideWindow } from '../../support/insideWindow.ts';
import { inZone } from '../../support/zone.ts';
import { sampleEvent as event } from './anyEvent.ts';
import { type FeedFilter, filtering, remembered } from './eventTexts.ts';

insideWindow(import.meta.filename);

const today = new Date('2026-11-21T15:00:00Z');
/** Where it is midnight by then. */
const inTokyo = <T>(run: () => T): T => inZone('Asia/Tokyo', run);

describe('a filter', () => {
  it('names its days as dates, whatever words were typed', () => {
    assert.deepEqual(
      [
        filtering({ since: '2026-11-02' }, today).label,
        filtering({ until: '2026-11-13' }, today).label,
        filtering({ since: '2026-11-02', until: '2026-11-02' }, today).label,
        filtering({ since: '2026-11-02', until: '2026-11-13' }, today).label.replaceAll(/\s/g, ' '),
      ],
      ['since Nov 2, 2026', 'until Nov 13, 2026', 'Nov 2, 2026', 'Nov 2 – 13, 2026'],
    );
    const label = inTokyo(() => filtering({ since: '3 days ago' }, today).label);
    assert.equal(label, 'since Nov 19, 2026', 'by the clock of the window');
  });

  it('requests the filters that the instance supports, by its names', () => {
    const filter: FeedFilter = { actions: ['pushed'], types: ['merge_request'], order: 'asc', author: 'ada' };
    assert.deepEqual(filtering(filter, today).asked, { action: 'pushed', target_type: 'merge_request', sort: 'asc' });
    assert.deepEqual(filtering({}, today).asked, {});
    // Of several it knows none: they are tested here.
    assert.deepEqual(filtering({ actions: ['pushed', 'merged'], types: ['issue', 'note'] }, today).asked, {});
  });

  it('asks for one more day at either side, because limits exclude their day and calendars differ', () => {
    const asked = inTokyo(() => filtering({ since: 'last week', until: '2026-11-18' }, today).asked);
    assert.deepEqual(asked, { after: '2026-11-07', before: '2026-11-20' });
  });

  it('lets pass what happened on its days by the calendar of the reader', () => {
    const isShown = filtering({ since: '2026-11-20', until: '2026-11-20' }, today).passes;
    const at = (created_at: string) => inTokyo(() => isShown(event({ created_at })));
    assert.equal(at('2026-11-19T14:59:59.999Z'), false);
    assert.equal(at('2026-11-19T15:00:00.000Z'), true, 'midnight in Tokyo');
    assert.equal(at('2026-11-20T14:59:59.999Z'), true);
    assert.equal(at('2026-11-20T15:00:00.000Z'), false);
    assert.equal(at('2026-11-21T01:00:00.000+10:00'), false, 'an offset counts');
    assert.equal(at('some day'), true, 'what is wrong with an event never hides it');
    assert.equal(filtering({ since: '2026-11-20' }, today).passes(event({ created_at: '9999-12-30T00:00:00Z' })), true);
  });

  it('combines conditions', () => {
    const isShown = filtering({ author: 'ada', project: { id: 7, path: 'a/b' }, kind: 'opened Issue' }, today).passes;
    assert.equal(isShown(event()), true);
    assert.equal(isShown(event({ author: { id: 2, username: 'bo', name: 'Bo' } })), false);
    assert.equal(isShown(event({ project_id: 8 })), false);
    assert.equal(isShown(event({ action_name: 'closed' })), false);
  });

  it('lets pass any of several actions and types, by the words of records', () => {
    const isShown = filtering({ actions: ['pushed', 'merged', 'created'] }, today).passes;
    const push_data = { action: 'removed' };
    for (const [fields, isExpected] of [
      [{ action_name: 'deleted', push_data }, true],
      [{ action_name: 'accepted', target_type: 'MergeRequest' }, true],
      [{ action_name: 'opened' }, true],
      [{ action_name: 'closed' }, false],
    ] as const) {
      assert.equal(isShown(event(fields)), isExpected, JSON.stringify(fields));
    }
    const ofTypes = filtering({ types: ['issue', 'note'] }, today).passes;
    const note = { id: 1, body: '', noteable_type: 'MergeRequest' };
    assert.ok(ofTypes(event({ target_type: 'WorkItem' })) && ofTypes(event({ target_type: 'DiffNote', note })));
    assert.ok(!ofTypes(event({ target_type: 'MergeRequest' })) && !ofTypes(event({ target_type: null, push_data })));
  });

  it('is the same whatever the order in which it was put together', () => {
    assert.equal(filtering({ kind: 'a', since: 'b' }).id, filtering({ since: 'b', kind: 'a' }).id);
    assert.notEqual(filtering({ actions: ['a'] }).id, filtering({ actions: ['b'] }).id);
    assert.ok(filtering({ actions: [], types: [] }).isEmpty);
    assert.ok(!filtering({ order: 'asc' }).isEmpty);
  });

  it('is remembered, without what is none of its conditions', () => {
    const project = { id: 7, path: 'a/b' };
    const filter: FeedFilter = { actions: ['a'], since: 'last week', order: 'asc', project };
    assert.deepEqual(remembered(filter), filter);
    assert.deepEqual(remembered({ actions: 7, types: [7], order: 'up', project: 'x', colour: 'red', until: 'today' }), {
      until: 'today',
    });
    assert.deepEqual(remembered({ since: '2026-02-31', until: 'some day' }), {}, 'there are no such days');
    for (const odd of [undefined, null, 7, 'x', []]) {
      assert.deepEqual(remembered(odd), {});
    }
  });
});
