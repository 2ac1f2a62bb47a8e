import * as vscode from 'vscode';
import { sandboxAccount } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import type { Commands } from '../../common/commands.ts';
import { plainText } from '../../common/inertText.ts';
import { setStatusBarMessage, type showInformationMessage, withProgress } from '../../common/inertWindow.ts';
import { webAddress } from '../../common/instanceUrl.ts';
import type { Target, ViewContext } from '../viewContext.ts';
import { authorLink, eventLink, eventReference } from '../events/eventLink.ts';
import type { Projects } from '../feed/projects.ts';
import { type EventNode, projectFacts } from '../tree/nodes.ts';
import type { LocalCommits } from './localCommits.ts';

/** Characters of a reference, which may hold a path, a branch or a title. */
const longestReference = 2000;
/** Two clicks within so many milliseconds are a double click. */
const doubleClick = 500;

/** What acting on events depends on. */
export interface EventCommandsDeps {
  readonly context: ViewContext;
  readonly projects: Projects;
  /** Shows an event in the editor, without taking the focus. */
  readonly showPage: (node: EventNode) => Promise<void>;
  readonly markOpened: (node: EventNode) => Promise<void>;
  readonly localCommits: LocalCommits;
  readonly clock: Pick<Clock, 'now'>;
  readonly openExternal: (address: string) => Promise<void>;
  readonly ask: typeof showInformationMessage;
}

/** What a user does with an event. */
export class EventCommands {
  readonly #deps: EventCommandsDeps;
  #clicked: { readonly key: string; readonly at: number } | undefined;

  readonly commands = {
    'beacon.activity.showEvent': (target?: Target) => this.show(target),
    'beacon.activity.openInBrowser': (target?: Target) => this.openInBrowser(target),
    'beacon.activity.openProject': (target?: Target) => this.openProject(target),
    'beacon.activity.openAuthor': (target?: Target) => this.openAuthor(target),
    'beacon.activity.copyLink': (target?: Target) => this.copyLink(target),
    'beacon.activity.copyReference': (target?: Target) => this.copyReference(target),
    'beacon.activity.showCommits': (target?: Target) => this.showCommits(target),
    'beacon.activity.openRepository': (target?: Target) => this.showCommits(target),
  } satisfies Commands;

  constructor(deps: EventCommandsDeps) {
    this.#deps = deps;
  }

  /** Shows an event in the editor without taking the focus from the view; by a double click, in the browser. */
  async show(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    if (!node) {
      return;
    }
    const at = this.#deps.clock.now();
    const isSecond = this.#clicked?.key === node.key && at - this.#clicked.at < doubleClick;
    this.#clicked = isSecond ? undefined : { key: node.key, at };
    if (isSecond) {
      await this.openInBrowser(node);
    } else {
      await this.#deps.showPage(node);
    }
  }

  /** Opens the web page of what an event is about. */
  async openInBrowser(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    const link = node && (await this.#knownLink(node));
    if (node && link !== undefined) {
      await this.#deps.openExternal(link);
      await this.#deps.markOpened(node);
      if (isOfProject(link, node)) {
        const account = accountLabel(node.feed.ref.accountId);
        setStatusBarMessage(
          vscode.l10n.t('Only the project was opened: the token of {0} may not read its path.', account),
          10_000,
        );
      }
    }
  }

  /** Opens the web page of an event's project. */
  async openProject(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    if (node && !isUnrecognized(node.item)) {
      const { project_id: id } = node.item;
      await this.#learnProject(node);
      const url = this.#deps.projects.get(node.feed.ref.accountId, id)?.webUrl;
      await this.#deps.openExternal(webAddress(url) ?? `${node.feed.state.instanceUrl}/projects/${id}`);
    }
  }

  /** Opens the web page of an event's author. */
  async openAuthor(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    const { instanceUrl = '' } = node?.feed.state ?? {};
    const link = node && !isUnrecognized(node.item) ? authorLink(node.item, instanceUrl) : undefined;
    if (link !== undefined) {
      await this.#deps.openExternal(link);
    }
  }

  /** Copies the web address of what an event is about. */
  async copyLink(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    const link = node && (await this.#knownLink(node));
    if (node && link !== undefined) {
      await vscode.env.clipboard.writeText(link);
      const account = accountLabel(node.feed.ref.accountId);
      const copied = isOfProject(link, node)
        ? vscode.l10n.t('Copied {0}, the project alone: the token of {1} may not read its path', link, account)
        : copiedLabel(link);
      setStatusBarMessage(copied, 5000);
    }
  }

  /** Copies the text by which people refer to what an event is about. */
  async copyReference(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    if (node && !isUnrecognized(node.item)) {
      await this.#learnProject(node);
      const project = this.#deps.projects.get(node.feed.ref.accountId, node.item.project_id)?.path;
      const reference = eventReference(node.item, project);
      if (reference !== undefined) {
        // One line, as it is pasted into others' fields and terminals.
        const text = plainText(reference, longestReference);
        await vscode.env.clipboard.writeText(text);
        setStatusBarMessage(copiedLabel(text), 5000);
      }
    }
  }

  /** Shows what a push changed, from a repository that is open; where none has its commits, offers what can be done about that. */
  async showCommits(target?: Target): Promise<void> {
    const node = this.#deps.context.event(target);
    const { localCommits } = this.#deps;
    const outcome = node && (await localCommits.show(node));
    if (outcome === 'beginning') {
      await this.openInBrowser(node);
    }
    if (!node || outcome !== 'absent') {
      return;
    }
    const { t } = vscode.l10n;
    const repositories = await localCommits.repositoriesOf(node);
    const [fetch, open, clone, browser] = [t('Fetch'), t('Open Folder…'), t('Clone…'), t('Open in Browser')];
    const address = repositories.length > 0 ? undefined : await this.#cloneAddress(node);
    const path = projectFacts(node.item, node.feed.state)?.path;
    const chosen = await this.#deps.ask(
      repositories.length > 0
        ? t('The open repository does not have these commits yet.')
        : path === undefined
          ? t('No repository with these commits is open.')
          : t('No repository of {0} with these commits is open.', path),
      ...(repositories.length > 0 ? [fetch] : [open]),
      ...(address === undefined ? [] : [clone]),
      browser,
    );
    if (chosen === browser) {
      await this.openInBrowser(node);
    } else if (chosen === open) {
      await vscode.commands.executeCommand('vscode.openFolder');
    } else if (chosen === clone) {
      await vscode.commands.executeCommand('git.clone', address);
    } else if (chosen === fetch) {
      await withProgress({ location: { viewId: 'beacon.activity' } }, async () => {
        await Promise.all(repositories.map(async (repository) => repository.fetch()));
      });
      if ((await localCommits.show(node)) === 'absent') {
        await this.#deps.ask(
          t('The commits were not found even after fetching: the branch may have been rewritten or deleted.'),
        );
      }
    }
  }

  /** Where git gets the event's project; undefined where there is no git, or no instance that git could ask. */
  async #cloneAddress(node: EventNode): Promise<string | undefined> {
    const { accountId } = node.feed.ref;
    if (accountId === sandboxAccount.id || isUnrecognized(node.item) || !(await this.#deps.localCommits.hasGit())) {
      return undefined;
    }
    await this.#learnProject(node);
    const address = webAddress(this.#deps.projects.get(accountId, node.item.project_id)?.webUrl);
    return address && `${address.replace(/(?<!\/)\/+$/, '')}.git`;
  }

  /** The web address of what an event is about, as far as its project is known by now. */
  linkOf({ item, feed }: Pick<EventNode, 'item' | 'feed'>): string | undefined {
    const { instanceUrl } = feed.state;
    if (instanceUrl === undefined) {
      return undefined;
    }
    return isUnrecognized(item)
      ? instanceUrl
      : eventLink(item, {
          instanceUrl,
          projectUrl: this.#deps.projects.get(feed.ref.accountId, item.project_id)?.webUrl,
        });
  }

  async #knownLink(node: EventNode): Promise<string | undefined> {
    await this.#learnProject(node);
    return this.linkOf(node);
  }

  async #learnProject({ item, feed }: EventNode): Promise<void> {
    if (!isUnrecognized(item) && typeof item.project_id === 'number') {
      await this.#deps.projects.learn(feed.ref.accountId, [item.project_id]);
    }
  }
}

function copiedLabel(text: string): string {
  return vscode.l10n.t('Copied {0}', text);
}

/** Whether a link leads to no more than the project of an event: the pages of issues and commits have its path in their addresses. */
function isOfProject(link: string, { item }: EventNode): boolean {
  return !isUnrecognized(item) && link.endsWith(`/projects/${item.project_id}`);
}
