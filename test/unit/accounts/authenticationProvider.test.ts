import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import type { InstanceAccount } from '../../../src/accounts/keptAccount.ts';
import { accountSessions } from '../../../src/accounts/authenticationProvider.ts';
import { sampleAccount, withoutChangingTokens } from '../../support/accountSamples.ts';
import { Memento, Secrets } from '../../support/editor/storage.ts';

const ada = sampleAccount('ada', 'https://one.example', { scopes: ['api'] });
const bob = sampleAccount('bob', 'https://two.example', { scopes: ['read_user'] });

describe('the authentication provider', () => {
  let store: AccountStore;
  let provider: ReturnType<typeof accountSessions>;
  beforeEach(async () => {
    store = new AccountStore(new Memento(), new Secrets(), withoutChangingTokens);
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
    provider = accountSessions(store, (id) => store.remove(id));
  });
  afterEach(() => {
    vscode.Disposable.from(provider, store).dispose();
  });

  const ids = async (account?: InstanceAccount): Promise<string[]> => {
    const options = account ? { account: { id: account.id, label: account.id } } : {};
    return (await provider.getSessions(undefined, options)).map(({ id }) => id);
  };

  it('has a session for each account, and gives no token to anybody', async () => {
    assert.deepEqual(await provider.getSessions(undefined, {}), [
      { id: ada.id, accessToken: '', account: { id: ada.id, label: ada.id }, scopes: ['api'] },
      { id: bob.id, accessToken: '', account: { id: bob.id, label: bob.id }, scopes: ['read_user'] },
    ]);
    assert.deepEqual(await ids(bob), [bob.id]);
    assert.deepEqual(await provider.getSessions(['api'], {}), []);
    await assert.rejects(async () => provider.createSession([], {}), vscode.CancellationError);
  });

  it('signs out, and tells of each change', async () => {
    const notified: vscode.AuthenticationProviderAuthenticationSessionsChangeEvent[] = [];
    provider.onDidChangeSessions((event) => notified.push(event));
    const eve = sampleAccount('eve', 'https://one.example');
    await store.save(eve, 'glpat-3');
    await store.save({ ...ada, tokenStoredAt: 2 }, 'glpat-4');
    await provider.removeSession(bob.id);
    assert.deepEqual(await ids(), [ada.id, eve.id]);
    assert.deepEqual(
      notified.map(({ added, changed, removed }) => [added, changed, removed].map((some) => some?.map(({ id }) => id))),
      [
        [[eve.id], [], []],
        [[], [ada.id], []],
        [[], [], [bob.id]],
      ],
    );
  });
});
