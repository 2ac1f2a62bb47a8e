import type * as vscode from 'vscode';
import { type Account, sandboxAccount, SignedOutError } from '../../src/accounts/account.ts';
import type { Connection } from '../../src/accounts/connections.ts';
import { type Client, createClient } from '../../src/api/client.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox/sandbox.ts';
import type { SampleTokens } from '../../src/sandbox/state/sampleData.ts';

/** How a window is signed in. */
interface SignedInWindowOptions extends SandboxOptions {
  /** Whose token is used; `owner`, who sees and may do everything, if not given. */
  readonly as?: keyof SampleTokens;
  /** How many times a request is repeated; not at all if not given, so that tests of failures need not wait. */
  readonly retries?: number;
}

/** What features get of the accounts, in a window that is signed in to a sandbox instance of its own. Needs no editor. */
export class SignedInWindow {
  readonly sandbox: Sandbox;
  readonly client: Client;
  #account: Account | undefined = sandboxAccount;
  readonly #listeners = new Set<() => unknown>();

  private constructor(sandbox: Sandbox, client: Client) {
    this.sandbox = sandbox;
    this.client = client;
  }

  static async open(options: SignedInWindowOptions = {}): Promise<SignedInWindow> {
    const { as = 'owner', retries = 0, ...ofSandbox } = options;
    const sandbox = await startSandbox(ofSandbox);
    return new SignedInWindow(sandbox, createClient({ instanceUrl: sandbox.url, token: sandbox.tokens[as], retries }));
  }

  /** @throws SignedOutError while no account is in use. */
  get connection(): Connection {
    if (!this.#account) {
      throw new SignedOutError();
    }
    return { account: this.#account, instanceUrl: this.sandbox.url, client: this.client };
  }

  /** Stands in for `Connections`: all accounts have the same client. */
  readonly connections = { current: async () => this.connection, of: async (_accountId: string) => this.connection };

  /** Stands in for `AccountInUse`. */
  get accountInUse(): { readonly account: Account | undefined; readonly onDidChange: vscode.Event<void> } {
    const account = (): Account | undefined => this.#account;
    return {
      get account() {
        return account();
      },
      onDidChange: (listener) => {
        this.#listeners.add(listener);
        return { dispose: () => this.#listeners.delete(listener) };
      },
    };
  }

  /** Works with another account from now on, or with none. */
  use(account: Account | undefined): void {
    this.#account = account;
    this.#listeners.forEach((listener) => listener());
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.sandbox.close();
  }
}
