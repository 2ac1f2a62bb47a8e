import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import { inSequence } from '../common/inertText.ts';
import { confirm, setStatusBarMessage, showInformationMessage } from '../common/inertWindow.ts';
import { instanceName } from '../common/instanceUrl.ts';
import { instanceUrlOf } from '../workspace/remoteUrl.ts';
import { isReadOnly, lacksReadScope, sandboxAccount } from './account.ts';
import type { InstanceAccount } from './keptAccount.ts';
import { accountLabel } from './accountInUse.ts';
import { chooseAccount } from './dialogs.ts';
import { OAuthSignIn } from './oauthSignIn.ts';
import { missingScopeProblem, showProblem } from './problem.ts';
import { SignIn } from './signIn.ts';

export class AccountCommands {
  readonly #app: App;
  readonly #signIn: SignIn;
  /** Takes what the browser brings. */
  readonly browser: OAuthSignIn;

  readonly commands = {
    // A keybinding may give anything.
    'beacon.signIn': (at?: { readonly url?: unknown }) => this.signIn(typeof at?.url === 'string' ? at.url : undefined),
    'beacon.signOut': () => this.#signOut(),
    'beacon.accounts': (accountId?: unknown) => this.#chooseAccount(accountId),
    'beacon.replaceToken': (of?: string | { readonly instance?: string }) => this.#replaceToken(of),
    'beacon.trySandbox': () => this.#trySandbox(),
  } satisfies Commands;

  constructor(app: App) {
    this.#app = app;
    this.browser = new OAuthSignIn(app);
    this.#signIn = new SignIn(app, this.browser);
  }

  /**
   * Adds an account and works with it.
   *
   * @param url of the instance, or below it; without, the user chooses or enters it.
   * @returns undefined if the user gave up.
   */
  async signIn(url?: string): Promise<InstanceAccount | undefined> {
    const { accountInUse } = this.#app;
    const account = await this.#signIn.run(this.#unreachedHost(), url);
    if (account) {
      await accountInUse.use(account);
      await showActivity();
      setStatusBarMessage(vscode.l10n.t('Signed in to {0}', accountInUse.nameOf(account)), 5000);
      this.#sayLimits(account);
    }
    return account;
  }

  /**
   * Signs in with what a development run of the editor finds in its environment, unless that has been done, so that `npm start` shows
   * a signed-in workbench. Where the page of the workbench is loaded again, its secrets are gone.
   *
   * @throws ApiError if the instance does not accept the token.
   */
  async signInForDevelopment({ instanceUrl, token }: Record<'instanceUrl' | 'token', string>): Promise<void> {
    const { accounts, accountInUse } = this.#app;
    const known = accounts.all.find((account) => account.instanceUrl === instanceUrl);
    if (!known || !(await accounts.entry(known.id))) {
      await accountInUse.use(await this.#signIn.take({ instanceUrl }, { token }));
      await showActivity();
    }
  }

  async remove(accountId: string): Promise<void> {
    const { accounts, accountInUse } = this.#app;
    const account = accounts.find(accountId);
    const name = account && accountInUse.nameOf(account);
    await accounts.remove(accountId);
    if (name !== undefined) {
      this.#notifyLeft(vscode.l10n.t('Signed out of {0}.', name));
    }
  }

  async #signOut(): Promise<void> {
    const { accounts, accountInUse } = this.#app;
    if (accountInUse.account?.kind === 'sandbox') {
      await accountInUse.leaveSandbox();
      this.#notifyLeft(vscode.l10n.t('This window has left the sandbox.'));
      return;
    }
    const verb = vscode.l10n.t('Sign Out');
    const placeholder = vscode.l10n.t('Choose the account to sign out of');
    const account = await chooseAccount(this.#app, accounts.all, { title: verb, placeholder });
    if (account) {
      const question = vscode.l10n.t('Sign out of {0}?', accountInUse.nameOf(account));
      if (await confirm(question, consequencesOf(account), verb)) {
        await this.remove(account.id);
      }
    }
  }

  /** Has to be read where the window goes on with the data of another account: no view names it that is alone. */
  #notifyLeft(sentence: string): void {
    const { account } = this.#app.accountInUse;
    if (account) {
      // It may have used that one before, too.
      const used = vscode.l10n.t('This window uses {0}.', accountLabel(account.id));
      void showInformationMessage(inSequence(sentence, used));
    } else {
      setStatusBarMessage(sentence, 5000);
    }
  }

  /**
   * Gives an account another token: the one that is named, or the one in use. Signs in if there is none.
   *
   * @param of the id of an account, or the host of an instance, whose accounts are meant; anything else is none of them.
   */
  async #replaceToken(of?: string | { readonly instance?: string }): Promise<void> {
    const { accounts, accountInUse } = this.#app;
    const host = typeof of === 'object' ? of.instance : undefined;
    const there = accounts.all.filter(({ instanceUrl }) => new URL(instanceUrl).host === host);
    const meant = there.length > 0 ? there : accounts.all;
    const named = typeof of === 'string' ? of : accountInUse.account?.id;
    const title = vscode.l10n.t('Replace Token');
    const question = { title, placeholder: vscode.l10n.t('Choose the account whose token to replace') };
    const account = meant.find(({ id }) => id === named) ?? (await chooseAccount(this.#app, meant, question));
    if (!account) {
      await (accounts.all.length === 0 ? this.signIn() : undefined);
      return;
    }
    const replaced = await this.#signIn.replaceToken(account);
    if (replaced) {
      // The scopes stand first: the status bar cuts what is long.
      const label = [...(replaced.scopes ?? []), accountInUse.nameOf(replaced)].join(' · ');
      setStatusBarMessage(vscode.l10n.t('Token replaced: {0}', label), 10_000);
      this.#sayLimits(replaced);
    }
  }

  /** Says what a token cannot do; nothing of one that can do everything. Views say it, too, where it matters. */
  #sayLimits(account: InstanceAccount): void {
    if (lacksReadScope(account) || isReadOnly(account)) {
      const { sentence, ...rest } = missingScopeProblem(account);
      showProblem({ ...rest, sentence: `${this.#app.accountInUse.nameOf(account)}: ${sentence}` });
    }
  }

  /**
   * Shows the accounts, to work with one of them in this window, to sign in to another one or to sign out.
   *
   * @param accountId of the account if it is chosen already.
   */
  async #chooseAccount(accountId?: unknown): Promise<void> {
    const { t } = vscode.l10n;
    const { accounts, accountInUse } = this.#app;
    const { account: inUse } = accountInUse;
    const given = accounts.find(String(accountId));
    if (given || !inUse) {
      await (given ? accountInUse.use(given) : this.signIn());
      return;
    }
    const line = (label: string, icon: string, value: () => Promise<unknown>) => ({
      label,
      iconPath: new vscode.ThemeIcon(icon),
      value,
    });
    const isSandbox = inUse.kind === 'sandbox';
    const others = [
      line(t('Sign In to Another Account…'), 'add', () => this.signIn()),
      line(isSandbox ? t('Leave Sandbox') : t('Sign Out…'), 'sign-out', () => this.#signOut()),
      ...(isSandbox ? [] : [line(t('Try Sandbox'), 'beaker', () => this.#trySandbox())]),
    ];
    // Switching is what it is mostly opened for.
    const active = accounts.all.find(({ id }) => id !== inUse.id);
    const question = { title: t('Accounts'), placeholder: t('Choose the account for this window'), active };
    const chosen = await chooseAccount(this.#app, accounts.all, question, others);
    await (typeof chosen === 'function' ? chosen() : chosen && accountInUse.use(chosen));
  }

  async #trySandbox(): Promise<void> {
    await this.#app.accountInUse.use(sandboxAccount);
    await showActivity();
    setStatusBarMessage(vscode.l10n.t('This window now uses {0}.', accountLabel(sandboxAccount.id)), 5000);
  }

  /**
   * The host of a remote without an account that may be a GitLab instance: not a well-known other service; one named so before others.
   * No host is asked.
   */
  #unreachedHost(): string | undefined {
    const { accounts, remotes } = this.#app;
    const known = accounts.all.map(({ instanceUrl }) => new URL(instanceUrl).host);
    const candidates = remotes.repositories
      .flatMap((repository) => repository.remotes)
      .flatMap((remote) => instanceUrlOf({ ...remote, host: remotes.hostNameOf(remote.host) }) ?? [])
      .map((address) => new URL(address))
      .filter(({ host, hostname }) => !known.includes(host) && !otherServices.test(hostname));
    return (candidates.find(({ hostname }) => /\bgitlab\b/.test(hostname)) ?? candidates[0])?.host;
  }
}

/** Services of others for repositories, none of which is a GitLab instance. */
const otherServices =
  /(?:^|\.)(?:github\.com|ghe\.com|bitbucket\.org|dev\.azure\.com|visualstudio\.com|codeberg\.org|gitea\.com|sr\.ht|huggingface\.co|amazonaws\.com)$/;

function consequencesOf({ instanceUrl, tokenSource }: InstanceAccount): readonly string[] {
  const { t } = vscode.l10n;
  const removed = t(
    'Beacon removes its copies of the token and the events. Pins, filters, mutes and profiles stay for the next sign-in.',
  );
  // Those of other sources are revoked, or to be had again.
  const token = t(
    'The token stays valid on {0}: keep it for the next sign-in, or revoke it there.',
    instanceName(instanceUrl),
  );
  const kept = t(
    'Until the next sign-in, unsaved notification settings are kept, and notification profiles that hold for a while do not end.',
  );
  return [removed, ...(tokenSource ? [] : [token]), kept];
}

async function showActivity(): Promise<void> {
  await vscode.commands.executeCommand('beacon.activity.focus');
}
