import * as vscode from 'vscode';
import { plainText } from '../common/inertText.ts';
import { instanceName } from '../common/instanceUrl.ts';
import { projectPathOf } from '../workspace/remoteUrl.ts';
import type { Remotes } from '../workspace/remotes.ts';
import { type Account, chosenKey, sandboxAccount, sandboxUsername } from './account.ts';
import type { AccountStore } from './accountStore.ts';
import type { InstanceAccount } from './keptAccount.ts';

/** Where it is kept which account the workspace used before the sandbox. */
const beforeSandboxKey = 'accountBeforeSandbox';

/**
 * Which account this window works with: the one used last in its workspace; in a new one, the one used last in any window, unless the
 * workspace's remotes lead to instances of others alone.
 */
export class AccountInUse implements vscode.Disposable {
  readonly #store: AccountStore;
  readonly #remotes: Remotes;
  /** Where it is kept which account was used last: of the workspace, and of all. */
  readonly #mementos: readonly [workspace: vscode.Memento, global: vscode.Memento];
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** The one used last when the window began, or by it: what another window works with meanwhile changes nothing here. */
  #last: unknown;
  #knownId: string | undefined;

  /** Fires when another account is in use, and when it has another token. */
  readonly onDidChange = this.#changed.event;

  constructor(
    store: AccountStore,
    remotes: Remotes,
    mementos: { readonly global: vscode.Memento; readonly workspace: vscode.Memento },
  ) {
    this.#store = store;
    this.#remotes = remotes;
    this.#mementos = [mementos.workspace, mementos.global];
    this.#last = mementos.global.get(chosenKey);
    this.#knownId = this.account?.id;
    this.#subscription = vscode.Disposable.from(
      store.onDidChange(({ id }) => this.#update(id)),
      remotes.onDidChange(() => this.#update()),
    );
  }

  get account(): Account | undefined {
    const [ofWorkspace, last] = [this.#mementos[0].get(chosenKey), this.#last].map((id) => this.#find(id));
    if (ofWorkspace) {
      return ofWorkspace;
    }
    const there = this.#accountsOfRemotes;
    const isThere = there.length === 0 || there.some(({ id }) => id === last?.id);
    return (isThere ? last : undefined) ?? there.at(-1) ?? this.#store.all.at(-1);
  }

  /** The name of the account with an id where there is another one to tell it from, else an empty text. */
  labelOf(id: string): string {
    return [...this.#store.all, this.account].some((one) => one && one.id !== id) ? accountLabel(id) : '';
  }

  /** A name or a title with the account that it is of behind it, where there are several. */
  named(text: string, accountId: string): string {
    const label = this.labelOf(accountId);
    return label === '' ? text : vscode.l10n.t('{0} ({1})', text, label);
  }

  /** What an account is called: by its name where there are several, else by its instance. */
  nameOf({ id, instanceUrl }: InstanceAccount): string {
    return this.labelOf(id) || plainText(instanceName(instanceUrl));
  }

  /**
   * What a page says of the account with an id that it keeps, whatever the window works with. The sandbox is there as long as the window
   * works with any account.
   */
  ofPage(id: string) {
    const { account } = this;
    return {
      isSignedIn: id === sandboxAccount.id ? account !== undefined : this.#store.find(id) !== undefined,
      account: this.labelOf(id),
      /** The name of the account of the window, if it is another one. */
      otherAccount: account && account.id !== id ? accountLabel(account.id) : undefined,
    };
  }

  /** @param account undefined to forget which account was used last. */
  async use(account: Account | undefined): Promise<void> {
    const before = this.account;
    if (account?.kind === 'sandbox' && before?.kind === 'instance') {
      await this.#mementos[0].update(beforeSandboxKey, before.id);
    }
    this.#last = account?.id;
    for (const memento of this.#mementos) {
      await memento.update(chosenKey, account?.id);
    }
    this.#update();
  }

  /** Goes back to the account that was used before the sandbox, as far as it is there. */
  async leaveSandbox(): Promise<void> {
    await this.use(this.#find(this.#mementos[0].get(beforeSandboxKey)));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  get #accountsOfRemotes(): readonly InstanceAccount[] {
    const { repositories, hostNameOf } = this.#remotes;
    const remotes = repositories.flatMap((repository) => repository.remotes);
    return this.#store.all.filter(({ instanceUrl }) =>
      remotes.some((remote) => projectPathOf(remote, instanceUrl, hostNameOf) !== undefined),
    );
  }

  #find(id: unknown): Account | undefined {
    return id === sandboxAccount.id ? sandboxAccount : this.#store.all.find((account) => account.id === id);
  }

  #update(changedId?: string): void {
    const id = this.account?.id;
    if (id !== this.#knownId || (id !== undefined && id === changedId)) {
      this.#knownId = id;
      this.#changed.fire();
    }
  }
}

/** The name of the account with an id; in the sandbox with its user, who is a stranger to those who try it. */
export function accountLabel(id: string): string {
  return id === sandboxAccount.id ? `${sandboxUsername}@${sandboxAccount.id}` : plainText(id);
}

/** What tells an account from the others, for rows, whose ends the editor cuts: the instance, the user, or where neither is enough, both. */
export function shortAccountLabel(id: string, accounts: readonly InstanceAccount[]): string {
  const account = accounts.find((one) => one.id === id);
  const others = accounts.filter((one) => one !== account);
  if (!account || others.length === 0) {
    return accountLabel(id);
  }
  const name = instanceName(account.instanceUrl);
  const otherNames = others.map(({ instanceUrl }) => instanceName(instanceUrl));
  if (!otherNames.includes(name)) {
    return plainText(distinctPart(name, otherNames));
  }
  return others.every(({ username }) => username !== account.username) ? plainText(account.username) : accountLabel(id);
}

/**
 * The name of an instance from where it differs from those of others, which many begin with "gitlab.": a narrow row would be cut before
 * that. The last part of a host does not stand alone.
 */
function distinctPart(name: string, others: readonly string[]): string {
  const starts = others.map((other) => {
    let end = 0;
    while (end < name.length && name[end] === other[end]) {
      end += 1;
    }
    return name.slice(0, end).search(/[^.:/]*$/);
  });
  const start = Math.max(...starts);
  const rest = name.slice(start);
  return start > 0 && (rest.includes('.') || name[start - 1] !== '.') ? `…${rest}` : name;
}
