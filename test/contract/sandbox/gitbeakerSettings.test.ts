import assert from 'node:assert/strict';
import { Gitlab } from '@gitbeaker/rest';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { call, startTestSandbox } from './caller.ts';

describe("gitbeaker with the sandbox's settings", () => {
  let sandbox: Sandbox;
  let client: InstanceType<typeof Gitlab>;
  before(async () => {
    sandbox = await startTestSandbox();
    client = new Gitlab({ host: sandbox.url, token: sandbox.tokens.owner });
  });
  after(() => sandbox.close());

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

  it('reads and changes error tracking settings', async () => {
    const { ErrorTrackingSettings } = client;
    assert.equal((await ErrorTrackingSettings.create(502, true, true)).integrated, true);
    const changed = await ErrorTrackingSettings.edit(502, false, { integrated: false });
    assert.deepEqual([changed.active, changed.integrated], [false, false]);
    assert.deepEqual(await ErrorTrackingSettings.show('harbor/berth-planner'), changed);
  });

  it('lists and makes client keys', async () => {
    const { ErrorTrackingClientKeys } = client;
    const key = await ErrorTrackingClientKeys.create(501);
    assert.deepEqual((await ErrorTrackingClientKeys.all(501)).at(-1), key);
    // This client leaves the id of the key out of the address: no instance lets it delete one.
    await assert.rejects(ErrorTrackingClientKeys.remove(501));
    const path = `/projects/501/error_tracking/client_keys/${key.id}`;
    assert.equal((await call(sandbox, path, { method: 'DELETE' })).status, 200);
  });
});
