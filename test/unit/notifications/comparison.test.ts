import assert from 'node:assert/strict';
import { differences, settingsOf, undoOf, verify } from '../../../src/notifications/settings/settings.ts';

const custom = (events: Record<string, boolean | null>) => settingsOf('project', { level: 'custom', events });

describe('the comparison of notification settings', () => {
  it('names the fields that differ, and none that is unknown on either side', () => {
    const before = custom({ new_note: true, new_issue: null, close_issue: false });
    const after = custom({ new_note: false, new_issue: null });
    assert.deepEqual(differences(before, after), [{ field: 'new_note', before: 'on', after: 'off' }]);
    assert.deepEqual(differences(before, settingsOf('project', { level: 'watch' })), [
      { field: 'level', before: 'custom', after: 'watch' },
    ]);
    const [one, other] = ['a@example.com', 'b@example.com'].map((email) =>
      settingsOf('global', { level: 'watch', notification_email: email }),
    );
    assert.ok(one && other);
    assert.deepEqual(differences(one, other), [
      { field: 'notification_email', before: 'a@example.com', after: 'b@example.com' },
    ]);
  });

  it('reports the outcome of each field of a change', () => {
    const change = { level: 'custom', new_note: true, new_issue: false, approver: true };
    assert.deepEqual(verify(change, custom({ new_note: true, new_issue: null })), {
      holding: ['level', 'new_note'],
      missing: ['new_issue'],
      unseen: ['approver'],
    });
    const global = settingsOf('global', { level: 'watch', notification_email: 'own@example.com' });
    assert.deepEqual(verify({ notification_email: '' }, global).holding, ['notification_email']);
    assert.deepEqual(verify({ notification_email: 'x@example.com' }, global).missing, ['notification_email']);
  });
});

describe('the undo of a save', () => {
  it('puts back what was known, and names what is lost: defaults and what could not be seen', () => {
    const before = custom({ new_note: false, new_issue: null });
    assert.deepEqual(undoOf(before, { level: 'custom', new_note: true, new_issue: true, approver: true }), {
      change: { level: 'custom', new_note: false },
      lost: ['new_issue', 'approver'],
    });
    const global = settingsOf('global', { level: 'mention', notification_email: 'a@example.com' });
    assert.deepEqual(undoOf(global, { level: 'watch', notification_email: 'b@example.com', new_note: true }), {
      change: { level: 'mention', notification_email: 'a@example.com' },
      lost: ['new_note'],
    });
  });
});
