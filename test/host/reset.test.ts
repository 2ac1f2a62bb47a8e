import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore, SecretStoreError } from '../../src/accounts/accountStore.ts';
import { Reset } from '../../src/help/reset.ts';
import { sampleAccount, withoutChangingTokens } from '../support/accountSamples.ts';
import { MemoryMemento, MemorySecrets } from '../support/editorState.ts';
import { WindowRemotes } from '../support/windowRemotes.ts';

const ada = sampleAccount('ada', 'https://one.example');
const bob = sampleAccount('bob', 'https://two.example');

describe('a reset', () => {
  let folder: string;
  let secrets: MemorySecrets;
  let globalState: MemoryMemento;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'beacon-reset-'));
    [secrets, globalState] = [new MemorySecrets(), new MemoryMemento()];
  });

  function openWindow() {
    const workspaceState = new MemoryMemento();
    const accounts = new AccountStore(globalState, secrets, withoutChangingTokens);
    const accountInUse = new AccountInUse(accounts, new WindowRemotes(), {
      global: globalState,
      workspace: workspaceState,
    });
    const closed: string[] = [];
    const reset = new Reset({
      ...{ accounts, accountInUse, secrets, globalState, workspaceState, storageFolder: folder },
      closeForms: async () => void closed.push('forms'),
    });
    return { workspaceState, accounts, accountInUse, reset, closed };
  }

  /** Lets a window keep something of every kind. */
  async function fill(window: ReturnType<typeof openWindow>): Promise<void> {
    await window.accounts.save(ada, 'glpat-1');
    await window.accounts.save(bob, 'glpat-2');
    await window.accountInUse.use(bob);
    await secrets.store('passphrase:one.example', 'sesame');
    await globalState.update('activity.pinnedFeeds', [{ kind: 'mine' }, { kind: 'allProjects' }]);
    await globalState.update('activity.mutes', [{ accountId: ada.id }]);
    await globalState.update('notificationProfiles', [{ name: 'Focus' }]);
    await globalState.update('of a later version', 1);
    await window.workspaceState.update('errorTracking.rotations', [{ step: 'created' }]);
    mkdirSync(join(folder, 'activity'));
    writeFileSync(join(folder, 'activity', 'feed.json'), '{}');
    mkdirSync(join(folder, 'profiles'));
    writeFileSync(join(folder, 'profiles', '1.json'), '');
  }

  it('leaves nothing: no secret, no state of the editor, no file', async () => {
    const window = openWindow();
    await fill(window);
    await window.reset.run();
    assert.equal(secrets.values.size, 0);
    assert.deepEqual([...globalState.values], []);
    assert.deepEqual([...window.workspaceState.values], []);
    assert.deepEqual(
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
      [],
    );
    assert.equal(window.accountInUse.state, 'none');
    assert.deepEqual(window.closed, ['forms']);
  });

  it('removes nothing while the secret store is locked, and says so', async () => {
    const window = openWindow();
    await fill(window);
    secrets.failure = new Error('locked');
    await assert.rejects(window.reset.run(), SecretStoreError);
    assert.deepEqual(window.accounts.all, [ada, bob]);
    assert.ok(globalState.values.has('notificationProfiles'));
    assert.equal(readdirSync(join(folder, 'activity')).length, 1);
  });
});
