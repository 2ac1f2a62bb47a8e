import * as vscode from 'vscode';
import { plainText } from '../common/inertText.ts';
import { instanceName } from '../common/instanceUrl.ts';
import { projectPathOf } from '../workspace/remoteUrl.ts';
import type { Remotes } from '../workspace/remotes.ts';
import { type Account, type InstanceAccount, sandboxAccount, sandboxUsername } from './account.ts';
import type { AccountStore } from './accountStore.ts';

const chosenKey = 'accountInUse';

/**
 * Which account this window works with: the one chosen for the workspace; else the only one on an instance that the
 * workspace's remotes point to; else, if the remotes do not decide, the one chosen last in any window.
 */
export class AccountInUse implements vscode.Disposable {
  readonly #store: AccountStore;
  readonly #remotes: Remotes;
  readonly #global: vscode.Memento;
  readonly #workspace: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #known = '';

  /** Fires when another account is in use, when it has another token, and when it is or is no longer undecided which one is. */
  readonly onDidChange = this.#changed.event;

  constructor(
    store: AccountStore,
    remotes: Remotes,
    mementos: { readonly global: vscode.Memento; readonly workspace: vscode.Memento },
  ) {
    this.#store = store;
    this.#remotes = remotes;
    this.#global = mementos.global;
    this.#workspace = mementos.workspace;
    this.#known = this.#stateKey();
    this.#subscription = vscode.Disposable.from(
      store.onDidChange((ids) => this.#update(ids)),
      remotes.onDidChange(() => this.#update([])),
    );
  }

  /** Undefined when signed out, and as long as it is not decidable which one is meant. */
  get account(): Account | undefined {
    const chosen = this.#find(this.#workspace.get(chosenKey));
    if (chosen) {
      return chosen;
    }
    const candidates = this.candidates;
    if (candidates.length > 0) {
      return candidates.length === 1 ? candidates[0] : undefined;
    }
    return this.#find(this.#global.get(chosenKey)) ?? this.#store.all.at(-1);
  }

  /** What menus and welcome views ask for. */
  get state(): 'none' | 'undecided' | Account['kind'] {
    return this.account?.kind ?? (this.#store.all.length > 0 ? 'undecided' : 'none');
  }

  /** The accounts on instances that the workspace's remotes lead to. Several of them are for a user to choose from. */
  get candidates(): readonly InstanceAccount[] {
    const { repositories, hostNameOf } = this.#remotes;
    const remotes = repositories.flatMap((repository) => repository.remotes);
    return this.#store.all.filter(({ instanceUrl }) =>
      remotes.some((remote) => projectPathOf(remote, instanceUrl, hostNameOf) !== undefined),
    );
  }

  /** Uses an account from now on, here and in workspaces whose remotes do not decide. */
  async use({ id }: Account): Promise<void> {
    await this.#workspace.update(chosenKey, id);
    await this.#global.update(chosenKey, id);
    this.#update([]);
  }

  /** Leaves the sandbox, or forgets the chosen account; the remotes decide again. */
  async forgetChoice(): Promise<void> {
    await this.#workspace.update(chosenKey, undefined);
    await this.#global.update(chosenKey, undefined);
    this.#update([]);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #find(id: unknown): Account | undefined {
    return id === sandboxAccount.id ? sandboxAccount : typeof id === 'string' ? this.#store.find(id) : undefined;
  }

  #stateKey(): string {
    return `${this.state} ${this.account?.id ?? ''}`;
  }

  #update(changedIds: readonly string[]): void {
    const state = this.#stateKey();
    if (state !== this.#known || changedIds.includes(this.account?.id ?? '')) {
      this.#known = state;
      this.#changed.fire();
    }
  }
}

/** The name of an account as people read it, such as `ada@gitlab.com`; empty where there is none. */
export function accountName(account: Account | undefined): string {
  return account ? accountLabel(account.id) : '';
}

/** What a page says of the account that it keeps, whatever the window works with. */
export interface PageAccount {
  readonly isSignedIn: boolean;
  /** Whether there are several accounts to tell apart. */
  readonly isNamed: boolean;
  /** The name of the account of the window, if it is another one than that of the page. */
  readonly otherAccount: string | undefined;
}

/** What a page says of the account with an id. The sandbox is there as long as the window works with any account. */
export function pageAccount(
  id: string,
  { all }: Pick<AccountStore, 'all'>,
  { account, state }: Pick<AccountInUse, 'account' | 'state'>,
): PageAccount {
  const otherAccount = account && account.id !== id ? accountLabel(account.id) : undefined;
  return {
    isSignedIn: id === sandboxAccount.id ? state !== 'none' : all.some((one) => one.id === id),
    isNamed: all.length > 1 || otherAccount !== undefined,
    otherAccount,
  };
}

/** The name of the account with an id; in the sandbox with its user, who is a stranger to those who try it. */
export function accountLabel(id: string): string {
  return id === sandboxAccount.id ? `${sandboxUsername}@${sandboxAccount.id}` : plainText(id);
}

/** What tells an account from the others where there is little room: its instance, or its user among several of one instance. */
export function briefAccountLabel(id: string, { all }: Pick<AccountStore, 'all'>): string {
  const account = all.find((one) => one.id === id);
  const others = all.filter((one) => one !== account);
  const isAlone = (part: (one: InstanceAccount) => string): boolean =>
    account !== undefined && others.every((other) => part(other) !== part(account));
  const part = [(one: InstanceAccount) => instanceName(one.instanceUrl), (one: InstanceAccount) => one.username].find(
    isAlone,
  );
  return account && part ? plainText(part(account)) : accountLabel(id);
}
