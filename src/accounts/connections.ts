import type * as vscode from 'vscode';
import type { Client } from '../api/client.ts';
import type { Account, Credentials, InstanceAccount } from './account.ts';
import type { AccountStore } from './accountStore.ts';
import { SignedOutError } from './signedOutError.ts';

/** An account with the client that talks to its instance. */
export interface Connection {
  readonly account: Account;
  readonly instanceUrl: string;
  readonly client: Client;
}

/** Gives every feature the one client of the account in use, and loads the client's code when it is first asked for. */
export class Connections implements vscode.Disposable {
  readonly #accounts: AccountStore;
  readonly #startSandbox: () => Promise<Credentials>;
  readonly #log: vscode.LogOutputChannel;
  readonly #subscription: vscode.Disposable;
  #current: Promise<Connection> | undefined;

  /** @param startSandbox makes sure that the embedded instance runs. */
  constructor(accounts: AccountStore, startSandbox: () => Promise<Credentials>, log: vscode.LogOutputChannel) {
    this.#accounts = accounts;
    this.#startSandbox = startSandbox;
    this.#log = log;
    this.#subscription = accounts.onDidChange(() => this.#drop());
  }

  /**
   * The connection of the account in use, the same for all callers until the account changes.
   *
   * @throws SignedOutError if there is no account or no token.
   */
  async current(): Promise<Connection> {
    this.#current ??= this.#connect().catch((error: unknown) => {
      this.#current = undefined;
      throw error;
    });
    return this.#current;
  }

  /**
   * The connection of a certain account.
   *
   * @throws SignedOutError if there is no such account (any more), or no token.
   */
  async of(accountId: string): Promise<Connection> {
    if (this.#accounts.account?.id !== accountId) {
      throw new SignedOutError();
    }
    return this.current();
  }

  /** A client for an instance and a token that belong to no account yet, anonymous without a token. The caller closes it. */
  async client(instanceUrl: string, token?: string): Promise<Client> {
    const { createClient } = await import('../api/client.ts');
    return createClient({
      instanceUrl,
      token,
      log: ({ method, pathTemplate, status, fault, milliseconds }) =>
        this.#log.debug(`${method} ${pathTemplate} ${status ?? fault ?? ''} ${Math.round(milliseconds)} ms`),
    });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#drop();
  }

  async #connect(): Promise<Connection> {
    const { account } = this.#accounts;
    if (!account) {
      throw new SignedOutError();
    }
    const { instanceUrl, token } =
      account.kind === 'sandbox' ? await this.#startSandbox() : await this.#credentials(account);
    return { account, instanceUrl, client: await this.client(instanceUrl, token) };
  }

  async #credentials(account: InstanceAccount): Promise<Credentials> {
    const token = await this.#accounts.token(account);
    if (token === undefined) {
      throw new SignedOutError();
    }
    return { instanceUrl: account.instanceUrl, token };
  }

  #drop(): void {
    const dropped = this.#current;
    this.#current = undefined;
    dropped?.then(
      ({ client }) => client.close(),
      () => undefined, // Whoever asked for the connection has been told.
    );
  }
}
