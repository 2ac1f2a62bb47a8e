import * as vscode from 'vscode';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { Connections } from '../../src/accounts/connections.ts';
import { problemOf } from '../../src/accounts/problem.ts';
import { OAuthSignIn } from '../../src/accounts/oauthSignIn.ts';
import { SignIn } from '../../src/accounts/signIn.ts';
import type { App } from '../../src/app.ts';
import { systemClock } from '../../src/common/clock.ts';
import { Network } from '../../src/platform/node/routes.ts';
import { withoutChangingTokens } from '../support/accountSamples.ts';
import { Memento, Secrets } from '../support/editor/storage.ts';

const noRemotes = { repositories: [], onDidChange: () => ({ dispose: () => undefined }) };

/** Signs in and reads the feed in the real extension host, with stores of its own: the extension keeps accounts of its own. */
export class Reader implements vscode.Disposable {
  readonly signIn: SignIn;
  readonly connections: Connections;
  readonly network: Network;
  /** What was logged, line by line, with its level. */
  readonly logged: string[] = [];
  readonly #parts: vscode.Disposable;

  constructor() {
    const levels = ['trace', 'debug', 'info', 'warn', 'error'].map((name) => [
      name,
      (message: unknown): void => void this.logged.push(`${name}: ${String(message)}`),
    ]);
    const log = Object.fromEntries(levels) as unknown as vscode.LogOutputChannel;
    const [secrets, globalState] = [new Secrets(), new Memento()];
    const accounts = new AccountStore(globalState, secrets, withoutChangingTokens);
    const mementos = { global: globalState, workspace: new Memento() };
    const accountInUse = new AccountInUse(accounts, noRemotes as never, mementos);
    this.network = new Network(secrets, log);
    this.connections = new Connections(accounts, accountInUse, this.network, log);
    const { connections, network } = this;
    const app = { accounts, accountInUse, connections, globalState, log, clock: systemClock, network };
    const parts = app as unknown as App;
    this.signIn = new SignIn(parts, new OAuthSignIn(parts));
    this.#parts = vscode.Disposable.from(this.connections, this.network, accountInUse, accounts);
  }

  /**
   * Signs in and reads the first page of the feed.
   *
   * @returns how many events it holds.
   */
  async read(instanceUrl: string, token: string): Promise<number> {
    await this.signIn.take({ instanceUrl }, { token });
    return this.readAgain();
  }

  /** Reads the first page of the feed of the user who is signed in. */
  async readAgain(): Promise<number> {
    const { client } = await this.connections.current();
    const { value } = await client.events.mine({}, { perPage: 5 }).next();
    return value?.items.length ?? 0;
  }

  dispose(): void {
    this.#parts.dispose();
  }

  /** The sentence that shows why the feed cannot be read. */
  async failure(instanceUrl: string, token: string): Promise<string> {
    return this.read(instanceUrl, token).then(
      (count) => `It did not fail but read ${count} events`,
      (error: unknown) => problemOf(error).sentence,
    );
  }
}
