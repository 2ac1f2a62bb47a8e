import assert from 'node:assert/strict';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import { CheckedMemento, SecretStoreError } from '../../../src/common/stored.ts';
import { sampleAccount, withoutChangingTokens } from '../../support/accountSamples.ts';
import { Memento, Secrets } from '../../support/editor/storage.ts';

const ada = sampleAccount('ada', 'https://one.example');
const eve = sampleAccount('eve', 'https://one.example');
const bob = sampleAccount('bob', 'https://two.example');

const tokenOf = async (store: AccountStore, id: string): Promise<string> => (await store.credentials(id)).token;

function window(secrets = new Secrets(), memento = new Memento()) {
  return {
    secrets,
    memento,
    store: new AccountStore(new CheckedMemento(memento, { warn: () => undefined }), secrets, withoutChangingTokens),
  };
}

/** Resolves with the id of the account that changes next. */
function nextChange(store: AccountStore): Promise<string> {
  return new Promise((resolve) => {
    const subscription = store.onDidChange(({ id }) => {
      subscription.dispose();
      resolve(id);
    });
  });
}

describe('the accounts', () => {
  let secrets: Secrets;
  let memento: Memento;
  let store: AccountStore;
  beforeEach(async () => {
    ({ secrets, memento, store } = window());
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
  });

  it('are several, each with its token in an entry of the secret store and nowhere else', async () => {
    assert.deepEqual(store.all, [ada, bob]);
    assert.equal(await tokenOf(store, ada.id), 'glpat-1');
    assert.equal(await tokenOf(store, bob.id), 'glpat-2');
    assert.equal(secrets.values.size, 2);
    assert.ok(!JSON.stringify(memento.keys().map((key) => memento.get(key))).includes('glpat'));
  });

  it('take no entry of the secret store for another account than its own', async () => {
    await secrets.store(`account:${bob.id}`, secrets.values.get(`account:${ada.id}`) ?? '');
    await assert.rejects(store.credentials(bob.id), SignedOutError);
  });

  it('are two on one host by http and https, and keep their ids when they sign in again', async () => {
    const id = (instanceUrl: string): string => store.idFor({ ...ada, instanceUrl });
    assert.equal(id('https://one.example'), 'ada@one.example');
    assert.equal(id('http://one.example'), 'ada@http://one.example');
    const local = sampleAccount('ada', 'http://127.0.0.1:3000');
    await store.save({ ...local, id: id(local.instanceUrl) }, 'glpat-1');
    assert.equal(id('http://127.0.0.1:3000'), 'ada@127.0.0.1:3000');
    assert.equal(id('https://127.0.0.1:3000'), 'ada@https://127.0.0.1:3000');
    await store.save({ ...ada, id: 'ada@one.example', instanceUrl: 'http://one.example' }, 'glpat-2');
    assert.equal(id('http://one.example'), 'ada@one.example', 'an account of an earlier version');
    assert.equal(id('https://one.example'), 'ada@https://one.example');
  });

  it('leave no token behind when removed', async () => {
    await store.remove(ada.id);
    assert.deepEqual(store.all, [bob]);
    await assert.rejects(tokenOf(store, ada.id), { isTokenGone: false });
    assert.deepEqual([...secrets.values.keys()], [`account:${bob.id}`]);
  });

  it('keep their place when they get another token', async () => {
    const renewed = { ...ada, tokenStoredAt: 2 };
    await store.save(renewed, 'glpat-3');
    assert.deepEqual(store.all, [renewed, bob]);
    assert.equal(await tokenOf(store, ada.id), 'glpat-3');
  });

  it('notify of each change once, though the secret store does, too', async () => {
    const notified: string[] = [];
    store.onDidChange(({ id }) => notified.push(id));
    await store.save(eve, 'glpat-3');
    await store.remove(ada.id);
    assert.deepEqual(notified, [eve.id, ada.id]);
  });

  it('are added, renewed and removed in another window, too', async () => {
    const second = window(secrets).store;
    for (const [change, expected] of [
      [() => store.save(eve, 'glpat-3'), [eve]],
      [() => store.save({ ...eve, tokenStoredAt: 2 }, 'glpat-4'), [{ ...eve, tokenStoredAt: 2 }]],
      [() => store.remove(eve.id), []],
    ] as const) {
      const notified = nextChange(second);
      await change();
      assert.equal(await notified, eve.id);
      assert.deepEqual(second.all, expected);
    }
  });

  it('are found in the secret store when the list of them was overwritten', async () => {
    const other = window(secrets).store;
    assert.deepEqual(other.all, []);
    assert.equal(await tokenOf(other, ada.id), 'glpat-1');
    assert.deepEqual(other.all, [ada, bob]);
  });

  it('stay as they are when the secret store fails, which is reported', async () => {
    secrets.failure = new Error('locked');
    await assert.rejects(store.save(eve, 'glpat-3'), (error) => isStoreError(error, 'write'));
    await assert.rejects(store.remove(ada.id), (error) => isStoreError(error, 'write'));
    await assert.rejects(tokenOf(store, ada.id), (error) => isStoreError(error, 'read'));
    assert.deepEqual(store.all, [ada, bob]);
    secrets.failure = undefined;
    assert.equal(await tokenOf(store, ada.id), 'glpat-1');
  });

  it('count an entry that holds something else as none', async () => {
    // The store has heard of its own writing.
    await tokenOf(store, ada.id);
    for (const text of ['{', '{"account":{},"token":"glpat-1"}']) {
      secrets.values.set(`account:${ada.id}`, text);
      await assert.rejects(tokenOf(store, ada.id), { accountId: ada.id, isTokenGone: true }, text);
    }
  });
});

function isStoreError(error: unknown, operation: string): boolean {
  return error instanceof SecretStoreError && error.operation === operation;
}
