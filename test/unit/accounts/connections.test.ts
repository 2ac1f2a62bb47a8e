import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SignedOutError } from '../../../src/accounts/account.ts';
import { AccountInUse } from '../../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import { Connections } from '../../../src/accounts/connections.ts';
import { identify } from '../../../src/accounts/tokenCheck.ts';
import type { App } from '../../../src/app.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { Network } from '../../../src/platform/node/routes.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { sampleAccount, withoutChangingTokens } from '../../support/accountSamples.ts';
import { Memento, Secrets } from '../../support/editor/storage.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { WindowRemotes } from './windowRemotes.ts';

insideWindow(import.meta.filename);

describe('connections', () => {
  let one: Sandbox;
  let log: vscode.LogOutputChannel;
  before(async () => {
    one = await startSandbox({ liveEvents: false });
  });
  after(() => one.close());
  beforeEach(() => {
    log = vscode.window.createOutputChannel('Beacon test', { log: true });
  });

  function window(secrets = new Secrets(), memento = new Memento(), network = new Network(secrets, log)) {
    const store = new AccountStore(memento, secrets, withoutChangingTokens);
    const mementos = { global: new Memento(), workspace: new Memento() };
    const inUse = new AccountInUse(store, new WindowRemotes(), mementos);
    const connections = new Connections(store, inUse, network, log);
    const app = { connections, clock: systemClock } as unknown as App;
    const signIn = async ({ url }: Sandbox, token: string): Promise<string> => {
      const user = await identify(app, url, token);
      const { id } = await store.save({ ...user, id: store.idFor(user) }, token);
      return id;
    };
    return { store, inUse, connections, app, signIn };
  }

  it('go to the instance that is kept with the token, also where the list of accounts says another', async () => {
    await using hostile = await startHostileServer((_, response) => sendJson(response, {}));
    const secrets = new Secrets();
    const first = window(secrets);
    const id = await first.signIn(one, one.tokens.owner);
    const memento = new Memento();
    await memento.update('accounts', [{ ...first.store.find(id), instanceUrl: hostile.origin }]);
    const { connections, store } = window(secrets, memento);
    const changed: string[] = [];
    store.onDidChange((change) => changed.push(change.id));
    const { client, account, instanceUrl } = await connections.of(id);
    assert.equal((await client.directory.currentUser()).username, store.find(id)?.username);
    assert.equal(instanceUrl, one.url);
    assert.deepEqual([store.all, memento.get('accounts'), changed], [[account], [account], [id]]);
    assert.deepEqual(hostile.requests, []);
  });

  it('are one per account and token, whichever listener is called first', async () => {
    const { store, inUse, connections, signIn } = window();
    const fromListeners: Promise<unknown>[] = [];
    inUse.onDidChange(() =>
      fromListeners.push(connections.current().then(({ client }) => client.directory.currentUser())),
    );
    const id = await signIn(one, one.tokens.owner);
    const before = await connections.of(id);
    assert.equal(await connections.current(), before);
    const account = store.find(id);
    assert.ok(account);
    await store.save({ ...account, tokenStoredAt: account.tokenStoredAt + 1 }, one.tokens.owner);
    await Promise.all(fromListeners);
    assert.equal(fromListeners.length, 2);
    assert.notEqual(await connections.of(id), before);
  });

  it('end with the sign-out, those of an earlier token and of an earlier route, too; a new token lets requests finish', async () => {
    const held: (() => void)[] = [];
    const arrived = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    await using server = await startHostileServer((_, response) => {
      held.push(() => sendJson(response, { version: '18.7.0' }));
      arrived[held.length - 1]?.resolve();
    });
    const routes = new vscode.EventEmitter<void>();
    const network = Object.assign(new Network(new Secrets(), log), { onDidChange: routes.event });
    const { store, connections } = window(undefined, undefined, network);
    const account = sampleAccount('ada', server.origin);
    await store.save(account, 'first');
    const first = await connections.of(account.id);
    const finishing = first.client.directory.version();
    await arrived[0]?.promise;
    await store.save({ ...account, tokenStoredAt: 2 }, 'second');
    const second = await connections.of(account.id);
    held[0]?.();
    assert.equal((await finishing).version, '18.7.0');
    routes.fire();
    const third = await connections.of(account.id);
    assert.equal(new Set([first, second, third]).size, 3);
    const ended = [first, second].map(async ({ client }) =>
      assert.rejects(client.notificationSettings.update('global', { level: 'watch' }), { reason: 'aborted' }),
    );
    await Promise.all([arrived[1]?.promise, arrived[2]?.promise]);
    await store.remove(account.id);
    await Promise.all(ended);
    for (const { client } of [first, second, third]) {
      await assert.rejects(client.directory.version(), { reason: 'aborted' });
    }
    assert.equal(server.requests.length, 3);
    routes.dispose();
  });

  it('that are being made when the account is signed out of are closed, also where it is signed in to again', async () => {
    const network = new Network(new Secrets(), log);
    const asked = Promise.withResolvers<void>();
    const createTransport = async (url: string) => {
      await asked.promise;
      return await Network.prototype.createTransport.call(network, url);
    };
    const { store, connections } = window(undefined, undefined, Object.assign(network, { createTransport }));
    const account = sampleAccount('ada', one.url);
    await store.save(account, 'glpat-of-before');
    const made = connections.of(account.id);
    await store.remove(account.id);
    await store.save(account, one.tokens.owner);
    asked.resolve();
    await assert.rejects(made, SignedOutError);
    const { client } = await connections.of(account.id);
    assert.ok((await client.directory.currentUser()).username);
  });

  it('are none when signed out', async () => {
    const { connections } = window();
    await assert.rejects(connections.current(), SignedOutError);
    const accountId = 'ada@nowhere.example';
    await assert.rejects(connections.of(accountId), (error: SignedOutError) => error.accountId === accountId);
  });
});
