import * as vscode from 'vscode';
import type { Commands } from '../common/commands.ts';
import { confirm, setStatusBarMessage, showInformationMessage } from '../common/inertWindow.ts';
import { instanceName, isLoopback } from '../common/instanceUrl.ts';
import { choose } from '../common/question.ts';
import { instanceUrlOf } from '../workspace/remoteUrl.ts';
import type { WorkspaceRemotes } from '../workspace/remotes.ts';
import { type Account, type InstanceAccount, isReadOnly, lacksReadScope, sandboxAccount } from './account.ts';
import { type AccountInUse, accountLabel, accountName } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';
import { accountChoices, type Choice } from './dialogs.ts';
import type { AnswerAddress } from './oauthSignIn.ts';
import { readOnlySentence } from './problem.ts';
import type { GivenPlace, SignIn } from './signIn.ts';

/** What a user does with accounts: sign in and out, renew a token, choose the account of this window, try the sandbox. */
export class AccountCommands {
  readonly #store: AccountStore;
  readonly #inUse: AccountInUse;
  readonly #remotes: WorkspaceRemotes;
  readonly #signIn: SignIn;
  readonly #show: () => Thenable<unknown>;
  readonly #interrupted: (accountId: string) => Promise<readonly string[]>;

  readonly commands = {
    'beacon.signIn': (at?: unknown) => this.signIn(typeof at === 'string' ? placeOfId(at) : urlIn(at)),
    'beacon.signOut': () => this.signOut(),
    'beacon.renewToken': (of?: string | { readonly instance?: string }) => this.renewToken(of),
    'beacon.switchAccount': (accountId?: unknown) => this.switchAccount(accountId),
    'beacon.trySandbox': () => this.trySandbox(),
  } satisfies Commands;

  /**
   * @param show brings what an account shows into view.
   * @param interrupted gives what a sign-out of an account interrupts, in sentences.
   */
  constructor(
    store: AccountStore,
    inUse: AccountInUse,
    remotes: WorkspaceRemotes,
    signIn: SignIn,
    show: () => Thenable<unknown>,
    interrupted: (accountId: string) => Promise<readonly string[]>,
  ) {
    this.#store = store;
    this.#inUse = inUse;
    this.#remotes = remotes;
    this.#signIn = signIn;
    this.#show = show;
    this.#interrupted = interrupted;
  }

  /**
   * Adds an account and works with it.
   *
   * @param given where and whom to sign in as; without, the user enters it.
   * @returns undefined if the user gave up.
   */
  async signIn(given?: GivenPlace): Promise<InstanceAccount | undefined> {
    const remoteHost = await this.#unreachedHost();
    const account = await this.#welcome(await this.#signIn.run(remoteHost, given, this.#inUse.account));
    // Who gives an address goes on with it.
    if (account && given === undefined) {
      this.#signIn.offerProject(account);
    }
    return account;
  }

  /**
   * Takes what the browser brings after an authorization.
   *
   * @param address of the editor, its parts decoded once.
   */
  async answerSignIn(address: AnswerAddress): Promise<void> {
    await this.#welcome(await this.#signIn.answer(address));
  }

  async #welcome(account: InstanceAccount | undefined): Promise<InstanceAccount | undefined> {
    if (account) {
      await this.#inUse.use(account);
      await this.#show();
      setStatusBarMessage(vscode.l10n.t('Signed in as {0}', account.id), 5000);
      this.#offerBetterToken(account, vscode.l10n.t('Renew Token…'));
    }
    return account;
  }

  /** Says what a token cannot do; nothing for none. */
  #offerBetterToken(account: InstanceAccount, button: string, prepare?: () => void): void {
    const note = scopeNote(account);
    if (note !== '') {
      const { id } = account;
      void showInformationMessage(`${id}: ${note}`, button).then((chosen) => {
        if (chosen === button) {
          prepare?.();
          return vscode.commands.executeCommand('beacon.renewToken', id);
        }
        return undefined;
      });
    }
  }

  /** Signs out of the sandbox, of the only account, or of the one that the user chooses, once they have confirmed it. */
  async signOut(): Promise<void> {
    const { account: inUse } = this.#inUse;
    const verb = vscode.l10n.t('Sign Out');
    const account =
      inUse?.kind === 'sandbox'
        ? inUse
        : await this.#anyOf(this.#store.all, verb, vscode.l10n.t('Choose the account to sign out of'));
    if (!account) {
      return;
    }
    const [question, detail] = signOutQuestion(account);
    // What cannot be said is no reason to stay signed in.
    const interrupted = account.kind === 'sandbox' ? [] : await this.#interrupted(account.id).catch(() => []);
    if (!(await confirm(question, [detail, ...interrupted], verb))) {
      return;
    }
    if (account.kind === 'sandbox') {
      await this.#inUse.forgetChoice();
      this.#notifySignedOut(account);
    } else {
      await this.remove(account.id);
    }
  }

  /**
   * Forgets an account and its token, and says so.
   *
   * @throws SecretStoreError if the secret store cannot be written.
   */
  async remove(accountId: string): Promise<void> {
    const account = this.#store.find(accountId);
    await this.#store.remove(accountId);
    if (account) {
      this.#notifySignedOut(account);
    }
  }

  /** Has to be read where the window goes on with the data of an account: no view names it that is alone. */
  #notifySignedOut(account: Account): void {
    const { account: now } = this.#inUse;
    const name = accountName(account);
    if (now) {
      void showInformationMessage(
        vscode.l10n.t('Signed out of {0}. This window works as {1}.', name, accountName(now)),
      );
    } else {
      setStatusBarMessage(vscode.l10n.t('Signed out of {0}', name), 5000);
    }
  }

  /**
   * Gives an account a new token: the one that is named, or the one in use. Signs in if there is none.
   *
   * @param of the id of an account, or the host of an instance, whose accounts are meant; anything else is none of them.
   */
  async renewToken(of?: string | { readonly instance?: string }): Promise<void> {
    const { all } = this.#store;
    const host = typeof of === 'object' ? of.instance : undefined;
    const there = all.filter(({ instanceUrl }) => new URL(instanceUrl).host === host);
    const meant = there.length > 0 ? there : all;
    const named = typeof of === 'string' ? of : this.#inUse.account?.id;
    const account =
      meant.find(({ id }) => id === named) ??
      (await this.#anyOf(
        meant,
        vscode.l10n.t('Renew Token'),
        vscode.l10n.t('Choose the account whose token to renew'),
      ));
    if (account) {
      const renewed = await this.#signIn.renew(account);
      if (renewed) {
        setStatusBarMessage(renewedLabel(renewed), 10_000);
        if (renewed.tokenSource) {
          this.#offerBetterToken(renewed, vscode.l10n.t('Renew Token…'));
        } else {
          const create = vscode.l10n.t('Create Token on {0}', instanceName(renewed.instanceUrl));
          this.#offerBetterToken(renewed, create, () => this.#signIn.openTokenPage(renewed));
        }
      }
    } else if (all.length === 0) {
      await this.signIn();
    }
  }

  /**
   * Lets the user choose which account this window works with; begins with another one than it works with now.
   *
   * @param accountId of the account if it is chosen already.
   */
  async switchAccount(accountId?: unknown): Promise<void> {
    const { account: inUse, candidates } = this.#inUse;
    const given = typeof accountId === 'string' ? this.#store.find(accountId) : undefined;
    if (given) {
      await this.#inUse.use(given);
      return;
    }
    const others = this.#store.all.filter((account) => !candidates.includes(account));
    const choices = accountChoices([...candidates, ...others], inUse);
    if (choices.length === 0) {
      await this.signIn();
      return;
    }
    const signIn: Choice<InstanceAccount> = {
      label: vscode.l10n.t('Sign In to Another Account…'),
      iconPath: new vscode.ThemeIcon('add'),
    };
    const chosen = await choose([...choices, signIn], {
      title: vscode.l10n.t('Switch Account'),
      placeholder: vscode.l10n.t('Choose the account for this window'),
      active: choices.find(({ value }) => value?.id !== inUse?.id) ?? signIn,
    });
    if (chosen === signIn) {
      await this.signIn();
    } else if (typeof chosen === 'object' && chosen.value) {
      await this.#inUse.use(chosen.value);
    }
  }

  async trySandbox(): Promise<void> {
    await this.#inUse.use(sandboxAccount);
    await this.#show();
    setStatusBarMessage(vscode.l10n.t('Signed in as {0}', accountLabel(sandboxAccount.id)), 5000);
  }

  /** Asks only where there are several. */
  async #anyOf(
    accounts: readonly InstanceAccount[],
    title: string,
    placeholder: string,
  ): Promise<InstanceAccount | undefined> {
    if (accounts.length < 2) {
      return accounts[0];
    }
    const chosen = await choose(accountChoices(accounts, this.#inUse.account), { title, placeholder });
    return typeof chosen === 'object' ? chosen.value : undefined;
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
        return remotes
          .flatMap((remote) => instanceUrlOf({ ...remote, host: hostNameOf(remote.host) }) ?? [])
          .map((address) => {
            const url = new URL(address);
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

/** The question before a sign-out, and what that removes and keeps. */
function signOutQuestion(account: Account): [question: string, detail: string] {
  const { t } = vscode.l10n;
  const question = t('Sign out of {0}?', accountName(account));
  if (account.kind === 'sandbox') {
    return [question, t('You can try the sandbox again at any time. Pins, filters and mutes stay for then.')];
  }
  const { instanceUrl, tokenSource } = account;
  const removed = t(
    'Beacon removes its copies of the token and the events. Pins, filters, mutes and profiles stay for the next sign-in.',
  );
  // Those of other sources are revoked, or to be had again.
  const token = t(
    'The token stays valid on {0}: keep it for the next sign-in, or revoke it there.',
    instanceName(instanceUrl),
  );
  return [question, tokenSource ? removed : `${removed} ${token}`];
}

/** The scopes stand first: the status bar cuts what is long. */
function renewedLabel({ id, scopes = [] }: InstanceAccount): string {
  return vscode.l10n.t('Token renewed: {0}', [...scopes, id].join(' · '));
}

/** What the token cannot do for its scope; views show it, too, where it matters. Empty if it can do everything. */
function scopeNote(account: InstanceAccount): string {
  return lacksReadScope(account)
    ? vscode.l10n.t('This token is enough for feeds only: all else needs the token scope read_api or api.')
    : isReadOnly(account)
      ? readOnlySentence()
      : '';
}

/** The address that a command is given, if it is one. */
function urlIn(given: unknown): GivenPlace | undefined {
  const { url } = (given ?? {}) as { readonly url?: unknown };
  return typeof url === 'string' ? { url } : undefined;
}

/** Whom an id names on which instance, see `AccountStore.idFor`: without a scheme it is encrypted, or on this computer. */
function placeOfId(id: string): GivenPlace | undefined {
  const [, username, place] = /^([^@]+)@(.+)/.exec(id) ?? [];
  if (username === undefined || place === undefined) {
    return undefined;
  }
  const scheme = isLoopback(URL.parse(`http://${place}`)?.hostname ?? '') ? 'http' : 'https';
  return { url: place.includes('://') ? place : `${scheme}://${place}`, account: { id, username } };
}
