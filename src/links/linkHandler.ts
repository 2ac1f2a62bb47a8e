import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/account.ts';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import { accountChoices, type Dialogs, notifyProblem } from '../accounts/dialogs.ts';
import { problemOf } from '../accounts/problem.ts';
import { instanceName } from '../common/instanceUrl.ts';
import { type Link, readLink } from './link.ts';

/** A project or group that a link leads to, as the instance names it. */
export interface LinkedPlace {
  readonly kind: 'project' | 'group';
  readonly accountId: string;
  readonly id: number;
  /** The full path. */
  readonly path: string;
}

/** Where links lead. */
export interface Destinations {
  showActivity(project: LinkedPlace): Promise<void>;
  /** Whether the view shows a project already, or would have to pin it. */
  tracksErrors(project: LinkedPlace): Promise<boolean>;
  showErrorTracking(project: LinkedPlace): Promise<void>;
  /** @param place undefined for the global settings. */
  showNotificationSettings(accountId: string, place: LinkedPlace | undefined): Promise<void>;
}

/** What opening links depends on. */
export interface LinkHandlerDeps {
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'use'>;
  readonly connections: Pick<Connections, 'of'>;
  /** Asks for a token of an instance. */
  readonly signIn: (instanceUrl: string) => Promise<InstanceAccount | undefined>;
  /** Takes the answer of the browser to a sign-in. */
  readonly answerSignIn: (uri: vscode.Uri) => Promise<void>;
  readonly destinations: Destinations;
  readonly dialogs: Pick<Dialogs, 'notify' | 'confirm' | 'choose'>;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Opens addresses such as `vscode://beacon-gitlab.beacon-gitlab/activity?instance=…&project=…`, which anyone can make: nothing is
 * requested of an instance that the user is not signed in to, and nothing changes before they agree.
 */
export class LinkHandler implements vscode.UriHandler {
  readonly #deps: LinkHandlerDeps;

  constructor(deps: LinkHandlerDeps) {
    this.#deps = deps;
  }

  /** Opens a link. A failure is shown. */
  async handleUri(uri: vscode.Uri): Promise<void> {
    const { dialogs, log, answerSignIn } = this.#deps;
    if (/^\/signed-in(?:\/|$)/.test(uri.path)) {
      await answerSignIn(uri);
      return;
    }
    const link = readLink(uri.path, uri.query);
    if (!link) {
      dialogs.notify(
        'warning',
        vscode.l10n.t(
          'This link cannot be opened: it does not name a view, an instance or a project. Ask the sender for another one.',
        ),
      );
      return;
    }
    try {
      const account = await this.#accountFor(link);
      if (account) {
        await this.#open(link, account.id);
      }
    } catch (error) {
      log.error(inspect(error));
      notifyProblem(dialogs, problemOf(error));
    }
  }

  /** The account of this window if it is on the link's instance; otherwise the one that the user agrees to use. */
  async #accountFor({ instanceUrl }: Link): Promise<InstanceAccount | undefined> {
    const { accounts, accountInUse, dialogs, signIn } = this.#deps;
    const { account: current } = accountInUse;
    if (current?.kind === 'instance' && current.instanceUrl === instanceUrl) {
      return current;
    }
    const name = instanceName(instanceUrl);
    const there = accounts.all.filter((account) => account.instanceUrl === instanceUrl);
    if (there.length === 0) {
      const isAgreed = await dialogs.confirm({
        question: vscode.l10n.t('This link leads to {0}, where you are not signed in.', name),
        detail: vscode.l10n.t('Sign in only if you know this instance: your token will go there.'),
        verb: vscode.l10n.t('Sign In…'),
      });
      const account = isAgreed ? await signIn(instanceUrl) : undefined;
      if (account && account.instanceUrl !== instanceUrl) {
        dialogs.notify(
          'warning',
          vscode.l10n.t('You signed in to another instance than {0}, so the link was not opened.', name),
        );
        return undefined;
      }
      return account;
    }
    const account = there.length === 1 ? there[0] : await this.#chooseAccount(there);
    const isAgreed =
      account &&
      (await dialogs.confirm({
        question: vscode.l10n.t('This link leads to {0}.', name),
        detail: vscode.l10n.t('This window will switch to the account {0}.', account.id),
        verb: vscode.l10n.t('Switch Account'),
      }));
    if (!isAgreed) {
      return undefined;
    }
    await accountInUse.use(account);
    return account;
  }

  async #open({ target, place: named }: Link, accountId: string): Promise<void> {
    const { destinations, dialogs } = this.#deps;
    const place = named && (await this.#lookUp(named, accountId));
    if (target === 'notificationSettings') {
      await destinations.showNotificationSettings(accountId, place);
    } else if (place && target === 'activity') {
      await destinations.showActivity(place);
    } else if (place) {
      const isAgreed =
        (await destinations.tracksErrors(place)) ||
        (await dialogs.confirm({
          question: vscode.l10n.t('This link leads to the error tracking of {0}.', place.path),
          detail: vscode.l10n.t('The project will be pinned to the Error Tracking view.'),
          verb: vscode.l10n.t('Pin'),
        }));
      if (isAgreed) {
        await destinations.showErrorTracking(place);
      }
    }
  }

  async #lookUp({ kind, idOrPath }: NonNullable<Link['place']>, accountId: string): Promise<LinkedPlace> {
    const { client } = await this.#deps.connections.of(accountId);
    if (kind === 'group') {
      const { id, full_path: path } = await client.directory.group(idOrPath);
      return { kind, accountId, id, path };
    }
    const { id, path_with_namespace: path } = await client.directory.project(idOrPath);
    return { kind, accountId, id, path };
  }

  async #chooseAccount(accounts: readonly InstanceAccount[]): Promise<InstanceAccount | undefined> {
    const choices = accountChoices(accounts, this.#deps.accountInUse.account);
    return await this.#deps.dialogs.choose(vscode.l10n.t('Open Link With'), '', choices);
  }
}
