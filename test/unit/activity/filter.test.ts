import assert from 'node:assert/strict';
import {
  type FeedFilter,
  filterLabel,
  filterId,
  isEmptyFilter,
  passes,
  readFilter,
  requestFilter,
} from '../../../src/activity/feed/filter.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { inZone } from '../../support/zone.ts';

const today = new Date('2026-11-21T15:00:00Z');
/** Where it is midnight by then. */
const inTokyo = <T>(run: () => T): T => inZone('Asia/Tokyo', run);
const event = (fields: Partial<EventRecord> = {}): EventRecord => ({
  id: 1,
  project_id: 7,
  action_name: 'opened',
  target_type: 'Issue',
  author_username: 'ada',
  created_at: '2026-11-20T12:00:00.000Z',
  ...fields,
});

describe('a filter', () => {
  it('names its days as dates, whatever words were typed', () => {
    assert.deepEqual(
      [
        filterLabel({ since: '2026-11-02' }, today),
        filterLabel({ until: '2026-11-13' }, today),
        filterLabel({ since: '2026-11-02', until: '2026-11-02' }, today),
        filterLabel({ since: '2026-11-02', until: '2026-11-13' }, today).replaceAll(/\s/g, ' '),
      ],
      ['since Nov 2, 2026', 'until Nov 13, 2026', 'Nov 2, 2026', 'Nov 2 – 13, 2026'],
    );
    const label = inTokyo(() => filterLabel({ since: '3 days ago' }, today));
    assert.equal(label, 'since Nov 19, 2026', 'by the clock of the window');
  });

  it('requests the filters that the instance supports, by its names', () => {
    const filter: FeedFilter = {
      actions: ['pushed'],
      types: ['merge_request'],
      order: 'asc',
      author: 'ada',
    };
    assert.deepEqual(requestFilter(filter, today), { action: 'pushed', target_type: 'merge_request', sort: 'asc' });
    assert.deepEqual(requestFilter({}, today), {});
    // Of several it knows none: they are tested here.
    assert.deepEqual(requestFilter({ actions: ['pushed', 'merged'], types: ['issue', 'note'] }, today), {});
  });

  it('asks for one more day at either side, because limits exclude their day and calendars differ', () => {
    const asked = inTokyo(() => requestFilter({ since: 'last week', until: '2026-11-18' }, today));
    assert.deepEqual(asked, { after: '2026-11-07', before: '2026-11-20' });
  });

  it('lets pass what happened on its days by the calendar of the reader', () => {
    const isShown = passes({ since: '2026-11-20', until: '2026-11-20' }, today);
    const at = (created_at: string) => inTokyo(() => isShown(event({ created_at })));
    assert.equal(at('2026-11-19T14:59:59.999Z'), false);
    assert.equal(at('2026-11-19T15:00:00.000Z'), true, 'midnight in Tokyo');
    assert.equal(at('2026-11-20T14:59:59.999Z'), true);
    assert.equal(at('2026-11-20T15:00:00.000Z'), false);
    assert.equal(at('2026-11-21T01:00:00.000+10:00'), false, 'an offset counts');
    assert.equal(at('some day'), true, 'what is wrong with an event never hides it');
    assert.equal(passes({ since: '2026-11-20' }, today)(event({ created_at: '9999-12-30T00:00:00Z' })), true);
  });

  it('evaluates relative days again each day', () => {
    const filter = { since: 'today' };
    const isShown = (on: typeof today) =>
      inTokyo(() => passes(filter, on)(event({ created_at: '2026-11-21T20:00:00Z' })));
    assert.equal(isShown(today), true);
    const tomorrow = new Date('2026-11-23T15:00:00Z');
    assert.equal(isShown(tomorrow), false);
  });

  it('combines conditions', () => {
    const isShown = passes({ author: 'ada', project: { id: 7, path: 'a/b' }, kind: 'opened Issue' }, today);
    assert.equal(isShown(event()), true);
    assert.equal(isShown(event({ author_username: 'bo' })), false);
    assert.equal(isShown(event({ project_id: 8 })), false);
    assert.equal(isShown(event({ action_name: 'closed' })), false);
  });

  it('lets pass any of several actions and types, by the words of records', () => {
    const isShown = passes({ actions: ['pushed', 'merged', 'created'] }, today);
    const push_data = { action: 'removed' };
    for (const [fields, isExpected] of [
      [{ action_name: 'deleted', push_data }, true],
      [{ action_name: 'accepted', target_type: 'MergeRequest' }, true],
      [{ action_name: 'opened' }, true],
      [{ action_name: 'closed' }, false],
    ] as const) {
      assert.equal(isShown(event(fields)), isExpected, JSON.stringify(fields));
    }
    const ofTypes = passes({ types: ['issue', 'note'] }, today);
    const note = { id: 1, body: '', noteable_type: 'MergeRequest' };
    assert.ok(ofTypes(event({ target_type: 'WorkItem' })) && ofTypes(event({ target_type: 'DiffNote', note })));
    assert.ok(!ofTypes(event({ target_type: 'MergeRequest' })) && !ofTypes(event({ target_type: null, push_data })));
  });

  it('is the same whatever the order in which it was put together', () => {
    assert.equal(filterId({ kind: 'a', since: 'b' }), filterId({ since: 'b', kind: 'a' }));
    assert.notEqual(filterId({ actions: ['a'] }), filterId({ actions: ['b'] }));
    assert.ok(isEmptyFilter({ actions: [], types: [] }));
    assert.ok(!isEmptyFilter({ order: 'asc' }));
  });

  it('is remembered, without what is none of its conditions', () => {
    const filter: FeedFilter = {
      actions: ['a'],
      since: 'last week',
      order: 'asc',
      project: { id: 7, path: 'a/b' },
    };
    assert.deepEqual(readFilter(JSON.parse(JSON.stringify(filter))), filter);
    assert.deepEqual(readFilter({ actions: 7, types: [7], order: 'up', project: 'x', colour: 'red', until: 'today' }), {
      until: 'today',
    });
    assert.deepEqual(readFilter({ since: '2026-02-31', until: 'some day' }), {}, 'there are no such days');
    for (const odd of [undefined, null, 7, 'x', []]) {
      assert.deepEqual(readFilter(odd), {});
    }
  });
});
