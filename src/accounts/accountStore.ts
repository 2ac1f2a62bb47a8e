import * as vscode from 'vscode';
import type { Account, InstanceAccount } from './account.ts';

const accountKey = 'account';

/** The account in use, remembered across windows and restarts, and its token in the editor's secret store. */
export class AccountStore implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires after the account or its token has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento, secrets: vscode.SecretStorage) {
    this.#memento = memento;
    this.#secrets = secrets;
  }

  /** The account in use; undefined when signed out. */
  get account(): Account | undefined {
    return this.#memento.get<Account>(accountKey);
  }

  /**
   * The token of an account on an instance.
   *
   * @returns undefined if the secret store holds none.
   */
  async token(account: InstanceAccount): Promise<string | undefined> {
    return this.#secrets.get(tokenKey(account));
  }

  /** Makes an account on an instance the one in use. The token goes to the secret store and nowhere else. */
  async signIn(account: InstanceAccount, token: string): Promise<void> {
    await this.#secrets.store(tokenKey(account), token);
    await this.use(account);
  }

  /** Makes an account the one in use. The token of the one used before, if another, is forgotten. */
  async use(account: Account): Promise<void> {
    const previous = this.account;
    await this.#memento.update(accountKey, account);
    await this.#forgetToken(previous?.id === account.id ? undefined : previous);
    this.#changed.fire();
  }

  /** Forgets the account and its token. */
  async signOut(): Promise<void> {
    const previous = this.account;
    await this.#memento.update(accountKey, undefined);
    await this.#forgetToken(previous);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #forgetToken(account: Account | undefined): Promise<void> {
    if (account?.kind === 'instance') {
      await this.#secrets.delete(tokenKey(account));
    }
  }
}

function tokenKey({ id }: InstanceAccount): string {
  return `token:${id}`;
}
