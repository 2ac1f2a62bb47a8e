import assert from 'node:assert/strict';
import { Gitlab } from '@gitbeaker/rest';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { startTestSandbox } from './caller.ts';

/** A client that was written for the live platform, unmodified. */
describe('gitbeaker with the sandbox', () => {
  let sandbox: Sandbox;
  let client: InstanceType<typeof Gitlab>;
  before(async () => {
    sandbox = await startTestSandbox({ extra: { projects: 45, groups: 45, users: 45 } });
    client = new Gitlab({ host: sandbox.url, token: sandbox.tokens.owner });
  });
  after(() => sandbox.close());
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

  it('reads projects by both paginations', async () => {
    const byOffset = await client.Projects.all({ perPage: 10 });
    const byKeyset = await client.Projects.all({ perPage: 10, orderBy: 'id', pagination: 'keyset', sort: 'desc' });
    assert.equal(byOffset.length, 50);
    assert.deepEqual(ids(byKeyset), ids(byOffset));
    assert.equal((await client.Projects.show('harbor/tide-table')).id, 501);
  });

  it('reads groups by both paginations', async () => {
    const byOffset = await client.Groups.all({ perPage: 10 });
    const byKeyset = await client.Groups.all({ perPage: 10, orderBy: 'name', pagination: 'keyset', sort: 'asc' });
    assert.equal(byOffset.length, 48);
    assert.deepEqual(ids(byKeyset), ids(byOffset));
    assert.equal((await client.Groups.show('harbor/tools')).id, 12);
  });

  it('reads users by both paginations', async () => {
    const byOffset = await client.Users.all({ perPage: 10, page: 1, maxPages: 9, orderBy: 'username' });
    const byKeyset = await client.Users.all({ perPage: 10, orderBy: 'username', pagination: 'keyset', sort: 'desc' });
    assert.equal(byKeyset.length, 52);
    assert.deepEqual(ids(byOffset), ids(byKeyset).slice(0, byOffset.length));
    assert.equal((await client.Users.show(104)).username, 'femi');
    assert.equal((await client.Users.showCurrentUser()).username, 'marta');
  });
});
