import { type Network, startSandbox } from '#platform/routes.ts';
import * as vscode from 'vscode';
import { type Client, createClient } from '../api/client.ts';
import { type Account, type SandboxAccount, SignedOutError } from './account.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';
import type { InstanceAccount } from './keptAccount.ts';

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

export class Connections implements vscode.Disposable {
  readonly #store: AccountStore;
  readonly #inUse: AccountInUse;
  readonly #network: Network;
  readonly #log: vscode.LogOutputChannel;
  readonly #connections = new Map<string, KnownConnection>();
  readonly #rejected = new vscode.EventEmitter<InstanceAccount>();
  readonly #subscription: vscode.Disposable;
  #sandbox: ReturnType<typeof startSandbox> | undefined;

  readonly onDidRejectToken = this.#rejected.event;

  constructor(store: AccountStore, inUse: AccountInUse, network: Network, log: vscode.LogOutputChannel) {
    this.#store = store;
    this.#inUse = inUse;
    this.#network = network;
    this.#log = log;
    this.#subscription = vscode.Disposable.from(
      store.onDidChange(({ id, now }) => (now ? undefined : this.#close(id))),
      network.onDidChange(() => this.#connections.forEach((known) => (known.storedAt = undefined))),
    );
  }

  /**
   * The connection of the account in use, the same for all callers until its token or the route to its instance changes.
   *
   * @throws SignedOutError if there is no account, or no token.
   * @throws SecretStoreError if the secret store cannot be read.
   */
  async current(): Promise<Connection> {
    return await this.#connected(this.#inUse.account);
  }

  /** The same of a certain account. @throws SignedOutError also if there is no such account (any more). */
  async of(accountId: string): Promise<Connection> {
    const { account } = this.#inUse;
    return await this.#connected(account?.id === accountId ? account : this.#store.find(accountId), accountId);
  }

  /**
   * A client for an instance and a token that belong to no account yet, anonymous without a token. The caller closes it.
   *
   * @param token one that changes is asked for at each use, also for another one than that which was rejected.
   * @param bearer whether the token travels as `Authorization: Bearer`.
   * @throws TlsSettingError if the setting for the route to the instance cannot be used.
   */
  async client(
    instanceUrl: string,
    token?: string | ((rejected?: string) => Promise<string>),
    bearer?: boolean,
    onRejected = (): void => undefined,
  ): Promise<Client> {
    const transport = await this.#network.createTransport(instanceUrl);
    const log = (line: string): void => this.#log.debug(line);
    return createClient({ instanceUrl, token, bearer, transport, log, onRejected });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#rejected.dispose();
    [...this.#connections.keys()].forEach((id) => this.#close(id));
    void this.#sandbox?.then((sandbox) => sandbox.close()).catch(() => undefined);
  }

  async #connected(account: Account | undefined, accountId?: string): Promise<Connection> {
    if (!account) {
      throw new SignedOutError(accountId);
    }
    // With another token or route, requests under way may finish; idle connections close by themselves.
    const storedAt = account.kind === 'sandbox' ? 0 : account.tokenStoredAt;
    const known = this.#connections.get(account.id);
    if (known?.storedAt === storedAt) {
      return await known.connection;
    }
    const signedOut = known?.signedOut ?? new AbortController();
    const connection = this.#connect(account, signedOut.signal);
    const made: KnownConnection = { storedAt, connection, signedOut };
    this.#connections.set(account.id, made);
    connection.catch(() => (made.storedAt = undefined));
    return await connection;
  }

  async #connect(account: Account, signedOut: AbortSignal): Promise<Connection> {
    const connection = account.kind === 'sandbox' ? await this.#toSandbox(account) : await this.#toInstance(account.id);
    const { client } = connection;
    // Nobody waits for its connections to be closed.
    signedOut.addEventListener('abort', () => void client.close().catch(() => undefined));
    if (signedOut.aborted) {
      await client.close();
      throw new SignedOutError(account.id);
    }
    return connection;
  }

  async #toInstance(id: string): Promise<Connection> {
    const { account, token } = await this.#store.credentials(id);
    const { instanceUrl, tokenSource, bearer } = account;
    const askToken = async (rejected?: string) => (await this.#store.credentials(id, rejected)).token;
    const onRejected = (): void => this.#rejected.fire(account);
    const client = await this.client(instanceUrl, tokenSource ? askToken : token, bearer, onRejected);
    return { account, instanceUrl, client };
  }

  /** The sandbox starts when it is first needed, and ends with the window. */
  async #toSandbox(account: SandboxAccount): Promise<Connection> {
    // Values that the settings editor would not take count as none.
    const settings = vscode.workspace.getConfiguration('beacon.sandbox');
    const seed = settings.get<unknown>('seed');
    const liveEvents = settings.get<unknown>('liveEvents') !== false;
    this.#sandbox ??= startSandbox({ liveEvents, ...(Number.isSafeInteger(seed) ? { seed: Number(seed) } : {}) });
    this.#sandbox.catch(() => (this.#sandbox = undefined));
    const { url, tokens } = await this.#sandbox;
    return { account, instanceUrl: url, client: await this.client(url, tokens.owner) };
  }

  #close(accountId: string): void {
    this.#connections.get(accountId)?.signedOut.abort();
    this.#connections.delete(accountId);
  }
}
