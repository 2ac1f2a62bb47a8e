import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { EventRecord } from '../../../src/api/events.ts';
import { notificationEvents } from '../../../src/api/notificationVocabulary.ts';
import {
  type Counts,
  estimateNoise,
  mailsOfNoise,
  sumOfNoise,
  unestimatedEvents,
} from '../../../src/notifications/noise/estimator.ts';
import {
  loudness,
  type Mails,
  mailsLabel,
  mailsOfEvent,
  mailsOfLevel,
  sumOfMails,
  unknownMails,
} from '../../../src/notifications/noise/mails.ts';
import type { Flag } from '../../../src/notifications/settings/settings.ts';
import { hostileText, runs } from '../../support/properties.ts';

const me = { id: 1, username: 'marta' };
const english = {
  t: (message: string, ...args: (string | number)[]) => message.replace(/\{(\d)\}/g, (_, i) => String(args[Number(i)])),
};
const label = (mails: Mails): string => mailsLabel(mails, english, 'en');

/** Two weeks of a project: what others did and what the user did, in threads and out of them. */
const record = fc.record({
  kind: fc.constantFrom('comment', 'mention', 'opened', 'closed', 'request', 'push', 'other'),
  thread: fc.integer({ min: 1, max: 3 }),
  author: fc.integer({ min: 1, max: 3 }),
});

function recordsOf(made: readonly { kind: string; thread: number; author: number }[]): EventRecord[] {
  return made.map(({ kind, thread, author }, index) => {
    const event = {
      ...{ id: index + 1, project_id: 501, author_id: author, created_at: new Date(index * 60_000).toISOString() },
      author: { id: author, name: '', username: `user${author}` },
    };
    const note = { id: 1, created_at: '', noteable_type: 'Issue', noteable_id: thread };
    switch (kind) {
      case 'comment':
        return { ...event, action_name: 'commented on', note: { ...note, body: 'well' } };
      case 'mention':
        return { ...event, action_name: 'commented on', note: { ...note, body: 'ping @marta' } };
      case 'opened':
      case 'closed':
        return { ...event, action_name: kind, target_type: 'Issue', target_id: thread };
      case 'request':
        return { ...event, action_name: 'opened', target_type: 'MergeRequest', target_id: thread };
      case 'push':
        return {
          ...event,
          action_name: 'pushed to',
          push_data: { action: 'pushed', ref_type: 'branch', ref: 'topic' },
        };
      default:
        return { ...event, action_name: 'joined' };
    }
  });
}

function countsOf(events: readonly EventRecord[]): Counts {
  return sumOfNoise(estimateNoise(events, me));
}

const whole = { isWhole: true, isCut: false };
const flags = (on: readonly string[]): Readonly<Record<string, Flag>> =>
  Object.fromEntries(notificationEvents.map((event) => [event, on.includes(event) ? 'on' : 'off']));

describe('e-mails a week', () => {
  it('are half of what one counts by hand in the records of two weeks', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), (made) => {
        const mails = mailsOfNoise(countsOf(recordsOf(made)), whole);
        const ofOthers = made.filter(({ author }) => author !== me.id);
        const count = (...kinds: string[]): number => ofOthers.filter(({ kind }) => kinds.includes(kind)).length / 2;
        const exactly = (number: number): object => ({ least: number, most: number });
        const comments = count('comment', 'mention');
        assert.deepEqual(mails.levels.watch, exactly(comments + count('opened', 'closed', 'request')));
        assert.deepEqual(mails.levels.mention, exactly(count('mention')));
        const { least, most } = mailsOfEvent('new_note', mails.events);
        assert.deepEqual([least, most], [comments, comments]);
        const push = mailsOfEvent('push_to_merge_request', mails.events);
        assert.deepEqual([push.least, push.most], [0, count('push')]);
        const requests = mailsOfEvent('new_merge_request', mails.events);
        assert.deepEqual([requests.least, requests.most], [count('request'), count('request')]);
      }),
      runs(200),
    );
  });

  it('of the level Custom are those of Participate and, once each, those of the events that are on', () => {
    const all = [...notificationEvents];
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), fc.subarray(all), (made, on) => {
        const records = recordsOf(made);
        const mails = mailsOfNoise(countsOf(records), whole);
        const known = on.filter((event) => !unestimatedEvents.includes(event) && event !== 'approver');
        const total = mailsOfLevel({ level: 'custom', flags: flags(known) }, mails);
        // Each thread is followed by hand, in the order of time.
        const threads = new Set<string>();
        const closed = new Set<number>();
        let [least, guesses] = [0, 0];
        for (const { kind, thread, author } of made) {
          const key = `${kind === 'request' ? 'request' : 'issue'} ${thread}`;
          const isOfThread = !['push', 'other'].includes(kind);
          const event = {
            ...{ comment: 'new_note', mention: 'new_note', closed: 'close_issue', request: 'new_merge_request' },
            ...{
              push: 'push_to_merge_request',
              opened: closed.has(thread) ? 'reopen_issue' : 'new_issue',
              other: undefined,
            },
          }[kind];
          if (kind === 'closed') {
            closed.add(thread);
          } else if (kind === 'opened') {
            closed.delete(thread);
          }
          if (author !== me.id && event) {
            const isOn = known.some((one) => one === event);
            const takesPart = isOfThread && (threads.has(key) || kind === 'mention');
            guesses += kind === 'push' && isOn ? 1 : 0;
            least += kind !== 'push' && (isOn || takesPart) ? 1 : 0;
          }
          if (isOfThread && (author === me.id || kind === 'mention')) {
            threads.add(key);
          }
        }
        assert.deepEqual(total, { least: least / 2, most: (least + guesses) / 2 });
      }),
      runs(200),
    );
  });

  it('change with each switch by what that event adds, and are open where its state is unknown', () => {
    const records = recordsOf([
      { kind: 'opened', thread: 1, author: 2 },
      { kind: 'opened', thread: 2, author: 2 },
      { kind: 'comment', thread: 1, author: 2 },
      { kind: 'closed', thread: 2, author: 3 },
    ]);
    const mails = mailsOfNoise(countsOf(records), whole);
    const total = (changed: Readonly<Record<string, Flag>>): string =>
      label(mailsOfLevel({ level: 'custom', flags: { ...flags([]), ...changed } }, mails));
    assert.equal(total({}), 'none');
    assert.equal(total({ new_issue: 'on' }), 'about 1 a week');
    assert.equal(total({ new_issue: 'on', new_note: 'on' }), 'about 1.5 a week');
    assert.equal(total({ new_issue: 'on', new_note: 'unknown' }), '1 to 1.5 a week');
    assert.equal(total({ new_note: 'default' }), 'at most 0.5 a week');
    assert.equal(total({ new_issue: 'on', failed_pipeline: 'on' }), 'at least 1 a week');
    assert.equal(total({ failed_pipeline: 'on' }), 'unknown');
    assert.equal(total({ service_account_failed_pipeline: 'on' }), 'unknown');
    assert.equal(label(mailsOfLevel({ level: 'watch', flags: {} }, mails)), 'about 2 a week');
    assert.equal(label(mailsOfLevel({ level: 'disabled', flags: {} }, mails)), 'none');
  });

  it('are unknown, never zero, where no feed tells of an event', () => {
    const nothing = mailsOfNoise(countsOf([]), whole);
    for (const event of notificationEvents) {
      const { least, most } = mailsOfEvent(event, nothing.events);
      assert.deepEqual([least, most], [0, unestimatedEvents.includes(event) ? undefined : 0], event);
    }
  });

  it('of merge requests and comments are known only by the feed of the project itself', () => {
    const records = recordsOf([
      { kind: 'request', thread: 1, author: 2 },
      { kind: 'comment', thread: 1, author: 2 },
      { kind: 'opened', thread: 1, author: 2 },
    ]);
    const byAll = mailsOfNoise(countsOf(records.slice(1)), { isWhole: false, isCut: false });
    const words = (event: string): string => label(mailsOfEvent(event, byAll.events));
    assert.equal(words('new_merge_request'), 'unknown');
    assert.equal(words('approver'), 'unknown');
    assert.equal(words('push_to_merge_request'), 'none');
    assert.equal(words('new_note'), 'at least 0.5 a week');
    assert.equal(words('new_issue'), 'about 0.5 a week');
    assert.equal(label(byAll.levels.watch), 'at least 1 a week');
    const byOwn = mailsOfNoise(countsOf(records), whole);
    assert.equal(label(mailsOfEvent('new_merge_request', byOwn.events)), 'about 0.5 a week');
    assert.equal(label(mailsOfEvent('approver', byOwn.events)), 'at most 0.5 a week');
    const cut = mailsOfNoise(countsOf(records), { isWhole: true, isCut: true });
    assert.equal(label(cut.levels.watch), 'at least 1.5 a week');
    assert.equal(label(mailsOfEvent('approver', cut.events)), 'unknown', 'nothing is an upper bound of a part');
  });

  it('are unknown for levels and events of any other name', () => {
    const mails = mailsOfNoise(countsOf(recordsOf([{ kind: 'comment', thread: 1, author: 2 }])), whole);
    const names = fc.oneof(hostileText, fc.constantFrom('__proto__', 'constructor', 'toString', 'levels', 'global'));
    const known: readonly string[] = ['watch', 'participating', 'mention', 'disabled', 'custom', ...notificationEvents];
    fc.assert(
      fc.property(names, (name) => {
        fc.pre(!known.includes(name));
        assert.deepEqual(mailsOfLevel({ level: name, flags: {} }, mails), unknownMails);
        assert.deepEqual(mailsOfEvent(name, mails.events), { least: 0, participating: 0 });
        assert.equal(mailsOfLevel({ level: 'custom', flags: { [`x_${name}`]: 'on' } }, mails).most, undefined);
      }),
      runs(300),
    );
  });

  it('add up, and are ordered by the most that is known', () => {
    assert.deepEqual(sumOfMails([]), { least: 0, most: 0 });
    assert.deepEqual(
      sumOfMails([
        { least: 1, most: 2 },
        { least: 3, most: 3 },
      ]),
      { least: 4, most: 5 },
    );
    assert.deepEqual(sumOfMails([{ least: 1, most: 2 }, { least: 3 }]), { least: 4, most: undefined });
    assert.deepEqual([{ least: 1, most: 2 }, { least: 3 }, { least: 0, most: 0 }, unknownMails].map(loudness), [
      ...[2, 3, 0],
      undefined,
    ]);
    assert.equal(label({ least: 12.5, most: 12.5 }), 'about 13 a week');
    assert.equal(mailsLabel({ least: 1234.5, most: 1234.5 }, english, 'de'), 'about 1.235 a week');
  });
});
