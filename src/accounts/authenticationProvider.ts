import * as vscode from 'vscode';
import { inertText } from '../common/inertText.ts';
import { type InstanceAccount, isExternal } from './account.ts';
import type { AccountStore } from './accountStore.ts';

/** Shows the accounts in the editor's Accounts menu, where a user can sign in and out; each account is one session. */
export class AccountsAuthenticationProvider implements vscode.AuthenticationProvider, vscode.Disposable {
  readonly #store: AccountStore;
  readonly #signIn: () => Promise<InstanceAccount | undefined>;
  readonly #signOut: (accountId: string) => Promise<void>;
  readonly #changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  readonly #subscription: vscode.Disposable;
  #known: readonly InstanceAccount[];

  readonly onDidChangeSessions = this.#changed.event;

  /**
   * @param signIn asks the user; answers undefined if they gave up.
   * @param signOut removes an account, and says so.
   */
  constructor(
    store: AccountStore,
    signIn: () => Promise<InstanceAccount | undefined>,
    signOut: (accountId: string) => Promise<void>,
  ) {
    this.#store = store;
    this.#signIn = signIn;
    this.#signOut = signOut;
    this.#known = store.all;
    this.#subscription = store.onDidChange(() => this.#notifyChanges());
  }

  /**
   * @param scopes that the tokens must have; a token of unknown scopes may have them. Undefined where the editor's menu lists the
   *   accounts: that is no reason to ask an instance for another token, and one whose token cannot be read is there to be signed out of.
   */
  async getSessions(
    scopes: readonly string[] | undefined,
    { account }: vscode.AuthenticationProviderSessionOptions = {},
  ): Promise<vscode.AuthenticationSession[]> {
    const wanted = this.#store.all.filter(
      ({ id, scopes: held, tokenSource }) =>
        // A token that is lent is not Beacon's to lend.
        !isExternal(tokenSource) &&
        (account === undefined || account.id === id) &&
        (scopes ?? []).every((scope) => held?.includes(scope) ?? true),
    );
    const sessions = await Promise.all(
      wanted.map(async (found) => {
        const token =
          scopes === undefined
            ? await this.#entryToken(found)
            : await this.#store.token(found.id).catch(() => undefined);
        return sessionOf(found, token ?? '');
      }),
    );
    return sessions.filter(({ accessToken }) => scopes === undefined || accessToken !== '');
  }

  async #entryToken({ id }: InstanceAccount): Promise<string | undefined> {
    return await this.#store.entry(id).then(
      (entry) => entry?.token,
      () => undefined,
    );
  }

  /** @throws CancellationError if the user gave up, or signed in with a token that is lent. */
  async createSession(): Promise<vscode.AuthenticationSession> {
    const account = await this.#signIn();
    if (!account || isExternal(account.tokenSource)) {
      throw new vscode.CancellationError();
    }
    return sessionOf(account, (await this.#store.token(account.id)) ?? '');
  }

  /** @throws SecretStoreError if the secret store cannot be written. */
  async removeSession(sessionId: string): Promise<void> {
    await this.#signOut(sessionId);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #notifyChanges(): void {
    const before = this.#known;
    const now = this.#store.all;
    this.#known = now;
    // Events carry the session without its token, which only `getSessions` returns.
    const sessions = (accounts: readonly InstanceAccount[]) => accounts.map((account) => sessionOf(account, ''));
    const isAmong = (accounts: readonly InstanceAccount[], id: string): boolean =>
      accounts.some((one) => one.id === id);
    this.#changed.fire({
      added: sessions(now.filter(({ id }) => !isAmong(before, id))),
      removed: sessions(before.filter(({ id }) => !isAmong(now, id))),
      changed: sessions(now.filter((account) => isAmong(before, account.id) && !before.includes(account))),
    });
  }
}

function sessionOf({ id, scopes }: InstanceAccount, accessToken: string): vscode.AuthenticationSession {
  return { id, accessToken, account: { id, label: inertText(id) }, scopes: scopes ?? [] };
}
