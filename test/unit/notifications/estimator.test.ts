import assert from 'node:assert/strict';
import { notificationEvents } from '../../../src/api/notificationVocabulary.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import { causesOf, estimateNoise, sumOfNoise, unestimatedEvents } from '../../../src/notifications/noise/estimator.ts';

const me = { id: 101, username: 'marta' };
const colleague = { id: 102, name: 'Tomasz', username: 'tomasz' };
let nextId = 1;

/** An event of a colleague in project 501, one minute after the one before. */
function event(fields: Partial<EventRecord>): EventRecord {
  nextId += 1;
  const created_at = new Date(nextId * 60_000).toISOString();
  return {
    id: nextId,
    project_id: 501,
    author_id: 102,
    author: colleague,
    action_name: 'opened',
    created_at,
    ...fields,
  };
}

function issue(action: string, target = 9, fields: Partial<EventRecord> = {}): EventRecord {
  return event({ action_name: action, target_type: 'Issue', target_id: target, ...fields });
}

function comment(body: string, noteableId = 9, fields: Partial<EventRecord> = {}): EventRecord {
  const note = { id: 1, body, created_at: '', noteable_type: 'Issue', noteable_id: noteableId };
  return event({ action_name: 'commented on', target_type: 'Note', target_id: 1, note, ...fields });
}

const mine = { author_id: me.id };

describe('the estimate of notification noise', () => {
  const push = (fields: object) => ({ action_name: 'pushed to', push_data: { ref_type: 'branch', ...fields } });
  const rows: readonly [name: string, fields: Partial<EventRecord>, mails: readonly string[]][] = [
    ['an opened issue', { target_type: 'Issue' }, ['new_issue']],
    ['an opened work item', { target_type: 'WorkItem' }, ['new_issue']],
    ['a closed issue', { target_type: 'Issue', action_name: 'closed' }, ['close_issue']],
    ['a reopened issue', { target_type: 'Issue', action_name: 'reopened' }, ['reopen_issue']],
    ['an opened merge request', { target_type: 'MergeRequest' }, ['new_merge_request', 'approver?']],
    ['a closed merge request', { target_type: 'MergeRequest', action_name: 'closed' }, ['close_merge_request']],
    ['a reopened merge request', { target_type: 'MergeRequest', action_name: 'reopened' }, ['reopen_merge_request']],
    ['a merged one', { target_type: 'MergeRequest', action_name: 'accepted' }, ['merge_merge_request']],
    ['an approved one', { target_type: 'MergeRequest', action_name: 'approved' }, ['no event']],
    ['an opened epic, which belongs to no project', { target_type: 'Epic' }, []],
    ['a comment', { note: { id: 1, body: '', created_at: '' } }, ['new_note']],
    ['a system note', { note: { id: 1, body: '', created_at: '', system: true } }, []],
    ['a push to a topic branch', push({ action: 'pushed', ref: 'topic' }), ['push_to_merge_request?']],
    ['a push to main', push({ action: 'pushed', ref: 'main' }), []],
    ['a new branch', push({ action: 'created', ref: 'topic' }), []],
    ['a pushed tag', push({ action: 'pushed', ref: 'v1', ref_type: 'tag' }), []],
    ['a milestone', { target_type: 'Milestone' }, []],
    ['a joined member', { action_name: 'joined', target_type: null }, []],
    ['an action that came later', { action_name: 'frobnicated', target_type: 'Issue' }, []],
  ];
  for (const [name, fields, mails] of rows) {
    it(`${name}: ${mails.join(', ') || 'no mail'}`, () => {
      const causes = causesOf(event(fields), false);
      assert.deepEqual(
        causes.map(({ event: kind, isGuess }) => `${kind ?? 'no event'}${isGuess ? '?' : ''}`),
        mails,
      );
    });
  }

  it('reports for every documented event either a count or that no feed contains it', () => {
    const found = rows.flatMap(([, fields]) => causesOf(event(fields), false).flatMap(({ event: kind }) => kind ?? []));
    assert.deepEqual([...new Set([...found, ...unestimatedEvents])].sort(), [...notificationEvents].sort());
  });

  const only = (events: readonly EventRecord[]) => {
    const [noise] = estimateNoise(events, me);
    assert.ok(noise);
    return noise;
  };

  it('takes what is opened after it was closed for reopened', () => {
    const { events } = only([issue('opened'), issue('closed'), issue('opened'), issue('opened', 10)]);
    assert.deepEqual(
      [...events].map(([kind, { mails }]) => [kind, mails]),
      [
        ['new_issue', 2],
        ['close_issue', 1],
        ['reopen_issue', 1],
      ],
    );
  });

  it('mails nothing about what the user did', () => {
    assert.deepEqual(only([issue('opened', 9, mine), comment('@marta', 9, mine)]).levels, {
      ...{ watch: 0, participating: 0, mention: 0 },
    });
  });

  it('counts threads from the moment that the user takes part, in the order of time', () => {
    const before = comment('early');
    const part = comment('me too', 9, mine);
    const after = [comment('late'), issue('closed'), comment('elsewhere', 10)];
    assert.deepEqual(only([...after, part, before, before]).levels, { watch: 4, participating: 2, mention: 0 });
  });

  const mentions: readonly [body: string, isMention: boolean][] = [
    ['ping @marta!', true],
    ['@MARTA', true],
    ['(@marta)', true],
    ['@all please look', true],
    ['@martak', false],
    ['@marta-k', false],
    ['ada@marta', false],
    ['marta', false],
  ];
  for (const [body, isMention] of mentions) {
    it(`${body}: ${isMention ? 'is a mention, after which the user takes part' : 'is none'}`, () => {
      const { levels } = only([comment(body), comment('and more')]);
      assert.deepEqual(levels, {
        watch: 2,
        ...(isMention ? { participating: 2, mention: 1 } : { participating: 0, mention: 0 }),
      });
    });
  }

  it('keeps upper bounds out of the levels and marks them', () => {
    const fields = { push_data: { ref_type: 'branch', ref: 'topic', action: 'pushed' } };
    const noise = only([event(fields), event(fields)]);
    assert.deepEqual(noise.levels, { watch: 0, participating: 0, mention: 0 });
    assert.deepEqual(noise.events.get('push_to_merge_request'), { mails: 2, isAtMost: true, participating: 0 });
  });

  it('distinguishes projects, leaves out what belongs to none, and sums up groups', () => {
    const noise = estimateNoise(
      [issue('opened'), issue('opened', 9, { project_id: 502 }), issue('opened', 9, { project_id: null })],
      me,
    );
    assert.deepEqual(
      noise.map(({ projectId, levels }) => [projectId, levels.watch]),
      [
        [501, 1],
        [502, 1],
      ],
    );
    const sum = sumOfNoise(noise);
    assert.equal(sum.levels.watch, 2);
    assert.deepEqual(sum.events.get('new_issue'), { mails: 2, isAtMost: false, participating: 0 });
  });
});
