import assert from 'node:assert/strict';
import { l10nOf } from '../../../src/common/l10n.ts';
import {
  laterNotificationEvents,
  notificationEvents,
  notificationLevels,
} from '../../../src/api/notificationVocabulary.ts';
import {
  changeLabels,
  groupBySubject,
  levelLabel,
  notificationEventLabel,
  scopeLabel,
} from '../../../src/notifications/settings/labels.ts';
import { scopeKey, settingsOf } from '../../../src/notifications/settings/settings.ts';

const l10n = l10nOf({});

describe('the labels of notification settings', () => {
  it('name and explain every level and every event differently', () => {
    const words = [
      ...notificationLevels.map((level) => levelLabel(level, l10n)),
      ...[...notificationEvents, ...laterNotificationEvents].map((event) => notificationEventLabel(event, l10n)),
    ];
    assert.equal(new Set(words.map(({ name }) => name)).size, words.length);
    assert.equal(new Set(words.map(({ meaning }) => meaning)).size, words.length);
  });

  it('say of the level Custom that it adds to threads', () => {
    const [threads, custom] = ['participating', 'custom'].map((level) => levelLabel(level, l10n).meaning);
    assert.equal(threads, 'Threads you took part in');
    assert.equal(custom, 'Threads you took part in, and the events you select');
  });

  it('show what is not known by its own name', () => {
    assert.equal(levelLabel('quiet', l10n).name, 'quiet');
    const later = { name: 'Sunk pipeline', meaning: 'An event this version of Beacon does not know' };
    assert.deepEqual(notificationEventLabel('sunk_pipeline', l10n), later);
    assert.deepEqual(notificationEventLabel('service_account_failed_pipeline', l10n), {
      name: 'Failed pipeline of a service account',
      meaning: 'A pipeline of a service account fails; Premium and Ultimate only',
    });
  });

  it('describe a change, field by field', () => {
    const settings = settingsOf('global', {
      level: 'watch',
      notification_email: 'a@example.com',
      events: { new_note: null, new_issue: false },
    });
    const change = { level: 'custom', notification_email: '', new_note: true, new_issue: true, approver: false };
    assert.deepEqual(changeLabels(settings, change, l10n), [
      'Level: from Watch to Custom',
      'E-mail address: from a@example.com to the address of the account',
      'New comment: from default to on',
      'New issue: from off to on',
      'Approver: from unknown to off',
    ]);
  });

  it('come in the language of the user', () => {
    const german = l10nOf({ 'Group {0}': 'Gruppe {0}' });
    const scope = { kind: 'group', accountId: 'a', id: 7, path: 'harbor/{0}' } as const;
    assert.equal(scopeLabel(scope, german), 'Gruppe harbor/{0}');
    assert.equal(scopeKey(scope), scopeKey({ ...scope, path: 'moved' }));
  });

  it('group every event by its subject, with unknown ones at the end', () => {
    const groups = groupBySubject([...notificationEvents, 'service_account_fixed_pipeline', 'new_thing']);
    assert.deepEqual(
      groups.map(({ subject, events }) => [subject, events.length]),
      [
        ['issues', 5],
        ['mergeRequests', 9],
        ['pipelines', 4],
        ['others', 5],
      ],
    );
    assert.deepEqual(groupBySubject(['new_note']), [{ subject: 'others', events: ['new_note'] }]);
  });
});
