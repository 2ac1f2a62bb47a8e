import * as vscode from 'vscode';
import type { AccountCommands } from '../accounts/accountCommands.ts';
import type { ProjectPlace } from '../accounts/account.ts';
import { chooseAccount } from '../accounts/dialogs.ts';
import { lookUp } from '../accounts/directorySearch.ts';
import type { InstanceAccount } from '../accounts/keptAccount.ts';
import { ProblemError, reportFailure } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import { confirm } from '../common/inertWindow.ts';
import { instanceName, normalizeInstanceUrl } from '../common/instanceUrl.ts';

/** What an address of the editor leads to: something of a project or group on an instance. */
interface Link {
  readonly target: 'activity' | 'errorTracking' | 'notificationSettings';
  readonly instanceUrl: string;
  /** Absent for the global notification settings. */
  readonly place?: {
    readonly kind: 'project' | 'group';
    readonly idOrPath: number | string;
  };
}

const targets: Readonly<Record<string, Link['target']>> = {
  '/activity': 'activity',
  '/error-tracking': 'errorTracking',
  '/notification-settings': 'notificationSettings',
};

/** Names that groups and projects can have, one after the other. */
const fullPath = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,254}(\/[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,254}){0,20}$/u;
const longest = 2000;

export interface Destinations {
  showActivity(project: ProjectPlace): Promise<void>;
  /** Whether the view shows a project already, or would have to pin it. */
  tracksErrors(project: ProjectPlace): Promise<boolean>;
  showErrorTracking(project: ProjectPlace): Promise<void>;
}

/**
 * Opens addresses such as `vscode://beacon-gitlab.beacon-gitlab/activity?instance=…&project=…`, which anyone can make: nothing is
 * requested of an instance that the user is not signed in to, and nothing changes before they agree. As long as one is being opened,
 * others are not.
 */
export class LinkHandler implements vscode.UriHandler {
  readonly #app: App;
  readonly #accounts: AccountCommands;
  readonly #destinations: Destinations;
  #isOpening = false;

  constructor(app: App, accounts: AccountCommands, destinations: Destinations) {
    this.#app = app;
    this.#accounts = accounts;
    this.#destinations = destinations;
  }

  async handleUri(uri: vscode.Uri): Promise<void> {
    try {
      if (/^\/signed-in(?:\/|$)/.test(uri.path)) {
        this.#accounts.browser.answer(uri);
      } else if (this.#isOpening) {
        this.#app.log.warn('A link was left out: another one is being opened.');
      } else {
        this.#isOpening = true;
        await this.#openLink(uri).finally(() => (this.#isOpening = false));
      }
    } catch (error) {
      reportFailure(error, this.#app.log);
    }
  }

  async #openLink({ path, query }: vscode.Uri): Promise<void> {
    const link = readLink(path, query);
    if (!link) {
      const sentence = vscode.l10n.t(
        'This link cannot be opened: it does not name a view, an instance or a project. Ask the sender for another one.',
      );
      throw new ProblemError({ sentence });
    }
    const account = await this.#accountFor(link);
    if (account) {
      await this.#open(link, account.id);
    }
  }

  /** The account of this window if it is on the link's instance; otherwise the one that the user agrees to use. */
  async #accountFor({ instanceUrl }: Link): Promise<InstanceAccount | undefined> {
    const { accounts, accountInUse } = this.#app;
    const { account: current } = accountInUse;
    if (current?.kind === 'instance' && current.instanceUrl === instanceUrl) {
      return current;
    }
    const name = instanceName(instanceUrl);
    const there = accounts.all.filter((account) => account.instanceUrl === instanceUrl);
    if (there.length === 0) {
      const isAgreed = await confirm(
        vscode.l10n.t('This link leads to {0}, where you are not signed in.', name),
        vscode.l10n.t('Sign in only if you know this instance: your token will go there.'),
        vscode.l10n.t('Sign In…'),
      );
      const account = isAgreed ? await this.#accounts.signIn(instanceUrl) : undefined;
      if (account && account.instanceUrl !== instanceUrl) {
        const sentence = vscode.l10n.t('You signed in to another instance than {0}, so the link was not opened.', name);
        throw new ProblemError({ sentence });
      }
      return account;
    }
    const account = await chooseAccount(this.#app, there, { title: vscode.l10n.t('Open Link With'), placeholder: '' });
    const isAgreed =
      account &&
      (await confirm(
        vscode.l10n.t('This link leads to {0}.', name),
        vscode.l10n.t('This window will switch to the account {0}.', account.id),
        vscode.l10n.t('Switch Account'),
      ));
    if (!isAgreed) {
      return undefined;
    }
    await accountInUse.use(account);
    return account;
  }

  async #open({ target, place: named }: Link, accountId: string): Promise<void> {
    const place = named && (await lookUp(named.kind, named.idOrPath, await this.#app.connections.of(accountId)));
    if (target === 'notificationSettings') {
      const scope = place ?? { kind: 'global', accountId };
      await vscode.commands.executeCommand('beacon.notifications.open', scope);
    } else if (place && target === 'activity') {
      await this.#destinations.showActivity(place);
    } else if (place) {
      const isAgreed =
        (await this.#destinations.tracksErrors(place)) ||
        (await confirm(
          vscode.l10n.t('This link leads to the error tracking of {0}.', place.path),
          vscode.l10n.t('The project will be pinned to the Error Tracking view.'),
          vscode.l10n.t('Pin'),
        ));
      if (isAgreed) {
        await this.#destinations.showErrorTracking(place);
      }
    }
  }
}

/**
 * Reads an address of the editor. It comes from anywhere, so it has to be exactly what is known.
 *
 * @param path such as `/activity`.
 * @param query such as `instance=https%3A%2F%2Fgitlab.com&project=group%2Fproject`, still encoded.
 * @returns undefined if it leads nowhere.
 */
export function readLink(path: string, query: string): Link | undefined {
  const target = Object.hasOwn(targets, path) ? targets[path] : undefined;
  if (target === undefined || query.length > longest) {
    return undefined;
  }
  const given = new URLSearchParams(query);
  const names = [...given.keys()];
  const known = ['instance', 'project', ...(target === 'notificationSettings' ? ['group'] : [])];
  if (new Set(names).size !== names.length || names.some((name) => !known.includes(name))) {
    return undefined;
  }
  const instanceUrl = normalizeInstanceUrl(given.get('instance') ?? '');
  const [project, group] = [given.get('project'), given.get('group')];
  if (instanceUrl === undefined || (project !== null && group !== null)) {
    return undefined;
  }
  const named = project ?? group;
  if (named === null) {
    return target === 'notificationSettings' ? { target, instanceUrl } : undefined;
  }
  const idOrPath = readIdOrPath(named);
  const kind = project === null ? 'group' : 'project';
  return idOrPath === undefined ? undefined : { target, instanceUrl, place: { kind, idOrPath } };
}

function readIdOrPath(text: string): number | string | undefined {
  if (/^\d+$/.test(text)) {
    const id = Number(text);
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  }
  return fullPath.test(text) ? text : undefined;
}
