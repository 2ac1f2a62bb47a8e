import * as vscode from 'vscode';
import type { ActivityNode, Feed } from '../../unit/activity/activityWindow.ts';
import { trees } from '../host/editor.ts';
import type { Action } from './action.ts';
import type { UserAction } from './userAction.ts';

/** All rows of the view, from the top. */
export async function activityRows(parent?: ActivityNode): Promise<readonly ActivityNode[]> {
  const tree = trees.get('beacon.activity') as vscode.TreeDataProvider<ActivityNode>;
  const rows = (await tree.getChildren(parent)) ?? [];
  const below = await Promise.all(
    rows.map(async (row) => (row.kind === 'event' || row.kind === 'message' ? [] : await activityRows(row))),
  );
  return rows.flatMap((row, index) => [row, ...(below[index] ?? [])]);
}

/** The feeds that rows belong to. */
export function feedsOf(rows: readonly ActivityNode[]): readonly Feed[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'feed' ? row.shown.feed : row.feed) ?? []))];
}

/** Runs a command, on a random row of a kind if one is given. */
function command(name: string, weight: number, kind?: ActivityNode['kind']): UserAction {
  return {
    name: `${name.replace('beacon.', '')}${kind === undefined ? '' : ` on a row (${kind})`}`,
    weight,
    run: async ({ random }: Action) => {
      if (kind === undefined) {
        await vscode.commands.executeCommand(`beacon.activity.${name}`);
        return;
      }
      const rows = (await activityRows()).filter((row) => row.kind === kind);
      if (rows.length > 0) {
        await vscode.commands.executeCommand(`beacon.activity.${name}`, random.pick(rows));
      }
    },
  };
}

export const activityActions: readonly UserAction[] = [
  command('refresh', 8),
  command('loadMore', 5),
  command('selectFeed', 6),
  command('pinFeed', 2),
  command('unpinFeed', 1.5),
  command('unpinFeed', 2, 'feed'),
  command('filter', 4),
  command('filterByAuthor', 1, 'event'),
  command('filterByProject', 1, 'event'),
  command('filterByKind', 1, 'event'),
  command('clearFilter', 4),
  command('markAllRead', 2),
  command('markRead', 1, 'event'),
  command('markUnread', 1, 'event'),
  command('leaveOutOfBadge', 0.3),
  command('countInBadge', 0.3),
  command('muteAuthor', 0.5, 'event'),
  command('muteProject', 0.5, 'event'),
  command('muteKind', 0.5, 'event'),
  command('manageMutes', 1),
  command('showOnlyNew', 1),
  command('showRead', 1.5),
  command('showMoreOfDay', 1, 'day'),
  command('showEvent', 1, 'event'),
  command('openInBrowser', 0.5, 'event'),
  command('summarize', 2),
];
