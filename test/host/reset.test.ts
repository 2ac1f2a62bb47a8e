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

  /** A window as the extension joins it: it hears of resets by the secret store. */
  function openWindow() {
    const workspaceState = new MemoryMemento();
    const accounts = new AccountStore(globalState, secrets, withoutChangingTokens);
    const accountInUse = new AccountInUse(accounts, new WindowRemotes(), {
      global: globalState,
      workspace: workspaceState,
    });
    const closed: string[] = [];
    const reset = new Reset({
      ...{ accounts, accountInUse, secrets, globalState, workspaceState, storageFolder: folder, resetSignal: 'reset:' },
      closeForms: async () => void closed.push('forms'),
    });
    const followed: Promise<void>[] = [];
    secrets.onDidChange(({ key }) => key.startsWith('reset:') && followed.push(reset.follow(key)));
    return { workspaceState, accounts, accountInUse, reset, closed, followed };
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
    await globalState.update('notificationRestores', [{ id: '1' }]);
    await globalState.update('notificationSettings/global/ada', { draft: {} });
    await globalState.update('of a later version', 1);
    await window.workspaceState.update('errorTracking.rotations', [{ step: 'created' }]);
    mkdirSync(join(folder, 'activity'));
    writeFileSync(join(folder, 'activity', 'feed.json'), '{}');
    mkdirSync(join(folder, 'restores'));
    writeFileSync(join(folder, 'restores', '1.done'), '');
  }

  it('lists what there is first, and what would end halfway', async () => {
    const window = openWindow();
    assert.deepEqual(await window.reset.list(), []);
    assert.deepEqual(window.reset.hasUnfinished, { restores: false, rotations: false });
    await fill(window);
    const lines = await window.reset.list();
    for (const line of [
      'Accounts with their tokens: ada@one.example, bob@two.example',
      'Certificate passphrases: 1',
      'Feeds kept on disk, and other files: 2',
      'Pinned feeds: 2',
      'Notification profiles: 1',
      'Drafts and last saves of notification settings: 1',
      'Unfinished key rotations: 1',
    ]) {
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
    }
    assert.doesNotMatch(lines.join('\n'), /glpat|sesame/);
    assert.deepEqual(window.reset.hasUnfinished, { restores: true, rotations: true });
    assert.equal(secrets.values.size, 3);
  });

  it('leaves nothing: no secret, no state of the editor, no file', async () => {
    const window = openWindow();
    await fill(window);
    await window.reset.run();
    await Promise.all(window.followed);
    assert.equal(secrets.values.size, 0);
    assert.deepEqual([...globalState.values], []);
    assert.deepEqual([...window.workspaceState.values], []);
    assert.deepEqual(
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
      [],
    );
    assert.equal(window.accountInUse.state, 'none');
    assert.deepEqual(window.closed, ['forms']);
    assert.deepEqual(await window.reset.list(), []);
  });

  it('is followed by other windows, with what they kept for their workspaces', async () => {
    const [window, other] = [openWindow(), openWindow()];
    await fill(window);
    // As windows do that know of the accounts.
    await Promise.all([other.accounts.token(ada.id), other.accounts.token(bob.id)]);
    await other.accountInUse.use(ada);
    await other.workspaceState.update('activity.feed', { kind: 'mine' });
    const states: string[] = [];
    other.accountInUse.onDidChange(() => states.push(other.accountInUse.state));
    await window.reset.run();
    await Promise.all(other.followed);
    assert.equal(other.accountInUse.state, 'none');
    assert.equal(states.at(-1), 'none');
    assert.deepEqual([...other.workspaceState.values], []);
    assert.deepEqual(other.closed, ['forms']);
    assert.deepEqual([...globalState.values], []);
    assert.equal(secrets.values.size, 0);
  });

  it('can be done again after new things were kept, and is not repeated by its own signal', async () => {
    const window = openWindow();
    await fill(window);
    await window.reset.run();
    await window.accounts.save(ada, 'glpat-3');
    await Promise.all(window.followed);
    assert.deepEqual(window.accounts.all, [ada]);
    await window.reset.run();
    assert.equal(secrets.values.size, 0);
  });

  it('removes nothing while the secret store is locked, and says so', async () => {
    const window = openWindow();
    await fill(window);
    secrets.failure = new Error('locked');
    await assert.rejects(window.reset.list(), SecretStoreError);
    await assert.rejects(window.reset.run(), SecretStoreError);
    assert.deepEqual(window.accounts.all, [ada, bob]);
    assert.ok(globalState.values.has('notificationProfiles'));
    assert.equal(readdirSync(join(folder, 'activity')).length, 1);
  });
});
