import * as vscode from 'vscode';
import { inertText } from '../common/inertText.ts';
import { isExternal } from './account.ts';
import type { AccountCommands } from './accountCommands.ts';
import type { AccountStore } from './accountStore.ts';
import type { InstanceAccount } from './keptAccount.ts';

/** Shows the accounts in the editor's Accounts menu, where a user can sign in and out; each account is one session. */
export class AccountsAuthenticationProvider implements vscode.AuthenticationProvider, vscode.Disposable {
  readonly #store: AccountStore;
  readonly #commands: AccountCommands;
  readonly #changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChangeSessions = this.#changed.event;

  constructor(store: AccountStore, commands: AccountCommands) {
    this.#store = store;
    this.#commands = commands;
    this.#subscription = store.onDidChange(({ before, now }) => {
      // Without tokens, which only `getSessions` returns.
      const [old, current] = [before, now].map((account) => (account ? [sessionOf(account, '')] : []));
      this.#changed.fire({
        added: before ? [] : current,
        removed: now ? [] : old,
        changed: before && now ? current : [],
      });
    });
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
    const tokenOf = async ({ id }: InstanceAccount): Promise<string | undefined> =>
      scopes === undefined ? (await this.#store.entry(id))?.token : await this.#store.token(id);
    const sessions = await Promise.all(
      wanted.map(async (found) => sessionOf(found, (await tokenOf(found).catch(() => undefined)) ?? '')),
    );
    return sessions.filter(({ accessToken }) => scopes === undefined || accessToken !== '');
  }

  /** @throws CancellationError if the user gave up, or signed in with a token that is lent. */
  async createSession(): Promise<vscode.AuthenticationSession> {
    const account = await this.#commands.signIn();
    if (!account || isExternal(account.tokenSource)) {
      throw new vscode.CancellationError();
    }
    return sessionOf(account, await this.#store.token(account.id));
  }

  async removeSession(sessionId: string): Promise<void> {
    await this.#commands.remove(sessionId);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function sessionOf({ id, scopes }: InstanceAccount, accessToken: string): vscode.AuthenticationSession {
  return { id, accessToken, account: { id, label: inertText(id) }, scopes: scopes ?? [] };
}
