import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AccountInUse } from '../../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import { withoutChangingTokens } from '../../support/accountSamples.ts';
import { Secrets } from '../../support/editor/storage.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { keptState, mementoOf, stored } from '../common/keptState.ts';
import { runs } from '../../support/properties.ts';
import { WindowRemotes } from './windowRemotes.ts';

insideWindow(import.meta.filename);

const account = {
  ...{ kind: 'instance', id: 'ada@host', instanceUrl: 'https://host', userId: 1, username: 'ada' },
  tokenStoredAt: 1,
};
const kept = keptState('accounts', 'accountInUse', 'pins');

describe('what was kept of accounts, whatever has become of it', () => {
  it('lets the accounts begin, with those that can be used', () => {
    const remotes = new WindowRemotes().open(['git@host:a/b.git']);
    fc.assert(
      fc.property(kept, fc.array(stored), (left, accounts) => {
        const { memento } = mementoOf({ ...left, accounts: [account, ...accounts] });
        const store = new AccountStore(memento, new Secrets(), withoutChangingTokens);
        const inUse = new AccountInUse(store, remotes, { global: memento, workspace: memento });
        assert.deepEqual(store.all[0], account);
        assert.ok(store.all.every(({ instanceUrl }) => /^https?:\/\//.test(instanceUrl)));
        assert.ok(inUse.account !== undefined);
        inUse.dispose();
        store.dispose();
      }),
      runs(150),
    );
  });

  it('takes an account without what is odd about it, and no other address than of the web', () => {
    const { memento } = mementoOf({
      accounts: [
        { ...account, scopes: ['granular'], expiresAt: 7 },
        { ...account, id: 'b', instanceUrl: 'not an address' },
        { ...account, id: 'c', instanceUrl: 'file:///etc' },
        { ...account, id: 'd', instanceUrl: 'https://user:secret@host' },
      ],
    });
    const store = new AccountStore(memento, new Secrets(), withoutChangingTokens);
    assert.deepEqual(JSON.parse(JSON.stringify(store.all)), [account]);
    store.dispose();
  });
});
