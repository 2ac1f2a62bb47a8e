import * as vscode from 'vscode';
import { AccountInUse } from '../../src/accounts/accountInUse.ts';
import { AccountStore } from '../../src/accounts/accountStore.ts';
import { Connections } from '../../src/accounts/connections.ts';
import { CredentialCheck } from '../../src/accounts/credentialCheck.ts';
import { problemOf } from '../../src/accounts/problem.ts';
import { SignIn } from '../../src/accounts/signIn.ts';
import { systemClock } from '../../src/common/clock.ts';
import type { DiagnosticTools } from '../../src/diagnostics/diagnosis.ts';
import { Network } from '../../src/platform/node/network.ts';
import { withoutApplications, withoutChangingTokens } from './accountSamples.ts';
import { MemoryMemento, MemorySecrets } from './editorState.ts';
import { WindowRemotes } from './windowRemotes.ts';

/** The services of the extension that sign in and read the feed, with their own stores. */
export class Reader implements vscode.Disposable {
  readonly network: Network;
  /** What was logged, line by line, with its level. */
  readonly logged: string[] = [];
  readonly #connections: Connections;
  readonly #signIn: SignIn;
  readonly #parts: readonly vscode.Disposable[];

  constructor() {
    const log = listeningLog(this.logged);
    const secrets = new MemorySecrets();
    const accounts = new AccountStore(new MemoryMemento(), secrets, withoutChangingTokens);
    const mementos = { global: new MemoryMemento(), workspace: new MemoryMemento() };
    const inUse = new AccountInUse(accounts, new WindowRemotes(), mementos);
    this.network = new Network(secrets, log);
    this.#connections = new Connections(
      accounts,
      inUse,
      () => Promise.reject(new Error('no sandbox')),
      async () => this.network,
      log,
    );
    this.#signIn = new SignIn({
      store: accounts,
      check: new CredentialCheck(this.#connections),
      oauth: withoutApplications,
      log,
    });
    this.#parts = [this.#connections, this.network, inUse, accounts];
  }

  /**
   * Signs in and reads the first page of the feed.
   *
   * @returns how many events it holds.
   */
  async read(instanceUrl: string, token: string): Promise<number> {
    await this.#signIn.with({ instanceUrl, token });
    return this.readAgain();
  }

  /** Reads the first page of the feed of the user who is signed in. */
  async readAgain(): Promise<number> {
    const { client } = await this.#connections.current();
    const { value } = await client.events.mine({}, { perPage: 5 }).next();
    return value?.items.length ?? 0;
  }

  /** What a diagnosis is made with. */
  get instruments(): DiagnosticTools {
    return {
      network: this.network,
      client: (instanceUrl, token) => this.#connections.client(instanceUrl, token),
      clock: systemClock,
    };
  }

  /** The sentence that shows why the feed cannot be read. */
  async failure(instanceUrl: string, token: string): Promise<string> {
    return this.read(instanceUrl, token).then(
      (count) => `It did not fail but read ${count} events`,
      (error: unknown) => problemOf(error).sentence,
    );
  }

  dispose(): void {
    this.#parts.forEach((part) => void part.dispose());
  }
}

/** Sets settings for all workspaces, and takes them back. */
export class PersonalSettings {
  readonly #changed = new Set<string>();

  async set(settings: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      this.#changed.add(name);
      await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
    }
  }

  /**
   * Sets settings, and takes back those that are not among them. Where each test begins with it, none is changed twice between two of
   * them: the whole window looks at each change.
   */
  async use(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const others = [...this.#changed].filter((name) => !(name in settings));
    await this.set(Object.fromEntries(others.map((name) => [name, undefined])));
    others.forEach((name) => this.#changed.delete(name));
    await this.set(settings);
  }

  async takeBack(): Promise<void> {
    await this.use({});
  }
}

/** A log that keeps its lines. */
export function listeningLog(lines: string[]): vscode.LogOutputChannel {
  const level =
    (name: string) =>
    (message: unknown): void =>
      void lines.push(`${name}: ${String(message)}`);
  return Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error'].map((name) => [name, level(name)]),
  ) as unknown as vscode.LogOutputChannel;
}
