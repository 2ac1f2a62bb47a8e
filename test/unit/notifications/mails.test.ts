import assert from 'node:assert/strict';
import type { EventRecord } from '../../../src/api/events.ts';
import { notificationEvents } from '../../../src/api/notificationVocabulary.ts';
import { mailsFor } from './notificationSettings.ts';

const me = { id: 101, username: 'marta' };
const mine = { author_id: me.id };
let nextId = 1;

/** An event of a colleague in project 501, one minute after the one before. */
function event(fields: Partial<EventRecord>): EventRecord {
  nextId += 1;
  const author = { id: 102, name: 'Tomasz', username: 'tomasz' };
  const created_at = new Date(nextId * 60_000).toISOString();
  return { id: nextId, project_id: 501, author_id: 102, author, action_name: 'opened', created_at, ...fields };
}

function issue(action: string, target = 9, fields: Partial<EventRecord> = {}): EventRecord {
  return event({ action_name: action, target_type: 'Issue', target_id: target, ...fields });
}

function comment(body: string, noteableId = 9, fields: Partial<EventRecord> = {}): EventRecord {
  const note = { id: 1, body, created_at: '', noteable_type: 'Issue', noteable_id: noteableId };
  return event({ action_name: 'commented on', target_type: 'Note', target_id: 1, note, ...fields });
}

/** E-mails of events of two weeks, by level and by event. */
function counted(...events: readonly EventRecord[]) {
  const { names, byLevel, byEvent } = mailsFor(events, me);
  const [watch, participating, mention] = ['watch', 'participating', 'mention'].map(
    (level) => 2 * (byLevel({ level }) ?? NaN),
  );
  const levels = { watch, participating, mention };
  return { levels, byLevel, byEvent, events: names.filter((name) => name !== 'approved') };
}

describe('the estimate of e-mails', () => {
  const push = (fields: object) => ({ action_name: 'pushed to', push_data: { ref_type: 'branch', ...fields } });
  const rows: readonly [name: string, fields: Partial<EventRecord>, sent: string | undefined][] = [
    ['an opened issue', { target_type: 'Issue' }, 'new_issue'],
    ['an opened work item', { target_type: 'WorkItem' }, 'new_issue'],
    ['a closed issue', { target_type: 'Issue', action_name: 'closed' }, 'close_issue'],
    ['a reopened issue', { target_type: 'Issue', action_name: 'reopened' }, 'reopen_issue'],
    ['an opened merge request', { target_type: 'MergeRequest' }, 'new_merge_request'],
    ['a closed merge request', { target_type: 'MergeRequest', action_name: 'closed' }, 'close_merge_request'],
    ['a reopened merge request', { target_type: 'MergeRequest', action_name: 'reopened' }, 'reopen_merge_request'],
    ['a merged one', { target_type: 'MergeRequest', action_name: 'accepted' }, 'merge_merge_request'],
    ['an approved one', { target_type: 'MergeRequest', action_name: 'approved' }, ''],
    ['a comment', { note: { id: 1, body: '', created_at: '' } }, 'new_note'],
    ['a system note', { note: { id: 1, body: '', created_at: '', system: true } }, undefined],
    ['a push', push({ action: 'pushed', ref: 'topic' }), undefined],
    ['a milestone', { target_type: 'Milestone' }, undefined],
    ['a joined member', { action_name: 'joined', target_type: null }, undefined],
    ['an action that came later', { action_name: 'frobnicated', target_type: 'Issue' }, undefined],
  ];
  for (const [name, fields, sent] of rows) {
    it(`counts ${name} ${sent === undefined ? 'as none' : sent === '' ? 'by the level alone' : `as ${sent}`}`, () => {
      const { levels, events } = counted(event(fields));
      assert.equal(levels.watch, sent === undefined ? 0 : 1);
      assert.deepEqual(events, sent ? [sent] : []);
    });
  }

  it('gives every event of the spec a number, or a dash where no feed tells of it', () => {
    const found = rows.flatMap(([, , sent]) => (sent ? [sent] : []));
    const { byEvent } = counted(issue('opened'));
    for (const name of notificationEvents) {
      assert.equal(byEvent(name) !== undefined, found.includes(name), name);
    }
    assert.equal(byEvent('new_issue'), 0.5, 'a week of two');
    assert.equal(byEvent('constructor'), undefined);
  });

  it('takes what is opened after it was closed for reopened', () => {
    const { events } = counted(issue('opened'), issue('closed'), issue('opened'), issue('opened', 10));
    assert.deepEqual(events, ['new_issue', 'close_issue', 'reopen_issue', 'new_issue']);
  });

  it('counts nothing that the user did, and threads from the moment that they take part, in the order of time', () => {
    assert.equal(counted(issue('opened', 9, mine), comment('@marta', 9, mine)).levels.watch, 0);
    const before = comment('early');
    const part = comment('me too', 9, mine);
    const after = [comment('late'), issue('closed'), comment('elsewhere', 10)];
    assert.deepEqual(counted(...after, part, before, before).levels, { watch: 4, participating: 2, mention: 0 });
  });

  for (const [body, isMention] of [
    ['ping @marta!', true],
    ['@MARTA', true],
    ['(@marta)', true],
    ['@all please look', true],
    ['@martak', false],
    ['@marta-k', false],
    ['ada@marta', false],
    ['marta', false],
  ] as const) {
    it(`${body}: ${isMention ? 'is a mention, after which the user takes part' : 'is none'}`, () => {
      const { levels } = counted(comment(body), comment('and more'));
      assert.deepEqual([levels.participating, levels.mention], isMention ? [2, 1] : [0, 0]);
    });
  }

  it('adds what is on to what Participate sends, and is a dash where it is not shown whether that is on', () => {
    const all = [comment('@marta'), comment('more', 9), comment('other', 10), issue('opened', 11)];
    const { levels, byLevel } = counted(...all);
    const custom = (events: object): number | undefined => byLevel({ level: 'custom', ...events });
    assert.deepEqual(levels, { watch: 4, participating: 2, mention: 1 });
    assert.equal(custom({ new_note: true, new_issue: false }), 1.5);
    assert.equal(custom({ new_note: null, new_issue: true }), 1.5, 'a default sends none');
    assert.equal(custom({ new_note: true, new_issue: undefined }), undefined);
    assert.equal(custom({ new_note: true }), undefined);
    assert.equal(custom({ new_note: false, new_issue: false, failed_pipeline: undefined }), 1);
    const others = ['disabled', 'global', 'new_level'].map((level) => byLevel({ level }));
    assert.deepEqual(others, [0, undefined, undefined]);
  });
});
