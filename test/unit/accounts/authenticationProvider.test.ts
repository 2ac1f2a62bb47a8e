import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AccountCommands } from '../../../src/accounts/accountCommands.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import type { InstanceAccount } from '../../../src/accounts/keptAccount.ts';
import { AccountsAuthenticationProvider } from '../../../src/accounts/authenticationProvider.ts';
import { sampleAccount, withoutChangingTokens } from '../../support/accountSamples.ts';
import { Memento, Secrets } from '../../support/editor/storage.ts';

const ada = sampleAccount('ada', 'https://one.example', { scopes: ['api'] });
const bob = sampleAccount('bob', 'https://two.example', { scopes: ['read_user'] });

describe('the authentication provider', () => {
  let store: AccountStore;
  let answer: InstanceAccount | undefined;
  let provider: AccountsAuthenticationProvider;
  beforeEach(async () => {
    store = new AccountStore(new Memento(), new Secrets(), withoutChangingTokens);
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
    const commands = {
      signIn: async () => {
        if (answer) {
          await store.save(answer, 'glpat-3');
        }
        return answer;
      },
      remove: (id: string) => store.remove(id),
    };
    provider = new AccountsAuthenticationProvider(store, commands as AccountCommands);
  });
  afterEach(() => {
    vscode.Disposable.from(provider, store).dispose();
  });

  const idsFor = async (scopes?: string[]): Promise<string[]> =>
    (await provider.getSessions(scopes)).map(({ id }) => id);

  it('has a session for each account, with its scopes and token', async () => {
    assert.deepEqual(await provider.getSessions(undefined), [
      { id: ada.id, accessToken: 'glpat-1', account: { id: ada.id, label: ada.id }, scopes: ['api'] },
      { id: bob.id, accessToken: 'glpat-2', account: { id: bob.id, label: bob.id }, scopes: ['read_user'] },
    ]);
  });

  it('finds sessions by their scopes and account', async () => {
    assert.deepEqual(await idsFor(['api']), [ada.id]);
    assert.deepEqual(await idsFor([]), [ada.id, bob.id]);
    assert.deepEqual(await idsFor(['api', 'read_user']), []);
    const fineGrained = sampleAccount('cleo', 'https://one.example', { scopes: ['granular'] });
    await store.save(fineGrained, 'glpat-3');
    assert.deepEqual(await idsFor(['api', 'read_user']), [fineGrained.id], 'it may have them');
    const ofBob = await provider.getSessions(undefined, { account: { id: bob.id, label: bob.id } });
    assert.deepEqual(
      ofBob.map(({ id }) => id),
      [bob.id],
    );
  });

  it('signs in and out, and fires events without tokens', async () => {
    const notified: vscode.AuthenticationProviderAuthenticationSessionsChangeEvent[] = [];
    provider.onDidChangeSessions((event) => notified.push(event));
    answer = sampleAccount('eve', 'https://one.example');
    assert.equal((await provider.createSession()).accessToken, 'glpat-3');
    await store.save({ ...ada, tokenStoredAt: 2 }, 'glpat-4');
    await provider.removeSession(bob.id);
    assert.deepEqual(await idsFor(), [ada.id, answer.id]);
    assert.deepEqual(
      notified.map(({ added, changed, removed }) => [added, changed, removed].map((some) => some?.map(({ id }) => id))),
      [
        [[answer.id], [], []],
        [[], [ada.id], []],
        [[], [], [bob.id]],
      ],
    );
    assert.ok(!JSON.stringify(notified).includes('glpat'));
  });

  it('reports that a sign-in was cancelled', async () => {
    answer = undefined;
    await assert.rejects(provider.createSession(), vscode.CancellationError);
  });
});
