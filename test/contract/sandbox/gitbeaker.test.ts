import assert from 'node:assert/strict';
import { Gitlab } from '@gitbeaker/rest';
import { suiteSandbox } from './caller.ts';

/** A client that was written for the live platform, unmodified. */
describe('gitbeaker with the sandbox', () => {
  const { sandbox, call } = suiteSandbox({ extra: { projects: 45, groups: 45, users: 45 } });
  let client: InstanceType<typeof Gitlab>;
  before(() => {
    client = new Gitlab({ host: sandbox.url, token: sandbox.tokens.owner });
  });
  const ids = (records: readonly { readonly id: unknown }[]) => records.map(({ id }) => id);

  it('reads the events of the user, of other users and of projects', async () => {
    const own = await client.Events.all({ perPage: 50 });
    assert.ok(own.length > 100);
    assert.equal(new Set(ids(own)).size, own.length);
    const ofUser = await client.Users.allEvents(104, { sort: 'asc' });
    assert.ok(ofUser.length > 0 && ofUser.every(({ author_id }) => author_id === 104));
    for (const projectId of [501, 'harbor/tide-table']) {
      const closed = await client.Events.all({ projectId, action: 'closed', targetType: 'issue' });
      assert.ok(closed.length > 0 && closed.every(({ target_type }) => target_type === 'Issue'));
    }
  });

  it('reads projects, groups and users by both paginations', async () => {
    const paging = { perPage: 10, pagination: 'keyset' } as const;
    const projects = await client.Projects.all({ perPage: 10 });
    assert.equal(projects.length, 50);
    assert.deepEqual(ids(await client.Projects.all({ ...paging, orderBy: 'id', sort: 'desc' })), ids(projects));
    const groups = await client.Groups.all({ perPage: 10 });
    assert.equal(groups.length, 48);
    assert.deepEqual(ids(await client.Groups.all({ ...paging, orderBy: 'name', sort: 'asc' })), ids(groups));
    const users = await client.Users.all({ perPage: 10, page: 1, maxPages: 9, orderBy: 'username' });
    const byKeyset = await client.Users.all({ ...paging, orderBy: 'username', sort: 'desc' });
    assert.equal(byKeyset.length, 52);
    assert.deepEqual(ids(users), ids(byKeyset).slice(0, users.length));
  });

  it('reads one project, group or user', async () => {
    assert.equal((await client.Projects.show('harbor/tide-table')).id, 501);
    assert.equal((await client.Groups.show('harbor/tools')).id, 12);
    assert.equal((await client.Users.show(104)).username, 'femi');
    assert.equal((await client.Users.showCurrentUser()).username, 'marta');
  });

  it('reads and changes notification settings', async () => {
    const { NotificationSettings } = client;
    assert.equal((await NotificationSettings.show()).level, 'participating');
    assert.equal((await NotificationSettings.edit({ level: 'watch' })).level, 'watch');
    for (const place of [{ groupId: 'harbor' }, { projectId: 501 }, { projectId: 'harbor/tools/winch' }]) {
      assert.equal((await NotificationSettings.show(place)).level, 'global');
      const changed = await NotificationSettings.edit({ ...place, level: 'custom', newNote: true });
      assert.equal((changed['events'] as Record<string, unknown>)['new_note'], true);
      assert.deepEqual(await NotificationSettings.show(place), changed);
    }
  });

  it('reads and changes error tracking, and makes client keys', async () => {
    const { ErrorTrackingClientKeys, ErrorTrackingSettings } = client;
    assert.equal((await ErrorTrackingSettings.create(502, true, true)).integrated, true);
    const changed = await ErrorTrackingSettings.edit(502, false, { integrated: false });
    assert.deepEqual([changed.active, changed.integrated], [false, false]);
    assert.deepEqual(await ErrorTrackingSettings.show('harbor/berth-planner'), changed);
    const key = await ErrorTrackingClientKeys.create(501);
    assert.deepEqual((await ErrorTrackingClientKeys.all(501)).at(-1), key);
    // This client leaves the id of the key out of the address: no instance lets it delete one.
    await assert.rejects(ErrorTrackingClientKeys.remove(501));
    const path = `/projects/501/error_tracking/client_keys/${key.id}`;
    assert.equal((await call(path, { method: 'DELETE' })).status, 200);
  });
});
