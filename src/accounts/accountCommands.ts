import * as vscode from 'vscode';
import type { Commands } from '../common/commands.ts';
import { setStatusBarMessage, showQuickPick } from '../common/inertWindow.ts';
import { instanceUrlOf } from '../workspace/remoteUrl.ts';
import type { WorkspaceRemotes } from '../workspace/remotes.ts';
import { type InstanceAccount, sandboxAccount } from './account.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';
import type { SignIn } from './signIn.ts';

interface AccountItem extends vscode.QuickPickItem {
  readonly account?: InstanceAccount;
}

/** What a user does with accounts: sign in and out, renew a token, choose the account of this window, try the sandbox. */
export class AccountCommands {
  readonly #store: AccountStore;
  readonly #inUse: AccountInUse;
  readonly #remotes: WorkspaceRemotes;
  readonly #signIn: SignIn;
  readonly #show: () => Thenable<unknown>;

  readonly commands = {
    'beacon.signIn': () => this.signIn(),
    'beacon.signOut': () => this.signOut(),
    'beacon.renewToken': (of?: string | { readonly instance: string }) => this.renewToken(of),
    'beacon.switchAccount': () => this.switchAccount(),
    'beacon.trySandbox': () => this.trySandbox(),
  } satisfies Commands;

  /** @param show brings what an account shows into view. */
  constructor(
    store: AccountStore,
    inUse: AccountInUse,
    remotes: WorkspaceRemotes,
    signIn: SignIn,
    show: () => Thenable<unknown>,
  ) {
    this.#store = store;
    this.#inUse = inUse;
    this.#remotes = remotes;
    this.#signIn = signIn;
    this.#show = show;
  }

  /**
   * Adds an account and works with it.
   *
   * @param instanceUrl of the instance to sign in to; without, the user enters it.
   * @returns undefined if the user gave up.
   */
  async signIn(instanceUrl?: string): Promise<InstanceAccount | undefined> {
    return await this.#welcome(await this.#signIn.run(await this.#unreachedHost(), instanceUrl));
  }

  /**
   * Takes what the browser brings after an authorization.
   *
   * @param query of the address, decoded once.
   */
  async answerSignIn(query: string): Promise<void> {
    await this.#welcome(await this.#signIn.answer(query));
  }

  async #welcome(account: InstanceAccount | undefined): Promise<InstanceAccount | undefined> {
    if (account) {
      await this.#inUse.use(account);
      await this.#show();
      setStatusBarMessage(vscode.l10n.t('Signed in as {0}', account.id), 5000);
    }
    return account;
  }

  /** Forgets an account, which the user chooses if there are several, and its token. */
  async signOut(): Promise<void> {
    const { all } = this.#store;
    if (this.#inUse.account?.kind === 'sandbox') {
      await this.#inUse.forgetChoice();
      return;
    }
    const account =
      all.length > 1
        ? await this.#choose(all, vscode.l10n.t('Sign Out'), vscode.l10n.t('Choose the account to sign out of'))
        : all[0];
    if (account) {
      await this.#store.remove(account.id);
    }
  }

  /**
   * Gives an account a new token: the one that is named, or the one in use. Signs in if there is none.
   *
   * @param of the id of an account, or the host of an instance, whose accounts are meant.
   */
  async renewToken(of?: string | { readonly instance: string }): Promise<void> {
    const { all } = this.#store;
    const host = typeof of === 'object' ? of.instance : undefined;
    const there = all.filter(({ instanceUrl }) => new URL(instanceUrl).host === host);
    const meant = there.length > 0 ? there : all;
    const named = typeof of === 'string' ? of : this.#inUse.account?.id;
    const account = meant.find(({ id }) => id === named) ?? (await this.#anyOf(meant));
    if (account) {
      await this.#signIn.renew(account);
    } else if (all.length === 0) {
      await this.signIn();
    }
  }

  /** Lets the user choose which account this window works with. */
  async switchAccount(): Promise<void> {
    const candidates = this.#inUse.candidates;
    const others = this.#store.all.filter((account) => !candidates.includes(account));
    const account = await this.#choose(
      [...candidates, ...others],
      vscode.l10n.t('Switch Account'),
      vscode.l10n.t('Choose the account for this workspace'),
    );
    if (account) {
      await this.#inUse.use(account);
    }
  }

  async trySandbox(): Promise<void> {
    await this.#inUse.use(sandboxAccount);
    await this.#show();
  }

  async #anyOf(accounts: readonly InstanceAccount[]): Promise<InstanceAccount | undefined> {
    return accounts.length > 1
      ? this.#choose(accounts, vscode.l10n.t('Renew Token'), vscode.l10n.t('Choose the account whose token to renew'))
      : accounts[0];
  }

  async #choose(
    accounts: readonly InstanceAccount[],
    title: string,
    placeHolder: string,
  ): Promise<InstanceAccount | undefined> {
    const inUse = this.#inUse.account?.id;
    const signIn: AccountItem = {
      label: vscode.l10n.t('Sign In to Another Account…'),
      iconPath: new vscode.ThemeIcon('add'),
    };
    if (accounts.length === 0) {
      return await this.signIn();
    }
    const items = accounts.map((account): AccountItem => ({
      label: account.username,
      description: account.instanceUrl,
      detail: [account.id === inUse ? vscode.l10n.t('In use in this window') : '', sourceName(account)]
        .filter(Boolean)
        .join(' · '),
      iconPath: new vscode.ThemeIcon('account'),
      account,
    }));
    const chosen = await showQuickPick([...items, signIn], {
      title,
      placeHolder,
      matchOnDescription: true,
    });
    return chosen === signIn ? this.signIn() : chosen?.account;
  }

  /**
   * The host of a remote without an account that may be a GitLab instance: not a well-known other service; one named so, or whose
   * repository has files for GitLab, before others. No host is asked.
   */
  async #unreachedHost(): Promise<string | undefined> {
    const { repositories, hostNameOf } = this.#remotes;
    const known = this.#store.all.map(({ instanceUrl }) => new URL(instanceUrl).host);
    const hosts = await Promise.all(
      repositories.map(async ({ folder, remotes }) => {
        const hasFiles = await hasGitLabFiles(folder);
        return remotes.map((remote) => {
          const url = new URL(instanceUrlOf({ ...remote, host: hostNameOf(remote.host) }));
          return { host: url.host, hostname: url.hostname, hasFiles };
        });
      }),
    );
    const candidates = hosts.flat().filter(({ host, hostname }) => !known.includes(host) && !isOtherService(hostname));
    const named = candidates.find(({ hostname }) => /\bgitlab\b/.test(hostname));
    return (named ?? candidates.find(({ hasFiles }) => hasFiles) ?? candidates[0])?.host;
  }
}

/** Services of others for repositories, none of which is a GitLab instance. */
const otherServices = [
  ...['github.com', 'ghe.com', 'bitbucket.org', 'dev.azure.com', 'visualstudio.com', 'codeberg.org', 'gitea.com'],
  ...['gitee.com', 'sr.ht', 'sourceforge.net', 'source.developers.google.com', 'huggingface.co', 'git.heroku.com'],
];

function isOtherService(hostname: string): boolean {
  return (
    otherServices.some((name) => hostname === name || hostname.endsWith(`.${name}`)) ||
    /^git-codecommit\.[\w-]+\.amazonaws\.com$/.test(hostname)
  );
}

/** Whether a repository has what only GitLab reads: its pipeline, or templates. */
async function hasGitLabFiles(folder: vscode.Uri): Promise<boolean> {
  const found = ['.gitlab-ci.yml', '.gitlab'].map(async (name) => {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, name));
    return true;
  });
  return await Promise.any(found).catch(() => false);
}

/** Where the token of an account comes from, if it is not kept here. */
function sourceName({ tokenSource }: InstanceAccount): string {
  switch (tokenSource?.kind) {
    case 'cli':
      return vscode.l10n.t('Token of the GitLab CLI');
    case 'session':
      return vscode.l10n.t('Account of another extension');
    case 'oauth':
      return vscode.l10n.t('Authorized in the browser');
    default:
      return '';
  }
}
