import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type * as vscode from 'vscode';
import { sandboxAccount } from '../../../src/accounts/account.ts';
import { AccountInUse } from '../../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../../src/accounts/accountStore.ts';
import { Connections } from '../../../src/accounts/connections.ts';
import { identify } from '../../../src/accounts/tokenCheck.ts';
import type { App } from '../../../src/app.ts';
import { systemClock } from '../../../src/common/clock.ts';
import { problemOf } from '../../../src/accounts/problem.ts';
import { Network } from '../../../src/platform/node/network.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { withoutChangingTokens } from '../../support/accountSamples.ts';
import { ActivityWindow } from '../../support/activityWindow.ts';
import { MemoryMemento, MemorySecrets } from '../../support/editorState.ts';
import { startHostileServer } from '../../support/hostileServer.ts';
import { WindowRemotes } from '../../support/windowRemotes.ts';

describe('a token', () => {
  it('is in the secret store, and neither in what is kept, shown or logged, nor in failures that repeat it', async () => {
    const sandbox = await startSandbox({ liveEvents: false });
    const token = sandbox.tokens.owner;
    const logged: unknown[][] = [];
    const note = (...entry: unknown[]): void => void logged.push(entry);
    const log = { error: note, warn: note, info: note, debug: note, trace: note } as unknown as vscode.LogOutputChannel;
    const [memento, secrets] = [new MemoryMemento(), new MemorySecrets()];
    const store = new AccountStore(memento, secrets, withoutChangingTokens);
    const inUse = new AccountInUse(store, new WindowRemotes(), { global: memento, workspace: memento });
    const never = (): Promise<never> => Promise.reject(new Error('not the sandbox of the editor'));
    const connections = new Connections(store, inUse, never, new Network(secrets, log), log);
    const account = await identify({ connections, clock: systemClock } as unknown as App, sandbox.url, token);
    await store.save(account, token);
    await inUse.use(account);
    const window = await ActivityWindow.open(async () => ({
      ...(await connections.of(account.id)),
      account: sandboxAccount,
    }));
    const shown: unknown[] = [];
    try {
      await window.feed.refresh();
      for (const node of await window.events()) {
        shown.push(
          window.tree.getTreeItem(node),
          (await window.tree.resolveTreeItem(window.tree.getTreeItem(node), node)).tooltip,
        );
      }
      assert.ok(shown.length > 20);
      const kept = readdirSync(join(window.folder, 'activity'));
      const files = kept.map((name) => readFileSync(join(window.folder, 'activity', name), 'utf8'));
      assert.ok(files.join('').length > 1000, 'the feed is kept');

      await using hostile = await startHostileServer(({ headers }, response) => {
        const sent = String(headers['private-token']);
        const body = JSON.stringify({ message: { [sent]: [sent] }, error: sent });
        response.writeHead(422, { 'content-type': 'application/json', 'x-request-id': sent }).end(body);
      });
      const deceived = { ...account, id: 'marta@hostile', instanceUrl: hostile.origin };
      await store.save(deceived, token);
      const { client } = await connections.of(deceived.id);
      const failures = await Promise.all(
        [client.directory.currentUser(), client.events.mine().next(), client.notificationSettings.get('global')].map(
          async (asking) =>
            asking.then(
              () => undefined,
              (error: unknown) => error,
            ),
        ),
      );
      assert.ok(failures.every((error) => error instanceof Error) && hostile.requests.length === 3);
      failures.forEach((error) => shown.push(inspect(error, { depth: 10 }), problemOf(error)));

      assert.ok(
        [...secrets.values.values()].some((entry) => entry.includes(token)),
        'the secret store has it',
      );
      assert.ok(logged.length > 0 && memento.values.size > 0);
      const everything = inspect([shown, files, [...memento.values], [...window.globalState.values], logged], {
        ...{ depth: 12, maxArrayLength: null, maxStringLength: null, showHidden: false },
      });
      assert.ok(!everything.includes(token));
    } finally {
      window.dispose();
      connections.dispose();
      inUse.dispose();
      store.dispose();
      await sandbox.close();
    }
  });
});
