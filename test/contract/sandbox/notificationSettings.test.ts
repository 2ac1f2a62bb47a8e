import assert from 'node:assert/strict';
import { notificationEvents, notificationLevels } from '../../../src/api/notificationVocabulary.ts';
import { type Call, call, startTestSandbox, suiteSandbox } from './caller.ts';

const global = '/notification_settings';
const project = '/projects/501/notification_settings';
const group = '/groups/harbor/notification_settings';

interface Settings {
  readonly level: string;
  readonly notification_email?: string;
  readonly events?: Readonly<Record<string, boolean | null>>;
}

describe('sandbox: notification settings', () => {
  const { sandbox, call: ask, outcomeOf } = suiteSandbox({}, true);

  async function get(path: string, options: Call = {}): Promise<Settings> {
    const answer = await ask(path, options);
    assert.equal(answer.status, 200, answer.text);
    return answer.json as Settings;
  }

  const put = (path: string, change: object) => get(path, { method: 'PUT', send: change });
  const refused = (path: string, change: object) => outcomeOf(path, { method: 'PUT', send: change });

  it('GET /notification_settings: level participating, the e-mail of the account', async () => {
    assert.deepEqual(await get(global), { level: 'participating', notification_email: 'marta@harbor.example' });
  });

  for (const path of [group, project]) {
    it(`GET ${path}: level global, no events`, async () => {
      assert.deepEqual(await get(path), { level: 'global' });
    });
  }

  for (const level of notificationLevels) {
    it(`level ${level} can be set everywhere`, async () => {
      for (const path of [global, group, project]) {
        assert.equal((await put(path, { level })).level, level);
        assert.equal((await get(path)).level, level);
      }
    });
  }

  for (const event of notificationEvents) {
    it(`${event} can be switched on and off`, async () => {
      const path = event === 'new_epic' ? group : project;
      for (const flag of [true, false]) {
        const { events } = await put(path, { level: 'custom', [event]: flag });
        assert.equal(events?.[event], event === 'approver' ? undefined : flag);
      }
    });
  }

  it('flags are null until they are set, but for those that have a value from the start', async () => {
    const { events = {} } = await put(project, { level: 'custom' });
    assert.deepEqual(Object.keys(events).sort(), notificationEvents.filter((event) => event !== 'approver').sort());
    const set = Object.entries(events).filter(([, flag]) => flag !== null);
    assert.deepEqual(Object.fromEntries(set), { moved_project: true, merge_when_pipeline_succeeds: false });
  });

  it('a level that is not custom hides the flags and keeps them', async () => {
    await put(project, { level: 'custom', new_note: true });
    assert.deepEqual(await put(project, { level: 'watch', new_issue: false }), { level: 'watch' });
    const { events } = await put(project, { level: 'custom' });
    assert.deepEqual([events?.['new_note'], events?.['new_issue']], [true, false]);
  });

  it('settings are of one user and one place', async () => {
    await put(project, { level: 'watch' });
    assert.deepEqual(await get(project, { token: sandbox.tokens.developer }), { level: 'global' });
    assert.equal((await get(group)).level, 'global');
    assert.equal((await get(global)).level, 'participating');
  });

  it('PUT of nothing, and of parameters that do not exist, changes nothing', async () => {
    assert.deepEqual(await put(project, {}), { level: 'global' });
    assert.deepEqual(await put(project, { new_moon: 'x', notification_email: 'a@b.example' }), { level: 'global' });
  });

  it('notification_email takes a verified address, and an empty one for that of the account', async () => {
    const email = 'marta@home.example';
    assert.equal((await put(global, { notification_email: email })).notification_email, email);
    assert.equal((await put(global, { notification_email: '' })).notification_email, 'marta@harbor.example');
  });

  it('an unverified e-mail is refused, and with it the whole change', async () => {
    const message = { notification_email: ['must be an email you have verified'] };
    const change = { level: 'watch', notification_email: 'somebody@else.example' };
    assert.deepEqual(await refused(global, change), [400, { message }]);
    assert.equal((await get(global)).level, 'participating');
  });

  for (const path of [global, group, project]) {
    it(`a bad level is refused at ${path}`, async () => {
      assert.deepEqual(await refused(path, { level: 'loud' }), [400, { message: "'loud' is not a valid level" }]);
    });
  }

  it('a flag that is no boolean is refused', async () => {
    for (const flag of ['maybe', null, 7, [true]]) {
      assert.deepEqual(await refused(project, { new_note: flag }), [400, { error: 'new_note is invalid' }]);
    }
  });

  it('a group or project that does not exist or is not to be seen is not found', async () => {
    for (const method of ['GET', 'PUT']) {
      for (const [place, what] of [
        ['groups/999', 'Group'],
        ['groups/drydock', 'Group'],
        ['projects/999', 'Project'],
        ['projects/506', 'Project'],
      ]) {
        const outcome = await outcomeOf(`/${place}/notification_settings`, { method });
        assert.deepEqual(outcome, [404, { message: `404 ${what} Not Found` }]);
      }
    }
  });

  it('they need a token with the scope api', async () => {
    for (const path of [global, group, project]) {
      const answer = await ask(path, { token: sandbox.tokens.readUser });
      const { error, scope } = answer.json as Record<string, unknown>;
      assert.deepEqual([answer.status, error, scope], [403, 'insufficient_scope', 'api']);
      assert.equal((await ask(path, { token: null })).status, 401);
    }
  });
});

describe('sandbox: notification settings by tier', () => {
  for (const tier of ['free', 'premium', 'ultimate'] as const) {
    it(`new_epic on ${tier}`, async () => {
      const sandbox = await startTestSandbox({ tier });
      const answer = await call(sandbox, `${group}?level=custom&new_epic=true`, { method: 'PUT' });
      assert.equal((answer.json as Settings).events?.['new_epic'], tier === 'free' ? undefined : true);
      await sandbox.close();
    });
  }
});
