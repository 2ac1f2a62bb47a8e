import * as vscode from 'vscode';
import { createQuickPick } from '../../common/inertWindow.ts';
import type { Connection } from '../../accounts/connections.ts';
import type { WorkspaceProject } from '../../accounts/workspaceProjects.ts';
import type { Pin } from '../../directory/pins.ts';
import { pickGroup, pickProject } from '../../directory/pickers.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { scopeWords } from '../model/words.ts';

/** What is offered without a search. */
export interface ScopeOffers {
  readonly workspace: readonly WorkspaceProject[];
  readonly pins: readonly Pin[];
  /** The scope that is shown now. */
  readonly present: NotificationScope;
  /** The scopes with changes that were not saved. */
  readonly drafted: readonly NotificationScope[];
}

/** What was chosen: a scope, or a project of the workspace whose id has to be looked up. */
export type ChosenScope = NotificationScope | WorkspaceProject;

interface Line extends vscode.QuickPickItem {
  readonly chosen?: ChosenScope;
  readonly search?: 'project' | 'group';
}

/**
 * Lets the person choose whose settings to show: global, a project of the workspace, what is pinned, or any group or project
 * that is searched for.
 *
 * @returns undefined if they gave up.
 */
export async function pickScope(connection: Connection, offers: ScopeOffers): Promise<ChosenScope | undefined> {
  const title = vscode.l10n.t('Notification Settings');
  const { line, text } = await pickLine(title, linesOf(connection.account.id, offers));
  if (line?.search === 'project') {
    const project = await pickProject(connection, { title, text });
    return (
      project && {
        kind: 'project',
        accountId: connection.account.id,
        id: project.id,
        path: project.path_with_namespace,
      }
    );
  }
  if (line?.search === 'group') {
    const group = await pickGroup(connection, { title, text });
    return group && { kind: 'group', accountId: connection.account.id, id: group.id, path: group.full_path };
  }
  return line?.chosen;
}

/** Lets the person choose a line; what they typed meanwhile is where a search goes on. */
async function pickLine(title: string, lines: readonly Line[]): Promise<{ line: Line | undefined; text: string }> {
  const picker = createQuickPick<Line>();
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Choose the global settings, a group or a project');
  picker.matchOnDescription = true;
  picker.items = lines;
  const { promise: chosen, resolve } = Promise.withResolvers<Line | undefined>();
  picker.onDidAccept(() => resolve(picker.selectedItems[0]));
  picker.onDidHide(() => resolve(undefined));
  picker.show();
  try {
    const line = await chosen;
    return { line, text: picker.value };
  } finally {
    picker.dispose();
  }
}

function linesOf(accountId: string, { workspace, pins, present, drafted }: ScopeOffers): Line[] {
  const shown = scopeKey(present);
  const lineOf = (scope: NotificationScope): Line => ({
    label: scopeWords(scope, vscode.l10n),
    iconPath: new vscode.ThemeIcon(
      scope.kind === 'global' ? 'globe' : scope.kind === 'group' ? 'organization' : 'repo',
    ),
    description: scopeKey(scope) === shown ? vscode.l10n.t('shown now') : '',
    chosen: scope,
  });
  const section = (label: string, lines: readonly Line[]): Line[] =>
    lines.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...lines] : [];
  return [
    lineOf({ kind: 'global', accountId }),
    ...section(
      vscode.l10n.t('workspace'),
      workspace.map((project) => ({
        label: vscode.l10n.t('Project {0}', project.path),
        iconPath: new vscode.ThemeIcon('repo'),
        description: project.accountId === accountId ? '' : vscode.l10n.t('account: {0}', project.accountId),
        chosen: project,
      })),
    ),
    ...section(
      vscode.l10n.t('pinned'),
      pins.map(({ kind, id, path }) => lineOf({ kind, accountId, id, path })),
    ),
    ...section(vscode.l10n.t('unsaved changes'), drafted.filter((scope) => scope.kind !== 'global').map(lineOf)),
    ...section(vscode.l10n.t('search'), [
      {
        label: vscode.l10n.t('Search Projects…'),
        iconPath: new vscode.ThemeIcon('search'),
        search: 'project',
        alwaysShow: true,
      },
      {
        label: vscode.l10n.t('Search Groups…'),
        iconPath: new vscode.ThemeIcon('search'),
        search: 'group',
        alwaysShow: true,
      },
    ]),
  ];
}
