import assert from 'node:assert/strict';

import { isUnrecognized } from '../../../src/api/unrecognized.ts';
import { type Sandbox, startSandbox } from '../../support/sandbox/sandbox.ts';
import { allPages, allRecords, clientOf, errorOf } from '../../support/clientSamples.ts';

describe('client: against a whole instance', () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox({ now: () => new Date('2026-03-01T12:00:00Z') });
  });
  after(() => sandbox.close());
  const clientAs = (account: 'owner' | 'developer' | 'readUser') =>
    clientOf(sandbox.url, { token: sandbox.tokens[account] });

  it('all feeds are read whole, with and without pages in flight, without an unrecognized record', async () => {
    const { events } = clientAs('owner');
    const [project = ''] = sandbox.projects;
    const [user = ''] = sandbox.users;
    for (const list of [
      (prefetch: number) => events.mine({ scope: 'all' }, { perPage: 50, prefetch }),
      (prefetch: number) => events.ofUser(user, {}, { perPage: 7, prefetch }),
      (prefetch: number) => events.ofProject(project, { sort: 'asc' }, { perPage: 100, prefetch }),
    ]) {
      const pages = await allPages(list(1));
      const items = pages.flatMap((page) => page.items);
      assert.ok(items.length > 0);
      assert.deepEqual(items.filter(isUnrecognized), []);
      assert.deepEqual(
        (await allPages(list(6))).flatMap((page) => page.items),
        items,
      );
    }
  });

  it('events are filtered by action, target type, day and order', async () => {
    const { events } = clientAs('owner');
    const pushes = await allRecords(events.mine({ scope: 'all', action: 'pushed' }));
    assert.ok(pushes.length > 0);
    assert.ok(pushes.every(({ push_data: push }) => push !== undefined && push !== null));
    const notes = await allRecords(events.mine({ scope: 'all', target_type: 'note', sort: 'asc' }));
    assert.ok(notes.length > 0);
    assert.ok(notes.every(({ note }) => note !== undefined && note !== null));
    const ids = notes.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    // The days of the filter are those of UTC, the times may have another offset.
    const dayOf = (time: unknown) => new Date(String(time)).toISOString().slice(0, 10);
    const day = dayOf(notes[0]?.created_at);
    assert.ok(
      (await allRecords(events.mine({ scope: 'all', before: day }))).every((event) => dayOf(event.created_at) < day),
    );
    assert.ok((await allRecords(events.mine({ scope: 'all', after: new Date(day) }))).length > 0);
  });

  it('an unknown user, an unknown project and a bad filter are distinguished', async () => {
    const { events } = clientAs('owner');
    await errorOf(allPages(events.ofUser('no-one-of-that-name')), 'notFound');
    await errorOf(allPages(events.ofProject('no/such')), 'notFound');
    await errorOf(allPages(events.mine({ action: 'juggled' })), 'validation');
  });

  it('accounts, projects and groups are found by id and by path', async () => {
    const { directory } = clientAs('owner');
    const me = await directory.currentUser();
    assert.equal((await directory.user(me.id)).username, me.username);
    assert.equal((await directory.user(me.username)).id, me.id);
    await errorOf(directory.user('no-one-of-that-name'), 'notFound');
    const [path = ''] = sandbox.projects;
    const project = await directory.project(path);
    assert.equal(project.path_with_namespace, path);
    assert.equal((await directory.project(project.id)).id, project.id);
    const [groupPath = ''] = sandbox.groups;
    const group = await directory.group(groupPath);
    assert.equal((await directory.group(group.id)).full_path, groupPath);
  });

  it('projects, groups and users are listed by keyset, each once', async () => {
    const { directory } = clientAs('owner');
    for (const list of [
      directory.projects({}, { perPage: 2 }),
      directory.groups({}, { perPage: 2 }),
      directory.users({}, { perPage: 2 }),
    ]) {
      const ids = (await allRecords<{ id: number }>(list)).map(({ id }) => id);
      assert.ok(ids.length > 2);
      assert.equal(new Set(ids).size, ids.length);
    }
  });

  it('the token names its scopes, the instance its version', async () => {
    const { directory } = clientAs('readUser');
    assert.deepEqual((await directory.token()).scopes, ['read_user']);
    assert.match((await directory.version()).version, /^\d+\.\d+/);
  });

  it('notification settings are changed and read back, globally, of a group and of a project', async () => {
    const { notificationSettings } = clientAs('owner');
    const [group = ''] = sandbox.groups;
    const [project = ''] = sandbox.projects;
    assert.equal((await notificationSettings.update('global', { level: 'mention' })).level, 'mention');
    assert.equal((await notificationSettings.get('global')).level, 'mention');
    for (const scope of [{ group }, { project }]) {
      const changed = await notificationSettings.update(scope, { level: 'custom', new_note: true, new_issue: false });
      assert.deepEqual([changed.events?.new_note, changed.events?.new_issue], [true, false]);
      assert.deepEqual(await notificationSettings.get(scope), changed);
      assert.equal((await notificationSettings.update(scope, { level: 'watch' })).events, undefined);
    }
    await errorOf(notificationSettings.update('global', { level: 'loud' }), 'validation');
    await errorOf(notificationSettings.update('global', { notification_email: 'no@where.example' }), 'validation');
  });

  it('error tracking is set up, its client keys are made, listed and deleted', async () => {
    const { errorTracking } = clientAs('owner');
    const [project = ''] = sandbox.projects;
    const settings = await errorTracking.create(project, { active: true, integrated: true });
    assert.deepEqual([settings.active, settings.integrated, settings.tracker_external_url], [true, true, null]);
    assert.equal((await errorTracking.change(project, { active: false })).active, false);
    assert.equal((await errorTracking.settings(project)).active, false);
    const key = await errorTracking.createClientKey(project);
    assert.ok(key.tracker_dsn.includes(key.public_key));
    const ids = async () => (await allRecords(errorTracking.clientKeys(project))).map(({ id }) => id);
    assert.ok((await ids()).includes(key.id));
    await errorTracking.deleteClientKey(project, key.id);
    assert.ok(!(await ids()).includes(key.id));
    await errorOf(errorTracking.deleteClientKey(project, key.id), 'notFound');
  });

  it('error tracking needs a role', async () => {
    const [project = ''] = sandbox.projects;
    await errorOf(clientAs('developer').errorTracking.settings(project), 'missingRole');
  });

  it('a token that is unknown is not signed in', async () => {
    await errorOf(clientOf(sandbox.url, { token: 'glpat-unknown' }).directory.currentUser(), 'notSignedIn');
  });
});
