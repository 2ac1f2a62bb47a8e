import * as vscode from 'vscode';
import { plainText } from '../../plainText.ts';
import type { Feed } from './feed.ts';
import type { FeedChoice } from './feedChoice.ts';

/** The name of a feed or of a choice of one. */
export function feedName(feed: Feed | FeedChoice): string {
  switch (feed.kind) {
    case 'mine':
      return vscode.l10n.t('My Activity');
    case 'allProjects':
      return vscode.l10n.t('All My Projects');
    case 'workspaceProject':
      return vscode.l10n.t('Workspace Project');
    case 'project':
      return plainText(feed.path);
    case 'user':
      return plainText(feed.name);
  }
}

/** The id of the codicon that stands for a feed or a choice of one. */
export function feedIcon({ kind }: Feed | FeedChoice): string {
  return feedIcons[kind];
}

const feedIcons = {
  mine: 'account',
  allProjects: 'repo-clone',
  workspaceProject: 'root-folder',
  project: 'repo',
  user: 'person',
} as const;
