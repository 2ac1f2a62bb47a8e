import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sandboxAccount, type InstanceAccount } from '../../src/accounts/account.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';

const ada: InstanceAccount = { kind: 'instance', id: 'ada@host', instanceUrl: 'https://host', username: 'ada' };
const bob: InstanceAccount = { kind: 'instance', id: 'bob@host', instanceUrl: 'https://host', username: 'bob' };

/** A store over maps, which show what it leaves where. */
function store() {
  const state = new Map<string, unknown>();
  const secrets = new Map<string, string>();
  const memento: vscode.Memento = {
    keys: () => [...state.keys()],
    get: <T>(key: string) => state.get(key) as T | undefined,
    update: async (key: string, value: unknown) =>
      void (value === undefined ? state.delete(key) : state.set(key, value)),
  };
  const secretStorage: vscode.SecretStorage = {
    keys: async () => [...secrets.keys()],
    get: async (key) => secrets.get(key),
    store: async (key, value) => void secrets.set(key, value),
    delete: async (key) => void secrets.delete(key),
    onDidChange: new vscode.EventEmitter<vscode.SecretStorageChangeEvent>().event,
  };
  return { state, secrets, accounts: new AccountStore(memento, secretStorage) };
}

describe('the account in use', () => {
  it('is remembered with its token, which is in the secret store alone', async () => {
    const { state, secrets, accounts } = store();
    await accounts.signIn(ada, 'glpat-1');
    assert.deepEqual(accounts.account, ada);
    assert.equal(await accounts.token(ada), 'glpat-1');
    assert.deepEqual([...secrets.values()], ['glpat-1']);
    assert.ok(!JSON.stringify([...state]).includes('glpat-1'));
  });

  it('leaves no token behind when signed out or replaced', async () => {
    const { secrets, accounts } = store();
    await accounts.signIn(ada, 'glpat-1');
    await accounts.signIn(bob, 'glpat-2');
    assert.deepEqual([...secrets.values()], ['glpat-2']);
    await accounts.use(sandboxAccount);
    assert.equal(secrets.size, 0);
    await accounts.signIn(ada, 'glpat-1');
    await accounts.signOut();
    assert.equal(secrets.size, 0);
    assert.equal(accounts.account, undefined);
  });

  it('keeps the token of an account that signs in again', async () => {
    const { accounts } = store();
    await accounts.signIn(ada, 'glpat-1');
    await accounts.signIn(ada, 'glpat-3');
    assert.equal(await accounts.token(ada), 'glpat-3');
  });

  it('tells each change once', async () => {
    const { accounts } = store();
    let changes = 0;
    accounts.onDidChange(() => changes++);
    await accounts.signIn(ada, 'glpat-1');
    await accounts.use(sandboxAccount);
    await accounts.signOut();
    assert.equal(changes, 3);
  });
});
