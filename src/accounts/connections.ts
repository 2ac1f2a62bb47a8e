import * as vscode from 'vscode';
import type { Client } from '../api/client.ts';
import { loadOnce } from '../common/commands.ts';
import type { Network } from '#platform/network.ts';
import { type Account, type Credentials, SignedOutError, UndecidedAccountError } from './account.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';

/** An account with the client that talks to its instance. */
export interface Connection {
  readonly account: Account;
  readonly instanceUrl: string;
  readonly client: Client;
}

interface KnownConnection {
  /** When its token was stored; undefined once it has failed, or the routes to instances have changed. */
  storedAt: number | undefined;
  readonly connection: Promise<Connection>;
  /** Closes every client of the account, those of an earlier token or route and those that are being made, too. */
  readonly signedOut: AbortController;
}

/** Gives every feature the one client of an account, and loads the client's code when it is first asked for. */
export class Connections implements vscode.Disposable {
  readonly #store: AccountStore;
  readonly #inUse: AccountInUse;
  readonly #startSandbox: () => Promise<Credentials>;
  readonly #network: () => Promise<Network>;
  readonly #log: vscode.LogOutputChannel;
  /** By account. */
  readonly #connections = new Map<string, KnownConnection>();
  readonly #rejected = new vscode.EventEmitter<Account>();
  readonly #subscriptions: vscode.Disposable[];

  /** Fires for each answer that says that the token of an account is not accepted. */
  readonly onDidRejectToken = this.#rejected.event;

  /**
   * @param startSandbox makes sure that the embedded instance runs.
   * @param loadNetwork loads the service that resolves routes to instances.
   */
  constructor(
    store: AccountStore,
    inUse: AccountInUse,
    startSandbox: () => Promise<Credentials>,
    loadNetwork: () => Promise<Network>,
    log: vscode.LogOutputChannel,
  ) {
    this.#store = store;
    this.#inUse = inUse;
    this.#startSandbox = startSandbox;
    this.#log = log;
    this.#subscriptions = [store.onDidChange((ids) => this.#closeRemoved(ids))];
    this.#network = loadOnce(async () => {
      const network = await loadNetwork();
      this.#subscriptions.push(
        network.onDidChange(() => this.#connections.forEach((known) => (known.storedAt = undefined))),
      );
      return network;
    });
  }

  /**
   * The connection of the account in use, the same for all callers until its token or the route to its instance changes.
   *
   * @throws UndecidedAccountError if several accounts fit the workspace, and none was chosen.
   * @throws SignedOutError if there is no account, or no token.
   * @throws SecretStoreError if the secret store cannot be read.
   */
  async current(): Promise<Connection> {
    if (this.#inUse.state === 'undecided') {
      throw new UndecidedAccountError();
    }
    return this.#connected(this.#inUse.account);
  }

  /**
   * The connection of a certain account, the same for all callers until its token or the route to its instance changes.
   *
   * @throws SignedOutError if there is no such account (any more), or no token.
   * @throws SecretStoreError if the secret store cannot be read.
   */
  async of(accountId: string): Promise<Connection> {
    const { account } = this.#inUse;
    return this.#connected(account?.id === accountId ? account : this.#store.find(accountId), accountId);
  }

  /**
   * A client for an instance and a token that belong to no account yet, anonymous without a token. The caller closes it.
   *
   * @param bearer whether the token travels as `Authorization: Bearer`.
   * @throws TlsSettingError or ProxySettingError if the settings for the route to the instance cannot be used.
   */
  async client(instanceUrl: string, token?: string, bearer?: boolean): Promise<Client> {
    return this.#createClient(instanceUrl, token, () => {}, bearer);
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => void subscription.dispose());
    this.#rejected.dispose();
    this.#connections.forEach(({ signedOut }) => signedOut.abort());
  }

  async #connected(account: Account | undefined, accountId?: string): Promise<Connection> {
    if (!account) {
      throw new SignedOutError(accountId);
    }
    // With another token or route, requests under way may finish; idle connections close by themselves.
    const storedAt = account.kind === 'sandbox' ? 0 : account.tokenStoredAt;
    const known = this.#connections.get(account.id);
    if (known?.storedAt === storedAt) {
      return known.connection;
    }
    const signedOut = known?.signedOut ?? new AbortController();
    const connection = this.#connect(account, signedOut.signal);
    const made: KnownConnection = { storedAt, connection, signedOut };
    this.#connections.set(account.id, made);
    connection.catch(() => (made.storedAt = undefined));
    return connection;
  }

  async #connect(account: Account, signedOut: AbortSignal): Promise<Connection> {
    const credentials =
      account.kind === 'sandbox' ? await this.#startSandbox() : await this.#store.credentials(account.id);
    if (!credentials) {
      throw new SignedOutError(account.id);
    }
    const { instanceUrl, token, bearer, isChanging } = credentials;
    const client = await this.#createClient(
      instanceUrl,
      // What changes is asked for at each use. Without it nothing is sent.
      isChanging
        ? async (rejected) =>
            (await this.#store.token(account.id, rejected)) ?? Promise.reject(new SignedOutError(account.id))
        : token,
      () => this.#rejected.fire(account),
      bearer,
    );
    // Nobody waits for its connections to be closed.
    signedOut.addEventListener('abort', () => void client.close().catch(() => undefined));
    if (signedOut.aborted) {
      await client.close();
      throw new SignedOutError(account.id);
    }
    // The account that was asked for may have been kept with another URL, which does not count.
    return { account: this.#store.find(account.id) ?? account, instanceUrl, client };
  }

  async #createClient(
    instanceUrl: string,
    token: string | undefined | ((rejected?: string) => Promise<string>),
    onRejected: () => void,
    bearer: boolean | undefined,
  ): Promise<Client> {
    const carrier = await (await this.#network()).createTransport(instanceUrl);
    const { createClient, logLine } = await import('../api/client.ts');
    const client = createClient({
      instanceUrl,
      token,
      bearer,
      dispatcher: carrier.dispatcher,
      fetch: carrier.fetch,
      log: (entry) => this.#log.debug(logLine(entry)),
      onRejected,
    });
    const close = async (): Promise<void> => {
      await client.close();
      await carrier.close();
    };
    return { ...client, close };
  }

  #closeRemoved(accountIds: readonly string[]): void {
    for (const id of accountIds) {
      if (!this.#store.find(id)) {
        this.#connections.get(id)?.signedOut.abort();
        this.#connections.delete(id);
      }
    }
  }
}
