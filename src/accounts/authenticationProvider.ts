import * as vscode from 'vscode';
import { inertText } from '../common/inertText.ts';
import { type InstanceAccount, isExternal } from './account.ts';
import type { AccountStore } from './accountStore.ts';

export const authenticationProviderId = 'beacon-gitlab';

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
   * @param scopes that the tokens must have; a token of unknown scopes may have them.
   * @throws SecretStoreError if the secret store cannot be read.
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
      wanted.map(async (found) => sessionOf(found, await this.#tokenOf(found, scopes === undefined))),
    );
    return sessions.filter(({ accessToken }) => accessToken !== '');
  }

  /** @throws CancellationError if the user gave up, or signed in with a token that is lent. */
  async createSession(): Promise<vscode.AuthenticationSession> {
    const account = await this.#signIn();
    if (!account || isExternal(account.tokenSource)) {
      throw new vscode.CancellationError();
    }
    return sessionOf(account, await this.#tokenOf(account, false));
  }

  /** @throws SecretStoreError if the secret store cannot be written. */
  async removeSession(sessionId: string): Promise<void> {
    await this.#signOut(sessionId);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /**
   * @param isForMenu whether the editor just lists the accounts, which is no reason to ask an instance for another token.
   * @returns nothing if none is to be had.
   */
  async #tokenOf({ id, tokenSource }: InstanceAccount, isForMenu: boolean): Promise<string> {
    const token = isForMenu
      ? this.#store.entry(id).then((entry) => entry?.token)
      : // ~An account that has to sign in again does not block the others.
        this.#store.token(id).catch((error: unknown) => (tokenSource ? '' : Promise.reject(error)));
    return (await token) ?? '';
  }

  #notifyChanges(): void {
    const before = this.#known;
    const now = this.#store.all;
    this.#known = now;
    this.#changed.fire({
      added: now.filter(({ id }) => !before.some((other) => other.id === id)).map(withoutToken),
      removed: before.filter(({ id }) => !now.some((other) => other.id === id)).map(withoutToken),
      changed: now
        .filter((account) => before.some((other) => other.id === account.id && other !== account))
        .map(withoutToken),
    });
  }
}

function sessionOf({ id, scopes }: InstanceAccount, accessToken: string): vscode.AuthenticationSession {
  return { id, accessToken, account: { id, label: inertText(id) }, scopes: scopes ?? [] };
}

/** Events carry the session without its token, which only `getSessions` returns. */
function withoutToken(account: InstanceAccount): vscode.AuthenticationSession {
  return sessionOf(account, '');
}
