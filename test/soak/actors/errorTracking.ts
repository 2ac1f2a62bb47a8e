import * as vscode from 'vscode';
import type { TrackingNode } from '../../../src/errorTracking/tree.ts';
import { trees } from '../host/editor.ts';
import { projects } from '../host/instance.ts';
import type { Action } from './action.ts';
import { permitDeletion, permitKey, permitRotation, permitSwitches, usernameOf } from './permissions.ts';
import type { UserAction } from './userAction.ts';

type ProjectRow = TrackingNode & { readonly project: NonNullable<TrackingNode['project']> };
type KeyRow = ProjectRow & { readonly key: NonNullable<TrackingNode['key']> };

/** All rows of the view that are about a project, from the top. */
export async function errorTrackingRows(): Promise<readonly ProjectRow[]> {
  const tree = trees.get('beacon.errorTracking') as vscode.TreeDataProvider<TrackingNode>;
  const roots = (await tree.getChildren()) ?? [];
  const below = await Promise.all(roots.map(async (root) => (await tree.getChildren(root)) ?? []));
  return roots
    .flatMap((root, index) => [root, ...(below[index] ?? [])])
    .flatMap((row) => (row.project ? [{ ...row, project: row.project }] : []));
}

async function randomProject({ random }: Action): Promise<ProjectRow | undefined> {
  const rows = (await errorTrackingRows()).filter(({ parent }) => parent === undefined);
  return rows.length === 0 ? undefined : random.pick(rows);
}

/** The id of a row's project; that of the workspace is named by its path, where it was at the start. */
function projectIdOf({ project }: ProjectRow): number {
  return typeof project.idOrPath === 'number'
    ? project.idOrPath
    : (projects.find(({ path }) => path === project.idOrPath)?.id ?? 0);
}

async function createKey(action: Action): Promise<void> {
  const row = await randomProject(action);
  if (!row) {
    return;
  }
  permitKey(action, usernameOf(row.project.accountId), projectIdOf(row));
  const create = async (): Promise<void> => await vscode.commands.executeCommand('beacon.errorTracking.createKey', row);
  // A user clicks twice, and means one key.
  await Promise.all(action.random.next() < 0.3 ? [create(), create()] : [create()]);
}

async function withKey(
  action: Action,
  command: string,
  permit: (row: KeyRow, username: string, projectId: number) => void,
): Promise<void> {
  const rows = (await errorTrackingRows()).flatMap((row) => (row.key ? [{ ...row, key: row.key }] : []));
  const active = rows.filter(({ key }) => key.active);
  const among = active.length > 0 && action.random.next() < 0.9 ? active : rows;
  if (among.length > 0) {
    const row = action.random.pick(among);
    permit(row, usernameOf(row.project.accountId), projectIdOf(row));
    await vscode.commands.executeCommand(`beacon.errorTracking.${command}`, row);
  }
}

function settingsAction(command: string, active: boolean): UserAction {
  return {
    name: `${command} error tracking`,
    weight: 1.5,
    run: async (action: Action) => {
      const row = await randomProject(action);
      if (row) {
        permitSwitches(action, usernameOf(row.project.accountId), projectIdOf(row), active);
        await vscode.commands.executeCommand(`beacon.errorTracking.${command}`, row);
      }
    },
  };
}

export const errorTrackingActions: readonly UserAction[] = [
  { name: 'create a client key', weight: 4, run: createKey },
  {
    name: 'delete a client key',
    weight: 2.5,
    run: async (action) =>
      await withKey(action, 'deleteKey', ({ key }, username, projectId) =>
        permitDeletion(action, username, projectId, key.id),
      ),
  },
  {
    name: 'replace a client key',
    weight: 5,
    run: async (action) =>
      await withKey(action, 'replaceKey', ({ key }, username, projectId) =>
        permitRotation(action, username, projectId, key.id),
      ),
  },
  { name: 'copy a DSN', weight: 1, run: async (action) => await withKey(action, 'copyDsn', () => undefined) },
  { name: 'insert a DSN', weight: 1, run: async (action) => await withKey(action, 'insertDsn', () => undefined) },
  {
    name: 'send a test error',
    weight: 1,
    run: async (action) => await withKey(action, 'sendTestError', () => undefined),
  },
  settingsAction('setUp', true),
  settingsAction('disable', false),
  {
    name: 'refresh error tracking',
    weight: 3,
    run: async () => await vscode.commands.executeCommand('beacon.errorTracking.refresh'),
  },
];
