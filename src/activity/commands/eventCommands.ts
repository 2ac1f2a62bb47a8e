import * as vscode from 'vscode';
import type { Commands } from '../../common/commands.ts';
import { setStatusBarMessage, showInformationMessage, withProgress } from '../../common/inertWindow.ts';
import type { ActivityContext, Target } from '../context.ts';
import type { EventPages } from '../document/eventPages.ts';
import type { EventNode } from '../tree/nodes.ts';
import type { LocalCommits } from './localCommits.ts';

const { t } = vscode.l10n;

export function eventCommands(view: ActivityContext, pages: EventPages, localCommits: LocalCommits) {
  /** The event of a command with its web address, when its project is looked up, as text of the view may not. */
  async function linkOf(target: Target): Promise<{ readonly node: EventNode; readonly link: string } | undefined> {
    const node = view.eventOf(target);
    const { project_id: id } = node?.item ?? {};
    if (node && typeof id === 'number') {
      await view.projects.learn(node.feed.ref.accountId, [id]);
    }
    const link = node && view.linkOf(node);
    return node && link !== undefined ? { node, link } : undefined;
  }

  async function openInBrowser(target?: Target): Promise<void> {
    const { node, link } = (await linkOf(target)) ?? {};
    if (node && link !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(link, true));
      await pages.markOpened(node);
    }
  }

  async function copyLink(target?: Target): Promise<void> {
    const { link } = (await linkOf(target)) ?? {};
    if (link !== undefined) {
      await vscode.env.clipboard.writeText(link);
      setStatusBarMessage(t('Copied {0}', link), 5000);
    }
  }

  /** Shows what a push changed, from a repository that is open; where none has it, offers what can be done about that. */
  async function showChanges(target?: Target): Promise<void> {
    const node = view.eventOf(target);
    if (!node || (await localCommits.show(node))) {
      return;
    }
    const repositories = await localCommits.repositoriesOf(node);
    const [fetch, browser] = [t('Fetch'), t('Open in Browser')];
    const buttons = repositories.length > 0 ? [fetch, browser] : [browser];
    const chosen = await showInformationMessage(t('No open repository can show these changes.'), ...buttons);
    if (chosen === browser) {
      await openInBrowser(node);
    } else if (chosen === fetch) {
      await withProgress({ location: { viewId: 'beacon.activity' } }, () =>
        Promise.all(repositories.map(async (repository) => repository.fetch())),
      );
      await showChanges(node);
    }
  }

  return {
    'beacon.activity.showEvent': async (target?: Target) => {
      const node = view.eventOf(target);
      await (node && pages.show(node));
    },
    'beacon.activity.openInBrowser': openInBrowser,
    'beacon.activity.copyLink': copyLink,
    'beacon.activity.showCommits': showChanges,
  } satisfies Commands;
}
