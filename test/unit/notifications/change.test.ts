import assert from 'node:assert/strict';
import { notificationEvents, notificationLevels } from '../../../src/api/notificationVocabulary.ts';
import {
  applyEdit,
  changeOf,
  draftAfter,
  type Flag,
  heldBack,
  isEmptyChange,
  overwrittenDefaults,
  settingsOf,
  shownFlag,
  withoutFields,
} from '../../../src/notifications/settings/settings.ts';

const kinds = ['global', 'group', 'project'] as const;
const sent: Readonly<Record<Flag, boolean | null | undefined>> = {
  on: true,
  off: false,
  default: null,
  unknown: undefined,
};

describe('a change of notification settings', () => {
  for (const kind of kinds) {
    for (const level of notificationLevels) {
      it(`${kind}, ${level}: every event from what came to the form, and from the form to what is sent`, () => {
        for (const event of notificationEvents) {
          for (const [flag, value] of Object.entries(sent)) {
            const events = level === 'custom' ? { new_epic: true, [event]: value } : undefined;
            const settings = settingsOf(kind, { level, events });
            const shown = level === 'custom' ? flag : 'unknown';
            assert.equal(settings.flags[event], shown, `${event} ${flag}`);
            for (const choice of [true, false]) {
              const draft = applyEdit({}, { [event]: choice });
              assert.equal(shownFlag(settings, draft, event), choice ? 'on' : 'off');
              const holds = shown === (choice ? 'on' : 'off');
              const expected = level === 'custom' && !holds ? { [event]: choice } : {};
              assert.deepEqual(changeOf(settings, draft), expected, `${event} ${flag} to ${choice}`);
              assert.deepEqual(heldBack(settings, draft), level === 'custom' ? [] : [event]);
              assert.deepEqual(
                overwrittenDefaults(settings, expected),
                shown === 'default' && level === 'custom' ? [event] : [],
              );
              // With the change to custom in the same draft, both are sent in one request.
              if (level !== 'custom') {
                const both = applyEdit(draft, { level: 'custom' });
                assert.deepEqual(changeOf(settings, both), { level: 'custom', [event]: choice });
              }
            }
            const left = applyEdit(applyEdit({}, { [event]: true }), { [event]: null });
            assert.deepEqual(left, {});
          }
        }
      });

      it(`${kind}, ${level}: from each level to each other`, () => {
        for (const wanted of notificationLevels) {
          const settings = settingsOf(kind, { level });
          const change = changeOf(settings, applyEdit({}, { level: wanted }));
          assert.deepEqual(change, wanted === level ? {} : { level: wanted });
        }
      });
    }
  }

  it('sends an address globally alone, without the space around it, and only if it is another', () => {
    const record = { level: 'watch', notification_email: 'ada@example.com' };
    const change = (kind: (typeof kinds)[number], email: string) =>
      changeOf(settingsOf(kind, record), applyEdit({}, { notification_email: email }));
    assert.deepEqual(change('global', ' lovelace@example.com '), { notification_email: 'lovelace@example.com' });
    assert.deepEqual(change('global', 'ada@example.com '), {});
    assert.deepEqual(change('global', ''), { notification_email: '' });
    assert.deepEqual(change('project', 'lovelace@example.com'), {});
  });

  it('sends no event that the scope does not have', () => {
    const settings = settingsOf('group', { level: 'custom', events: { new_note: true } });
    assert.deepEqual(changeOf(settings, applyEdit({}, { new_epic: true })), {});
  });

  it('shows events that came later, and no name that is none', () => {
    const events = { service_account_failed_pipeline: true, constructor: true, '<b>': true, valueOf: null };
    const { flags } = settingsOf('project', { level: 'custom', events });
    assert.equal(flags['service_account_failed_pipeline'], 'on');
    assert.deepEqual(
      Object.keys(flags).filter((event) => !notificationEvents.some((known) => known === event)),
      ['service_account_failed_pipeline'],
    );
  });

  it('shows no more events than a form can have rows for', () => {
    const events = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`new_event_${index}`, true]));
    const { flags } = settingsOf('project', { level: 'custom', events });
    assert.equal(Object.keys(flags).filter((event) => event.startsWith('new_event_')).length, 100);
  });

  it('keeps what was chosen during a save, and nothing that already holds', () => {
    const before = settingsOf('project', { level: 'watch' });
    const draft = applyEdit(applyEdit({}, { level: 'custom' }), { new_note: true, approver: true });
    const saved = changeOf(before, draft);
    const later = applyEdit(draft, { new_note: false, new_issue: true });
    const after = settingsOf('project', { level: 'custom', events: { new_note: true, new_issue: null } });
    assert.deepEqual(draftAfter(later, saved, after), { new_note: false, new_issue: true });
    assert.ok(isEmptyChange(changeOf(after, draftAfter(draft, saved, after))));
  });

  it('keeps switches that were not sent, for when the level is custom again', () => {
    const settings = settingsOf('group', { level: 'watch' });
    const draft = applyEdit(applyEdit({}, { new_note: true }), { level: 'mention' });
    const after = settingsOf('group', { level: 'mention' });
    assert.deepEqual(draftAfter(draft, changeOf(settings, draft), after), { new_note: true });
  });

  it('gives up the choices for some fields', () => {
    const draft = { level: 'watch', notification_email: 'a@example.com', new_note: true, new_issue: false };
    assert.deepEqual(withoutFields(draft, ['level', 'new_note']), {
      notification_email: 'a@example.com',
      new_issue: false,
    });
    assert.deepEqual(withoutFields(draft, ['notification_email']), {
      level: 'watch',
      new_note: true,
      new_issue: false,
    });
  });
});

describe('the event new_epic', () => {
  const rows = [
    ['group', { new_epic: null }, true],
    ['group', { new_note: null }, false],
    ['group', undefined, true],
    ['project', { new_note: null }, true],
    ['global', undefined, true],
  ] as const;
  for (const [kind, events, isOffered] of rows) {
    it(`${kind}, ${JSON.stringify(events)}: is ${isOffered ? '' : 'not '}offered`, () => {
      assert.equal('new_epic' in settingsOf(kind, { level: 'custom', events }).flags, isOffered);
    });
  }
});
