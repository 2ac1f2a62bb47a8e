import assert from 'node:assert/strict';
import { notificationEvents, notificationLevels } from '../../../src/api/notificationVocabulary.ts';
import { effectOf } from '../../../src/notifications/scopes.ts';
import type { NotificationScope } from '../../../src/notifications/scope.ts';
import {
  applyEdit,
  changeOf,
  conflicts,
  draftAfter,
  eventsOf,
  heldBack,
  planFor,
  planOf,
  type Settings,
  settingsOf,
  undoOf,
  valueOf,
  verify,
  withChange,
} from '../../../src/notifications/settings.ts';
import { inheritedNames } from '../../support/properties.ts';

const kinds = ['global', 'group', 'project'] as const;
const scope: NotificationScope = { kind: 'project', accountId: 'ada', id: 1, path: 'a/b/c' };

describe('a change of notification settings', () => {
  for (const kind of kinds) {
    for (const level of notificationLevels) {
      it(`${kind}, ${level}: every event from what came to the form, and from the form to what is sent`, () => {
        for (const event of notificationEvents) {
          for (const value of [true, false, null, undefined]) {
            const events = level === 'custom' ? { new_epic: true, [event]: value } : undefined;
            const settings = settingsOf(kind, { level, events });
            const shown = level === 'custom' ? value : undefined;
            assert.equal(settings[event], shown, `${event} ${value}`);
            for (const choice of [true, false]) {
              const draft = applyEdit({}, { [event]: choice });
              assert.equal(valueOf(withChange(settings, draft), event), choice);
              const isSent = level === 'custom' && shown !== choice;
              const { change, notes } = planOf(scope, settings, draft);
              assert.deepEqual(change, isSent ? { [event]: choice } : {}, `${event} ${value} to ${choice}`);
              const isLost = isSent && typeof value !== 'boolean';
              assert.deepEqual(notes, isLost ? [{ kind: 'notRestored', events: [event] }] : []);
              assert.deepEqual(heldBack(settings, draft), level === 'custom' ? [] : [event]);
              // With the change to custom in the same draft, both are sent in one request.
              if (level !== 'custom') {
                const both = applyEdit(draft, { level: 'custom' });
                assert.deepEqual(changeOf(settings, both), { level: 'custom', [event]: choice });
              }
            }
            assert.deepEqual(applyEdit({ [event]: true }, { [event]: null }), {});
          }
        }
        for (const wanted of notificationLevels) {
          const change = changeOf(settingsOf(kind, { level }), { level: wanted });
          assert.deepEqual(change, wanted === level ? {} : { level: wanted });
        }
      });
    }
  }

  it('sends an address globally alone, without the space around it, and only if it is another', () => {
    const record = { level: 'watch', notification_email: 'ada@example.com' };
    const change = (kind: (typeof kinds)[number], email: string) =>
      changeOf(settingsOf(kind, record), { notification_email: email });
    assert.deepEqual(change('global', ' lovelace@example.com '), { notification_email: 'lovelace@example.com' });
    assert.deepEqual(change('global', 'ada@example.com '), {});
    assert.deepEqual(change('global', ''), { notification_email: '' });
    assert.deepEqual(change('project', 'lovelace@example.com'), {});
  });

  it('offers events that came later, no name that is none, and no more than a form can have rows for', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`new_event_${index}`, true]));
    const odd = Object.fromEntries(['<b>', ...inheritedNames].map((name) => [name, true]));
    const events = { service_account_failed_pipeline: true, ...odd, ...many };
    const settings = settingsOf('project', { level: 'custom', events });
    assert.equal(settings['service_account_failed_pipeline'], true);
    const later = eventsOf(settings).filter((event) => !notificationEvents.some((known) => known === event));
    assert.equal(later.length, 100);
    assert.ok(later.every((event) => /^(service_account|new_event)_/.test(event)));
  });

  for (const [kind, events, isOffered] of [
    ['group', { new_epic: null }, true],
    ['group', { new_note: null }, false],
    ['group', undefined, true],
    ['project', { new_note: null }, true],
    ['global', undefined, true],
  ] as const) {
    it(`${kind}, ${JSON.stringify(events)}: new_epic is ${isOffered ? '' : 'not '}offered`, () => {
      const settings = settingsOf(kind, { level: 'custom', events });
      assert.equal('new_epic' in settings, isOffered);
      assert.equal('new_epic' in changeOf(settings, { new_epic: true }), isOffered);
    });
  }

  it('leaves in the draft what was chosen during a save or not sent, and nothing that already holds', () => {
    const before = settingsOf('project', { level: 'watch' });
    const draft = { level: 'custom', new_note: true, approver: true };
    const saved = changeOf(before, draft);
    const after = settingsOf('project', { level: 'custom', events: { new_note: true, new_issue: null } });
    const later = applyEdit(draft, { new_note: false, new_issue: true });
    assert.deepEqual(draftAfter(later, saved, after), { new_note: false, new_issue: true });
    assert.deepEqual(changeOf(after, draftAfter(draft, saved, after)), {});
    const held = { new_note: true, level: 'mention' };
    assert.deepEqual(draftAfter(held, { level: 'mention' }, settingsOf('group', { level: 'mention' })), {
      new_note: true,
    });
  });

  const custom = (events: Record<string, boolean | null>): Settings =>
    settingsOf('project', { level: 'custom', events });

  it('is in conflict with each field that is another than was read, unless that is what is wanted', () => {
    const read = { ...custom({ new_note: true, new_issue: false }), notification_email: 'a@example.com' };
    const fieldsOf = (now: Settings, change = {}): readonly string[] =>
      conflicts(read, now, change).map(({ field }) => field);
    assert.deepEqual(fieldsOf({ ...read, level: 'watch' }), ['level']);
    assert.deepEqual(fieldsOf({ ...read, level: 'watch' }, { level: 'watch' }), []);
    assert.deepEqual(fieldsOf({ ...read, notification_email: 'b@example.com' }), ['notification_email']);
    assert.deepEqual(fieldsOf({ ...read, new_note: false }), ['new_note']);
    assert.deepEqual(fieldsOf({ ...read, new_note: false }, { new_note: false }), []);
    assert.deepEqual(fieldsOf({ ...read, new_note: undefined }), []);
  });

  it('is compared with what holds then, and taken back as far as the platform allows', () => {
    const before = custom({ new_note: true, new_issue: null });
    const change = { level: 'watch', new_note: false, new_issue: true, approver: true };
    assert.deepEqual(verify(change, custom({ new_note: false, new_issue: null })), {
      holding: ['new_note'],
      missing: ['level', 'new_issue'],
      unseen: ['approver'],
    });
    const { change: back, notes } = undoOf(scope, before, change, before);
    assert.deepEqual(back, { level: 'custom', new_note: true });
    assert.deepEqual(notes, [{ kind: 'kept', events: ['new_issue', 'approver'] }]);
  });

  it('to what a profile wants names what it leaves out', () => {
    const expected = custom({ new_note: true, new_issue: false });
    const wanted: Settings = { level: 'custom', new_note: null, new_issue: true, odd_event: true };
    const { change, notes } = planFor(scope, expected, wanted);
    assert.deepEqual(change, { new_issue: true });
    assert.deepEqual(notes, [{ kind: 'leftOut', events: ['new_note', 'odd_event'] }]);
  });
});

describe('what the level Global stands for', () => {
  const of = (level: string): Settings => ({ level });
  const rows: readonly (readonly [string, Record<string, Settings | 'none' | 'unknown'>, string])[] = [
    ['the nearest group with a level of its own', { 'a/b': of('watch'), a: of('mention') }, 'group a/b watch'],
    ['the one around it, where the nearest has none', { 'a/b': of('global'), a: of('mention') }, 'group a mention'],
    ['the global settings, where no group has one', { 'a/b': of('global'), a: of('global') }, 'global participating'],
    ['the global settings, where a namespace is a user', { 'a/b': 'none', a: 'none' }, 'global participating'],
    ['nothing known, where a group is not', { 'a/b': 'unknown', a: of('mention') }, 'unknown'],
    ['nothing known, where a group was not read', { a: of('mention') }, 'unknown'],
  ];
  for (const [name, groups, shown] of rows) {
    it(`is ${name}`, () => {
      const known = Object.entries(groups).flatMap(([path, group], id) => {
        const parent = { kind: 'group', accountId: 'ada', id, path } as const;
        return group === 'unknown' ? [] : [[path, group === 'none' ? group : parent] as const];
      });
      const settingsOf = (one: NotificationScope): Settings =>
        one.kind === 'global' ? of('participating') : (groups[one.path] as Settings);
      const sources = { parents: new Map(known), settingsOf };
      const { source, settings } = effectOf(scope, of('global'), sources) ?? {};
      const found = source && 'path' in source ? `group ${source.path}` : source?.kind;
      assert.equal(found ? `${found} ${settings?.level}` : 'unknown', shown);
      assert.equal(effectOf(scope, of('disabled'), sources)?.source, scope);
    });
  }
});
