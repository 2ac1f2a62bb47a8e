import assert from 'node:assert/strict';
import { sandboxAccount } from '../../../src/accounts/account.ts';
import { AccountInUse, shortAccountLabel } from '../../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import type { InstanceAccount } from '../../../src/accounts/keptAccount.ts';
import { WorkspaceProjects } from '../../../src/accounts/workspaceProjects.ts';
import { sampleAccount, withoutChangingTokens } from '../../support/accountSamples.ts';
import { Memento, Secrets } from '../../support/editor/storage.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { WindowRemotes } from './windowRemotes.ts';

const ada = sampleAccount('ada', 'https://one.example');
const eve = sampleAccount('eve', 'https://one.example');
const bob = sampleAccount('bob', 'https://two.example');

/** A window with accounts, and the services that decide which one it works with. */
async function window(accounts: readonly InstanceAccount[], global = new Memento()) {
  const store = new AccountStore(new Memento(), new Secrets(), withoutChangingTokens);
  for (const account of accounts) {
    await store.save(account, `glpat-${account.username}`);
  }
  const remotes = new WindowRemotes();
  const inUse = new AccountInUse(store, remotes, { global, workspace: new Memento() });
  return { store, remotes, inUse, projects: new WorkspaceProjects(remotes, store, inUse) };
}

insideWindow(import.meta.filename);

describe('the account in use', () => {
  it('is named in a row by what tells it from the others', () => {
    const labels = (...accounts: readonly InstanceAccount[]) =>
      accounts.map(({ id }) => shortAccountLabel(id, accounts));
    assert.deepEqual(labels(ada, eve, bob), ['ada', 'eve', 'two.example']);
    const other = sampleAccount('ada', 'https://two.example');
    assert.deepEqual(labels(ada, other), ['one.example', 'two.example']);
    assert.deepEqual(labels(ada, eve, other, bob), ['ada@one.example', 'eve', 'ada@two.example', 'bob']);
    assert.equal(shortAccountLabel(ada.id, [bob]), ada.id, 'one that is signed out of');
    const on = (...names: readonly string[]) =>
      labels(...names.map((name) => sampleAccount('ada', `https://${name}`, { id: `ada@${name}` })));
    assert.deepEqual(on('gitlab.com', 'gitlab.two.example'), ['gitlab.com', '…two.example']);
    assert.deepEqual(on('gitlab.com', 'gitlab.com.two.example', 'three.example'), [
      'gitlab.com',
      '…com.two.example',
      'three.example',
    ]);
    assert.deepEqual(on('one.example:8443', 'one.example:9443'), ['…8443', '…9443']);
    assert.deepEqual(on('one.example/git', 'one.example/gitlab'), ['…git', '…gitlab']);
  });

  it('is named where there is another one, be it the sandbox', async () => {
    const { inUse, store } = await window([ada]);
    assert.deepEqual(
      [inUse.labelOf(ada.id), inUse.named('Feed', ada.id), inUse.nameOf(ada)],
      ['', 'Feed', 'one.example'],
    );
    await inUse.use(sandboxAccount);
    assert.deepEqual([inUse.labelOf(ada.id), inUse.labelOf('sandbox')], [ada.id, 'marta@sandbox']);
    await store.save(bob, 'glpat-bob');
    await inUse.use(ada);
    assert.deepEqual([inUse.named('Feed', ada.id), inUse.nameOf(bob)], ['Feed (ada@one.example)', bob.id]);
    await store.remove(ada.id);
    assert.equal(inUse.labelOf(ada.id), ada.id, 'one that is gone is not the one that is there');
  });

  it('is the one on the instance that a remote leads to', async () => {
    const { inUse, remotes } = await window([ada, bob]);
    remotes.open(['https://github.com/o/p.git'], ['git@one.example:group/project.git']);
    assert.deepEqual(inUse.account, ada);
    remotes.open(['git@two.example:group/project.git']);
    assert.deepEqual(inUse.account, bob);
  });

  it('is the one used last of several that remotes lead to, or the newest of them, and stays', async () => {
    const { inUse, remotes } = await window([ada, eve, bob]);
    remotes.open(['git@one.example:group/project.git']);
    assert.deepEqual([inUse.account, inUse.labelOf(eve.id)], [eve, eve.id]);
    await inUse.use(ada);
    assert.deepEqual(inUse.account, ada);
    remotes.open(['git@two.example:group/project.git']);
    assert.deepEqual(inUse.account, ada);
  });

  it('is the one chosen last in any window if no remote decides', async () => {
    const global = new Memento();
    const first = await window([ada, bob], global);
    await first.inUse.use(ada);
    const second = await window([ada, bob], global);
    assert.deepEqual(second.inUse.account, ada);
    second.remotes.open(['git@two.example:group/project.git']);
    assert.deepEqual(second.inUse.account, bob);
  });

  it('is none that another window chooses while this one is open', async () => {
    const global = new Memento();
    const [first, second] = [await window([ada, bob], global), await window([ada, bob], global)];
    for (const account of [ada, sandboxAccount]) {
      await first.inUse.use(account);
      assert.deepEqual([first.inUse.account, second.inUse.account], [account, bob]);
    }
  });

  it('is the sandbox until that is left, and then the one before again, while it is there', async () => {
    const { inUse, store } = await window([ada, bob]);
    await inUse.use(ada);
    await inUse.use(sandboxAccount);
    assert.deepEqual(inUse.account, sandboxAccount);
    await inUse.leaveSandbox();
    assert.deepEqual(inUse.account, ada);
    await inUse.use(sandboxAccount);
    await store.remove(ada.id);
    await inUse.leaveSandbox();
    assert.deepEqual(inUse.account, bob);
  });

  it('fires when it changes or has another token, and not when something else does', async () => {
    const { inUse, store, remotes } = await window([ada]);
    let changes = 0;
    inUse.onDidChange(() => changes++);
    await store.save({ ...ada, tokenStoredAt: 2 }, 'glpat-new');
    assert.equal(changes, 1);
    remotes.open(['git@one.example:group/project.git']);
    await store.save(bob, 'glpat-bob');
    assert.equal(changes, 1);
    await inUse.use(bob);
    assert.equal(changes, 2);
  });
});

describe('the projects of the workspace', () => {
  const summary = ({ projects }: { projects: WorkspaceProjects }): string[] =>
    projects.all.map(({ accountId, path, folder }) => `${accountId} ${path} ${folder.path}`);

  it('are those that remotes lead to, one for each repository and instance, without repeats', async () => {
    const parts = await window([ada, bob]);
    parts.remotes.open(
      ['git@one.example:group/project.git', 'https://one.example/fork/project'],
      ['https://github.com/owner/project.git'],
      ['https://two.example/group/sub/other.git'],
      ['ssh://git@one.example:22/group/project.git'],
    );
    assert.deepEqual(summary(parts), [
      'ada@one.example group/project /repositories/0',
      'ada@one.example fork/project /repositories/0',
      'bob@two.example group/sub/other /repositories/2',
    ]);
    assert.equal(parts.projects.current?.path, 'group/project');
  });

  it('are reached by the account in use where several could', async () => {
    const parts = await window([ada, eve]);
    parts.remotes.open(['git@one.example:group/project.git']);
    await parts.inUse.use(ada);
    assert.deepEqual(summary(parts), ['ada@one.example group/project /repositories/0']);
    let changes = 0;
    parts.projects.onDidChange(() => changes++);
    await parts.inUse.use(eve);
    assert.deepEqual(summary(parts), ['eve@one.example group/project /repositories/0']);
    assert.equal(changes, 1);
  });
});
