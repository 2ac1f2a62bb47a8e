import assert from 'node:assert/strict';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import { CheckedMemento, SecretStoreError } from '../../../src/common/stored.ts';
import { sampleAccount, withoutChangingTokens } from '../../support/accountSamples.ts';
import { Memento, Secrets } from '../../support/editor/storage.ts';

const ada = sampleAccount('ada', 'https://one.example');
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
  it('are several, each with its token in an entry of the secret store and nowhere else', async () => {
    const { store, secrets, memento } = window();
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
    assert.deepEqual(store.all, [ada, bob]);
    assert.equal(await tokenOf(store, ada.id), 'glpat-1');
    assert.equal(await tokenOf(store, bob.id), 'glpat-2');
    assert.equal(secrets.values.size, 2);
    assert.ok(!JSON.stringify(memento.keys().map((key) => memento.get(key))).includes('glpat'));
  });

  it('send a token to the instance that is kept with it, whatever is kept of the account elsewhere', async () => {
    const { store, secrets, memento } = window();
    await store.save(ada, 'glpat-1');
    await memento.update('accounts', [{ ...ada, instanceUrl: 'https://hostile.example' }]);
    const deceived = window(secrets, memento).store;
    assert.equal(deceived.find(ada.id)?.instanceUrl, 'https://hostile.example');
    const notified = nextChange(deceived);
    assert.deepEqual(await deceived.credentials(ada.id), { token: 'glpat-1', account: ada });
    assert.equal(await notified, ada.id);
    assert.deepEqual(deceived.all, [ada]);
    assert.deepEqual(memento.get('accounts'), [ada]);
  });

  it('take no entry of the secret store for another account than its own', async () => {
    const { store, secrets } = window();
    await store.save(ada, 'glpat-1');
    await secrets.store(`account:${bob.id}`, secrets.values.get(`account:${ada.id}`) ?? '');
    await assert.rejects(store.credentials(bob.id), SignedOutError);
  });

  it('are two on one host by http and https, and keep their ids when they sign in again', async () => {
    const { store } = window();
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

  it('are known after a restart without reading a secret', async () => {
    const { store, secrets, memento } = window();
    await store.save(ada, 'glpat-1');
    secrets.failure = new Error('locked');
    assert.deepEqual(window(secrets, memento).store.all, [ada]);
  });

  it('leave no token behind when removed', async () => {
    const { store, secrets } = window();
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
    await store.remove(ada.id);
    assert.deepEqual(store.all, [bob]);
    await assert.rejects(tokenOf(store, ada.id), { isTokenGone: false });
    assert.deepEqual([...secrets.values.keys()], ['account:bob@two.example']);
  });

  it('keep their place when they get another token', async () => {
    const { store } = window();
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
    const renewed = { ...ada, tokenStoredAt: 2 };
    await store.save(renewed, 'glpat-3');
    assert.deepEqual(store.all, [renewed, bob]);
    assert.equal(await tokenOf(store, ada.id), 'glpat-3');
  });

  it('notify of each change once, though the secret store does, too', async () => {
    const { store } = window();
    const notified: string[] = [];
    store.onDidChange(({ id }) => notified.push(id));
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
    await store.remove(ada.id);
    assert.deepEqual(notified, [ada.id, bob.id, ada.id]);
  });

  it('are added, renewed and removed in another window, too', async () => {
    const { store, secrets } = window();
    const second = window(secrets).store;
    let notified = nextChange(second);
    await store.save(ada, 'glpat-1');
    assert.equal(await notified, ada.id);
    assert.deepEqual(second.all, [ada]);

    notified = nextChange(second);
    await store.save({ ...ada, tokenStoredAt: 2 }, 'glpat-2');
    await notified;
    assert.equal(await tokenOf(second, ada.id), 'glpat-2');

    notified = nextChange(second);
    await store.remove(ada.id);
    await notified;
    assert.deepEqual(second.all, []);
  });

  it('are found in the secret store when the list of them was overwritten', async () => {
    const { store, secrets } = window();
    await store.save(ada, 'glpat-1');
    await store.save(bob, 'glpat-2');
    const other = window(secrets).store;
    assert.deepEqual(other.all, []);
    assert.equal(await tokenOf(other, ada.id), 'glpat-1');
    assert.deepEqual(other.all, [ada, bob]);
  });

  it('stay as they are when the secret store fails, which is reported', async () => {
    const { store, secrets } = window();
    await store.save(ada, 'glpat-1');
    secrets.failure = new Error('locked');
    await assert.rejects(store.save(bob, 'glpat-2'), (error) => isStoreError(error, 'write'));
    await assert.rejects(store.remove(ada.id), (error) => isStoreError(error, 'write'));
    await assert.rejects(tokenOf(store, ada.id), (error) => isStoreError(error, 'read'));
    assert.deepEqual(store.all, [ada]);
    secrets.failure = undefined;
    assert.equal(await tokenOf(store, ada.id), 'glpat-1');
  });

  for (const text of ['{', '{"account":{},"token":"glpat-1"}']) {
    it(`count an entry that holds ${JSON.stringify(text)} as none`, async () => {
      const { store, secrets } = window();
      await store.save(ada, 'glpat-1');
      // The store has heard of its own writing.
      await tokenOf(store, ada.id);
      secrets.values.set(`account:${ada.id}`, text);
      await assert.rejects(tokenOf(store, ada.id), { accountId: ada.id, isTokenGone: true });
    });
  }
});

function isStoreError(error: unknown, operation: string): boolean {
  return error instanceof SecretStoreError && error.operation === operation;
}
