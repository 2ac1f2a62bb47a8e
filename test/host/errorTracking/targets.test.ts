import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { KeyCommands } from '../../../src/errorTracking/keyCommands.ts';
import { allKeys } from '../../../src/errorTracking/projectStates.ts';
import { keyName } from '../../../src/errorTracking/targets.ts';
import { sampleAccount } from '../../support/accountSamples.ts';
import { ErrorTrackingWindow, placesOf } from '../../support/errorTrackingWindow.ts';

describe('what a command of error tracking is about', () => {
  let window: ErrorTrackingWindow;
  beforeEach(async () => {
    window = await ErrorTrackingWindow.open();
  });
  afterEach(() => window.close());

  const client = async () => (await window.connection()).client;
  const keysOf = async (projectId: number) => (await allKeys(await client(), projectId)).keys;
  const commands = () =>
    new KeyCommands(window.targets, window.states, { find: async () => placesOf() }, window.dialogs);

  it('is the only key there is, without a question', async () => {
    await window.pin('harbor/tide-table');
    await window.pin('harbor/berth-planner');
    const known = await window.targets.key(undefined, 'Insert DSN', 'active');
    assert.equal(known?.facts.path, 'harbor/tide-table');
    assert.deepEqual(window.dialogs.offered, []);
    await vscode.env.clipboard.writeText('');
    await commands().copyDsn({ project: known.project, key: known.key });
    assert.equal(await vscode.env.clipboard.readText(), known.key.tracker_dsn);
  });

  it('is chosen from one list over the keys of all projects, with project and host', async () => {
    await window.pin('harbor/tide-table');
    await window.pin('harbor/tools/logbook');
    const made = await (await client()).errorTracking.createClientKey(504);
    window.dialogs.choices = [new RegExp(`^${keyName(made)}`)];
    const known = await window.targets.key(undefined, 'Send Test Error', 'any');
    assert.deepEqual([known?.key.id, known?.facts.path], [made.id, 'harbor/tools/logbook']);
    assert.equal(window.dialogs.offered.length, 1, 'one question');
    const all = [...(await keysOf(501)), ...(await keysOf(504))];
    const [active, inactive] = [all.filter((key) => key.active), all.filter((key) => !key.active)];
    assert.ok(active.length > 0 && inactive.length > 0);
    assert.deepEqual(window.dialogs.offered[0], [...[...active, ...inactive].map(keyName), 'Another Project…']);
    const { host } = new URL(window.sandbox.url);
    assert.ok(window.dialogs.details[0]?.includes(`harbor/tools/logbook · ${host}`));
  });

  it('names a project that cannot be read in the list, and says why when it is chosen', async () => {
    await window.pin('harbor/tide-table');
    await window.pin('drydock/hull-survey', 999);
    window.dialogs.choices = [/drydock/];
    assert.equal(await window.targets.key(undefined, 'Copy DSN', 'active'), undefined);
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /drydock\/hull-survey was not found/);
    assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Unpin']);
  });

  it('is no key that has become inactive since the list was read', async () => {
    await window.pin('harbor/berth-planner');
    const project = await window.pin('harbor/tide-table');
    await window.nodes(project);
    const [active] = (await keysOf(501)).filter((key) => key.active);
    window.sandbox.control.deactivateKey(active?.id ?? 0);
    assert.equal(await window.targets.key(undefined, 'Insert DSN', 'active'), undefined);
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /is inactive/);
  });

  it('says that no project has a key', async () => {
    await window.pin('harbor/berth-planner');
    await window.pin('harbor/tools/winch');
    assert.equal(await window.targets.key(undefined, 'Copy DSN', 'any'), undefined);
    assert.equal(window.dialogs.messages[0]?.sentence, 'No project of the Error Tracking view has a client key.');
    assert.deepEqual(window.dialogs.messages[0]?.buttons, ['Create Client Key']);
  });

  it('is the only project of the view, without a question', async () => {
    await window.pin('harbor/tide-table');
    assert.equal((await window.targets.project(undefined, 'Create Client Key'))?.path, 'harbor/tide-table');
    assert.deepEqual(window.dialogs.offered, []);
  });

  it('is what a link names, by numbers alone: the DSN comes from the instance', async () => {
    const [active] = await keysOf(501);
    assert.ok(active);
    const project = { accountId: window.account.id, idOrPath: 501 };
    const forged = { id: active.id, public_key: 'glet_forged', tracker_dsn: 'https://glet_forged@evil.example/1' };
    const known = await window.targets.key({ project, key: forged }, 'Copy DSN', 'any');
    assert.equal(known?.key.tracker_dsn, active.tracker_dsn);
    assert.equal(await window.targets.key({ project, key: { ...forged, id: 999_999 } }, 'Copy DSN', 'any'), undefined);
    assert.match(window.dialogs.messages[0]?.sentence ?? '', /^Client key glet_forged no longer exists in harbor/);
    for (const strange of [null, 7, {}, { project: null }, { project: { accountId: 1, idOrPath: {} } }]) {
      window.signedIn = false;
      await assert.rejects(window.targets.key(strange as never, 'Copy DSN', 'any'), { name: 'SignedOutError' });
    }
  });

  describe('with a token for the feed alone', () => {
    beforeEach(() => {
      window.scopes = ['read_user'];
    });

    it('is nothing: no row and no request, but what the token lacks, with the button that helps', async () => {
      await window.pins.add({ kind: 'project', accountId: window.account.id, id: 501, path: 'harbor/tide-table' });
      assert.deepEqual(await window.tree.getChildren(), []);
      assert.equal(await window.targets.key(undefined, 'Copy DSN', 'any'), undefined);
      assert.equal(await window.targets.project(undefined, 'Create Client Key'), undefined);
      for (const { sentence, buttons } of window.dialogs.messages) {
        assert.equal(
          sentence,
          'The token of marta@sandbox is enough for feeds only: this needs the token scope read_api or api.',
        );
        assert.deepEqual(buttons, ['Renew Token…']);
      }
      assert.equal(window.dialogs.messages.length, 2);
    });

    it('is what the view shows of another account, named where there are several', async () => {
      const ada = sampleAccount('ada', window.sandbox.url);
      window.accounts.all.push(ada, sampleAccount('eve', window.sandbox.url));
      window.workspace.all.push({ accountId: ada.id, path: 'harbor/tide-table', folder: vscode.Uri.file('/0') });
      // The only project is not what was meant for sure: the window works with another account.
      assert.equal(await window.targets.project(undefined, 'Create Client Key'), undefined);
      assert.deepEqual(window.dialogs.offered, [['harbor/tide-table', 'Another Project…']]);
      assert.ok(window.dialogs.descriptions[0]?.[0]?.includes(ada.id));
      assert.equal(window.dialogs.descriptions[0]?.[1], 'marta@sandbox · feeds only');
      window.dialogs.choices = [/^harbor/];
      const known = await window.targets.key(undefined, 'Copy DSN', 'active');
      assert.ok(known);
      assert.equal(window.targets.pathOf(known), `harbor/tide-table (${ada.id})`);
      assert.equal(
        window.targets.withKey('Insert DSN', known),
        `Insert DSN: ${keyName(known.key)}, harbor/tide-table · Account: ${ada.id}`,
      );
      assert.deepEqual(window.dialogs.messages, []);
    });

    it('works again with read_api', async () => {
      await window.pins.add({ kind: 'project', accountId: window.account.id, id: 501, path: 'harbor/tide-table' });
      window.scopes = ['read_api'];
      assert.equal((await window.tree.getChildren()).length, 1);
    });
  });
});
