import * as vscode from 'vscode';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { Connections } from '../../src/accounts/connections.ts';
import { SignIn } from '../../src/accounts/signIn.ts';
import type { App } from '../../src/app.ts';
import { type Clock, systemClock } from '../../src/common/clock.ts';
import { Network } from '../../src/platform/node/network.ts';
import { withoutChangingTokens } from './accountSamples.ts';
import { MemoryMemento, MemorySecrets } from './editorState.ts';
import { listeningLog } from './listeningLog.ts';
import { WindowRemotes } from './windowRemotes.ts';

/** What signs in and connects, with stores of its own, in the editor's extension host. */
export class AccountsApp implements vscode.Disposable {
  readonly app: App;
  readonly signIn: SignIn;
  readonly store: AccountStore;
  readonly connections: Connections;
  readonly network: Network;
  /** What was logged, line by line, with its level. */
  readonly logged: string[] = [];
  readonly #inUse: AccountInUse;

  constructor(clock: Pick<Clock, 'date'> = systemClock) {
    const log = listeningLog(this.logged);
    const [secrets, globalState] = [new MemorySecrets(), new MemoryMemento()];
    this.store = new AccountStore(globalState, secrets, withoutChangingTokens);
    const mementos = { global: globalState, workspace: new MemoryMemento() };
    this.#inUse = new AccountInUse(this.store, new WindowRemotes(), mementos);
    this.network = new Network(secrets, log);
    const noSandbox = () => Promise.reject(new Error('no sandbox'));
    this.connections = new Connections(this.store, this.#inUse, noSandbox, this.network, log);
    const own = { accounts: this.store, accountInUse: this.#inUse, connections: this.connections };
    this.app = { ...own, globalState, log, clock, network: this.network } as unknown as App;
    this.signIn = new SignIn(this.app);
  }

  dispose(): void {
    vscode.Disposable.from(this.connections, this.network, this.#inUse, this.store).dispose();
  }
}
