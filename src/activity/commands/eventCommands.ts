import * as vscode from 'vscode';
import { sandboxAccount } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import type { Commands } from '../../common/commands.ts';
import { plainText } from '../../common/inertText.ts';
import { setStatusBarMessage, showInformationMessage, withProgress } from '../../common/inertWindow.ts';
import { webAddress } from '../../common/instanceUrl.ts';
import type { ActivityContext, Target } from '../context.ts';
import type { EventPages } from '../document/eventPages.ts';
import { authorLink, eventReference, withoutSlash } from '../events/eventLink.ts';
import type { EventNode } from '../tree/eventNode.ts';
import type { LocalCommits } from './localCommits.ts';

const { t } = vscode.l10n;

/** Characters of a reference, which may hold a path, a branch or a title. */
const longestReference = 2000;
/** Two clicks within so many milliseconds are a double click. */
const doubleClick = 500;

/** What a user does with an event. */
export function eventCommands(view: ActivityContext, pages: EventPages, localCommits: LocalCommits) {
  const { app, projects } = view;
  let clicked: { readonly id: string; readonly at: number } | undefined;

  /** Shows an event in the editor without taking the focus from the view; by a double click, in the browser. */
  async function show(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    if (!node) {
      return;
    }
    const at = app.clock.now();
    const isSecond = clicked?.id === node.id && at - clicked.at < doubleClick;
    clicked = isSecond ? undefined : { id: node.id, at };
    await (isSecond ? openInBrowser(node) : pages.show(node));
  }

  /** The web address of what an event is about, when its project is looked up, as text of the view may not. */
  async function linkOf(node: EventNode): Promise<string | undefined> {
    await learnProject(node);
    return view.linkOf(node);
  }

  async function learnProject({ item, feed }: EventNode): Promise<void> {
    if (typeof item.project_id === 'number') {
      await projects.learn(feed.ref.accountId, [item.project_id]);
    }
  }

  async function openInBrowser(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    const link = node && (await linkOf(node));
    if (node && link !== undefined) {
      await openExternal(link);
      await pages.markOpened(node);
      if (isOfProject(link, node)) {
        const account = accountLabel(node.feed.ref.accountId);
        const note = t('Only the project was opened: the token of {0} may not read its path.', account);
        setStatusBarMessage(note, 10_000);
      }
    }
  }

  async function openProject(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    if (node) {
      const { project_id: id } = node.item;
      await learnProject(node);
      const url = projects.get(node.feed.ref.accountId, id)?.webUrl;
      await openExternal(webAddress(url) ?? `${node.feed.state.instanceUrl}/projects/${id}`);
    }
  }

  async function openAuthor(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    const link = node && authorLink(node.item, node.feed.state.instanceUrl ?? '');
    await (link === undefined ? undefined : openExternal(link));
  }

  async function copyLink(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    const link = node && (await linkOf(node));
    if (node && link !== undefined) {
      await vscode.env.clipboard.writeText(link);
      const account = accountLabel(node.feed.ref.accountId);
      const copied = isOfProject(link, node)
        ? t('Copied {0}, the project alone: the token of {1} may not read its path', link, account)
        : t('Copied {0}', link);
      setStatusBarMessage(copied, 5000);
    }
  }

  /** Copies the text by which people refer to what an event is about. */
  async function copyReference(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    if (node) {
      await learnProject(node);
      const project = projects.get(node.feed.ref.accountId, node.item.project_id)?.path;
      const reference = eventReference(node.item, project);
      if (reference !== undefined) {
        // One line, as it is pasted into others' fields and terminals.
        const text = plainText(reference, longestReference);
        await vscode.env.clipboard.writeText(text);
        setStatusBarMessage(t('Copied {0}', text), 5000);
      }
    }
  }

  /** Shows what a push changed, from a repository that is open; where none has its commits, offers what can be done about that. */
  async function showChanges(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    const outcome = node && (await localCommits.show(node));
    if (outcome === 'beginning') {
      await openInBrowser(node);
    }
    if (!node || outcome !== 'absent') {
      return;
    }
    const repositories = await localCommits.repositoriesOf(node);
    const [fetch, open, clone, browser] = [t('Fetch'), t('Open Folder…'), t('Clone…'), t('Open in Browser')];
    const address = repositories.length > 0 ? undefined : await cloneAddress(node);
    const path = node.facts?.path;
    const message =
      repositories.length > 0
        ? t('The open repository does not have these commits yet.')
        : path === undefined
          ? t('No repository with these commits is open.')
          : t('No repository of {0} with these commits is open.', path);
    const mend = repositories.length > 0 ? [fetch] : [open, ...(address === undefined ? [] : [clone])];
    const chosen = await showInformationMessage(message, ...mend, browser);
    if (chosen === browser) {
      await openInBrowser(node);
    } else if (chosen === open) {
      await vscode.commands.executeCommand('vscode.openFolder');
    } else if (chosen === clone) {
      await vscode.commands.executeCommand('git.clone', address);
    } else if (chosen === fetch) {
      await withProgress({ location: { viewId: 'beacon.activity' } }, async () => {
        await Promise.all(repositories.map(async (repository) => repository.fetch()));
      });
      if ((await localCommits.show(node)) === 'absent') {
        void showInformationMessage(
          t('The commits were not found even after fetching: the branch may have been rewritten or deleted.'),
        );
      }
    }
  }

  /** Where git gets the event's project; undefined where there is no git, or no instance that git could ask. */
  async function cloneAddress(node: EventNode): Promise<string | undefined> {
    const { accountId } = node.feed.ref;
    if (accountId === sandboxAccount.id || !(await localCommits.hasGit())) {
      return undefined;
    }
    await learnProject(node);
    const address = webAddress(projects.get(accountId, node.item.project_id)?.webUrl);
    return address && `${withoutSlash(address)}.git`;
  }

  return {
    'beacon.activity.showEvent': show,
    'beacon.activity.openInBrowser': openInBrowser,
    'beacon.activity.openProject': openProject,
    'beacon.activity.openAuthor': openAuthor,
    'beacon.activity.copyLink': copyLink,
    'beacon.activity.copyReference': copyReference,
    'beacon.activity.showCommits': showChanges,
    'beacon.activity.openRepository': showChanges,
  } satisfies Commands;
}

async function openExternal(address: string): Promise<void> {
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}

/** Whether a link leads to no more than the project of an event: the pages of issues and commits have its path in their addresses. */
function isOfProject(link: string, { item }: EventNode): boolean {
  return link.endsWith(`/projects/${item.project_id}`);
}
