import assert from 'node:assert/strict';
import { notificationEvents, notificationLevels } from '../../../src/api/notificationVocabulary.ts';
import { inheritedNames } from '../../support/properties.ts';
import { Form, sourceOf } from './notificationSettings.ts';

const kinds = ['global', 'group', 'project'] as const;
const custom = (events: Readonly<Record<string, boolean | null>>) => ({ level: 'custom', events });

describe('a change of notification settings', () => {
  for (const kind of kinds) {
    for (const level of notificationLevels) {
      it(`${kind}, ${level}: every event from what came to the form, and from the form to what is sent`, () => {
        for (const event of notificationEvents) {
          for (const value of [true, false, null, undefined]) {
            const events = level === 'custom' ? { new_epic: true, [event]: value } : undefined;
            const form = new Form(kind, { level, events });
            const shown = level === 'custom' ? value : undefined;
            assert.equal(form.settings[event], shown, `${event} ${value}`);
            for (const choice of [true, false]) {
              const chosen = form.choose({ [event]: choice });
              assert.equal(chosen.shown[event], choice);
              const isSent = level === 'custom' && shown !== choice;
              const { change, notes } = chosen.plan;
              assert.deepEqual(change, isSent ? { [event]: choice } : {}, `${event} ${value} to ${choice}`);
              const isLost = isSent && typeof value !== 'boolean';
              assert.deepEqual(notes, isLost ? [{ kind: 'notRestored', events: [event] }] : []);
              assert.deepEqual(chosen.heldBack, level === 'custom' ? [] : [event]);
              // With the change to custom in the same draft, both are sent in one request.
              if (level !== 'custom') {
                const both = chosen.choose({ level: 'custom' });
                assert.deepEqual(both.plan.change, { level: 'custom', [event]: choice });
              }
            }
            assert.deepEqual(form.choose({ [event]: true }, { [event]: null }).draft, {});
          }
        }
        for (const wanted of notificationLevels) {
          const { change } = new Form(kind, { level }).choose({ level: wanted }).plan;
          assert.deepEqual(change, wanted === level ? {} : { level: wanted });
        }
      });
    }
  }

  it('sends an address globally alone, without the space around it, and only if it is another', () => {
    const record = { level: 'watch', notification_email: 'ada@example.com' };
    const change = (kind: (typeof kinds)[number], email: string) =>
      new Form(kind, record).choose({ notification_email: email }).plan.change;
    assert.deepEqual(change('global', ' lovelace@example.com '), { notification_email: 'lovelace@example.com' });
    assert.deepEqual(change('global', 'ada@example.com '), {});
    assert.deepEqual(change('global', ''), { notification_email: '' });
    assert.deepEqual(change('project', 'lovelace@example.com'), {});
  });

  it('offers events that came later, no name that is none, and no more than a form can have rows for', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`new_event_${index}`, true]));
    const odd = Object.fromEntries(['<b>', ...inheritedNames].map((name) => [name, true]));
    const form = new Form('project', custom({ service_account_failed_pipeline: true, ...odd, ...many }));
    assert.equal(form.settings['service_account_failed_pipeline'], true);
    const later = form.events.filter((event) => !notificationEvents.some((known) => known === event));
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
      const form = new Form(kind, { level: 'custom', events });
      assert.equal(form.events.includes('new_epic'), isOffered);
      assert.equal('new_epic' in form.choose({ new_epic: true }).plan.change, isOffered);
    });
  }

  it('leaves in the draft what was chosen during a save or not sent, and nothing that already holds', () => {
    const form = new Form('project', { level: 'watch' }).choose({ level: 'custom', new_note: true, approver: true });
    const { change } = form.plan;
    const record = custom({ new_note: true, new_issue: null });
    const later = form.choose({ new_note: false, new_issue: true });
    assert.deepEqual(later.after(change, record).draft, { new_note: false, new_issue: true });
    assert.deepEqual(form.after(change, record).plan.change, {});
    const held = new Form('group', { level: 'watch' }).choose({ new_note: true, level: 'mention' });
    assert.deepEqual(held.after({ level: 'mention' }, { level: 'mention' }).draft, { new_note: true });
  });

  it('is in conflict with each field that is another than was read, unless that is what is wanted', () => {
    const record = { ...custom({ new_note: true, new_issue: false }), notification_email: 'a@example.com' };
    const form = new Form('global', record);
    assert.deepEqual(form.conflictsWith({ level: 'watch' }), ['level']);
    assert.deepEqual(form.conflictsWith({ level: 'watch' }, { level: 'watch' }), []);
    assert.deepEqual(form.conflictsWith({ notification_email: 'b@example.com' }), ['notification_email']);
    assert.deepEqual(form.conflictsWith({ new_note: false }), ['new_note']);
    assert.deepEqual(form.conflictsWith({ new_note: false }, { new_note: false }), []);
    assert.deepEqual(form.conflictsWith({ new_note: undefined }), []);
  });

  it('is compared with what holds then, and taken back as far as the platform allows', () => {
    const change = { level: 'watch', new_note: false, new_issue: true, approver: true };
    const form = new Form('project', custom({ new_note: true, new_issue: null }));
    assert.deepEqual(form.sent(change, custom({ new_note: false, new_issue: null })), {
      ...{ holding: ['new_note'], missing: ['level', 'new_issue'], unseen: ['approver'] },
      back: { level: 'custom', new_note: true },
      notes: [{ kind: 'kept', events: ['new_issue', 'approver'] }],
    });
  });

  it('to what a profile wants names what it leaves out', () => {
    const form = new Form('project', custom({ new_note: true, new_issue: false }));
    assert.deepEqual(form.planTo({ level: 'custom', new_note: null, new_issue: true, odd_event: true }), {
      change: { new_issue: true },
      notes: [{ kind: 'leftOut', events: ['new_note', 'odd_event'] }],
    });
  });
});

describe('what the level Global stands for', () => {
  for (const [name, groups, source] of [
    ['the nearest group with a level of its own', { 'a/b': 'watch', a: 'mention' }, 'group a/b watch'],
    ['the one around it, where the nearest has none', { 'a/b': 'global', a: 'mention' }, 'group a mention'],
    ['the global settings, where no group has one', { 'a/b': 'global', a: 'global' }, 'global participating'],
    ['the global settings, where a namespace is a user', { 'a/b': 'none', a: 'none' }, 'global participating'],
    ['nothing known, where a group is not', { a: 'mention' }, undefined],
  ] as const) {
    it(`is ${name}`, () => {
      assert.equal(sourceOf('global', groups), source);
      assert.equal(sourceOf('disabled', groups), 'project a/b/c disabled');
    });
  }
});
