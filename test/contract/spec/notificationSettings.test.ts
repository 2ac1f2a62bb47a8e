import assert from 'node:assert/strict';
import { notificationEvents, notificationLevels } from '../../../src/api/notificationVocabulary.ts';
import { errorOf, serveClient } from '../../support/clientSamples.ts';

const globalSettings = { level: 'participating', notification_email: 'rosa@example.com' };
const customSettings = { level: 'custom', events: { new_note: true, new_issue: false, new_epic: null } };

describe('the API documentation: notification settings', () => {
  it('GET /notification_settings answers level and e-mail', async () => {
    await using server = await serveClient({ json: globalSettings });
    assert.deepEqual(await server.client.notificationSettings.get('global'), globalSettings);
    assert.deepEqual(server.sent, ['GET /api/v4/notification_settings']);
  });

  it('GET /notification_settings may answer events as well', async () => {
    await using server = await serveClient({ json: { ...customSettings, notification_email: null } });
    const settings = await server.client.notificationSettings.get('global');
    assert.deepEqual([settings.events, settings.notification_email], [customSettings.events, null]);
  });

  it('PUT /notification_settings takes level, e-mail and every event', async () => {
    const flags = Object.fromEntries(notificationEvents.map((event, index) => [event, index % 2 === 0]));
    const change = { level: 'custom', notification_email: 'rosa@example.org', ...flags };
    await using server = await serveClient({ json: globalSettings });
    const settings = await server.client.notificationSettings.update('global', change);
    assert.deepEqual(settings, globalSettings);
    assert.deepEqual(server.sent, [`PUT /api/v4/notification_settings ${JSON.stringify(change)}`]);
    assert.equal(Object.keys(flags).length, 21);
  });

  it('PUT sends only what changes', async () => {
    await using server = await serveClient({ json: globalSettings });
    await server.client.notificationSettings.update('global', { level: undefined, new_note: false });
    assert.equal(server.requests[0]?.body, '{"new_note":false}');
  });

  const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'];
  const events = [
    ...['approver', 'change_reviewer_merge_request', 'close_issue', 'close_merge_request', 'failed_pipeline'],
    ...['fixed_pipeline', 'issue_due', 'merge_merge_request', 'merge_when_pipeline_succeeds', 'moved_project'],
    ...['new_epic', 'new_issue', 'new_merge_request', 'new_note', 'new_release', 'push_to_merge_request'],
    ...['reassign_issue', 'reassign_merge_request', 'reopen_issue', 'reopen_merge_request', 'success_pipeline'],
  ];
  for (const [names, offered, what] of [
    [levels, notificationLevels, 'level'],
    [events, notificationEvents, 'event'],
  ] as const) {
    for (const name of names) {
      it(`${what} ${name} is offered`, () => assert.ok(offered.some((one) => one === name)));
    }
  }

  it('GET and PUT /groups/:id/notification_settings', async () => {
    await using server = await serveClient({ json: { level: 'watch' } });
    const { notificationSettings } = server.client;
    assert.deepEqual(await notificationSettings.get({ group: 'house/front' }), { level: 'watch' });
    await notificationSettings.update({ group: 7 }, { level: 'watch' });
    assert.deepEqual(server.sent, [
      'GET /api/v4/groups/house%2Ffront/notification_settings',
      'PUT /api/v4/groups/7/notification_settings {"level":"watch"}',
    ]);
  });

  it('GET and PUT /projects/:id/notification_settings', async () => {
    await using server = await serveClient({ json: customSettings });
    const { notificationSettings } = server.client;
    assert.deepEqual(await notificationSettings.get({ project: 'house/door' }), customSettings);
    await notificationSettings.update({ project: 7 }, { level: 'custom', new_epic: true });
    assert.deepEqual(server.sent, [
      'GET /api/v4/projects/house%2Fdoor/notification_settings',
      'PUT /api/v4/projects/7/notification_settings {"level":"custom","new_epic":true}',
    ]);
  });

  it('events of a response are true, false or null; unknown events, levels and fields are kept', async () => {
    const grown = { level: 'quiet', events: { new_note: null, new_thing: 'sometimes' }, digest: { at: 8 } };
    await using server = await serveClient({ json: grown });
    assert.deepEqual(await server.client.notificationSettings.get({ group: 1 }), grown);
  });

  it('a level that does not exist, a flag that is no boolean, an unverified e-mail are validation errors', async () => {
    const unverified = { notification_email: ['must be an email you have verified'] };
    for (const [body, fields, sentences] of [
      [{ message: "'x' is not a valid level" }, {}, ["'x' is not a valid level"]],
      [{ error: 'new_note is invalid' }, { new_note: ['is invalid'] }, ['new_note is invalid']],
      [{ message: unverified }, unverified, []],
    ] as const) {
      await using server = await serveClient({ json: body, status: 400 });
      const error = await errorOf(server.client.notificationSettings.update('global', { level: 'x' }), 'validation');
      assert.deepEqual([error.fields, error.sentences], [fields, sentences]);
    }
  });

  it('settings without a level are no settings', async () => {
    await using server = await serveClient({ json: { level: 3 } });
    await errorOf(server.client.notificationSettings.get('global'), 'notAnInstance');
  });
});
