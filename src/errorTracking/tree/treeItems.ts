import * as vscode from 'vscode';
import { accountLabel } from '../../accounts/accountName.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import { plainText } from '../../plainText.ts';
import { shortKey } from '../dsn.ts';
import type { ProjectState } from '../projectStates.ts';
import { possibleOperations } from '../settings/settingsOperations.ts';
import { describeSettings, type SettingsState, takesErrors } from '../settings/settingsState.ts';
import type { TrackedProject } from '../trackedProjects.ts';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** @param isOfOtherAccount whether it is read and changed by another account than the window's, which is then named. */
export function projectItem(
  project: TrackedProject,
  state: ProjectState | undefined,
  isFirst: boolean,
  isOfOtherAccount: boolean,
): vscode.TreeItem {
  const path = plainText(state?.facts?.path ?? project.path);
  const ofWorkspace = project.place === 'workspace';
  const item = new vscode.TreeItem(path, ofWorkspace || isFirst ? Expanded : Collapsed);
  item.id = `${project.accountId}/${project.place}/${project.idOrPath}`;
  item.description = [
    ...(ofWorkspace ? [vscode.l10n.t('this workspace')] : []),
    ...(isOfOtherAccount ? [vscode.l10n.t('account: {0}', accountLabel(project.accountId))] : []),
  ].join(' · ');
  item.iconPath = new vscode.ThemeIcon(ofWorkspace ? 'repo' : 'pinned');
  item.tooltip = vscode.l10n.t('{0}, account {1}', path, project.accountId);
  item.contextValue = `project+${project.place}${state?.tracking ? '+loaded' : ''}`;
  item.accessibilityInformation = {
    label: ofWorkspace
      ? vscode.l10n.t('Project {0}, of this workspace', path)
      : vscode.l10n.t('Project {0}, pinned', path),
  };
  return item;
}

export function settingsItem(project: TrackedProject, settings: SettingsState): vscode.TreeItem {
  const { label, description, sentence } = describeSettings(settings);
  const item = new vscode.TreeItem(label, None);
  item.id = `${project.accountId}/${project.place}/${project.idOrPath}/settings`;
  item.description = description;
  item.iconPath = settingsIcon(settings);
  item.contextValue = ['settings', settings.kind, ...possibleOperations(settings)].join('+');
  item.accessibilityInformation = { label: sentence };
  item.tooltip = sentence;
  if (settings.kind === 'external' && settings.tracker.url !== undefined) {
    item.contextValue += '+link';
    item.command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open External Tracker'),
      arguments: [vscode.Uri.parse(settings.tracker.url, true)],
    };
  }
  return item;
}

export function keyItem(
  project: TrackedProject,
  key: ClientKeyRecord,
  state: ProjectState | undefined,
): vscode.TreeItem {
  const name = shortKey(key.public_key);
  const item = new vscode.TreeItem(name, None);
  item.id = `${project.accountId}/${project.place}/${project.idOrPath}/keys/${key.id}`;
  item.description = key.active ? vscode.l10n.t('active') : vscode.l10n.t('inactive');
  item.iconPath = key.active
    ? new vscode.ThemeIcon('key')
    : new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
  item.contextValue = key.active ? 'key+active' : 'key+inactive';
  const heard = !state?.tracking || takesErrors(state.tracking.settings);
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(
    key.active ? vscode.l10n.t('Active client key {0}', key.id) : vscode.l10n.t('Inactive client key {0}', key.id),
  );
  tooltip.appendCodeblock(key.tracker_dsn, 'text');
  if (key.active && !heard) {
    tooltip.appendText(
      vscode.l10n.t('Errors that are sent with it are refused: see the error tracking settings of the project.'),
    );
  }
  item.tooltip = tooltip;
  item.accessibilityInformation = {
    label: key.active
      ? vscode.l10n.t('Client key {0}, active', name)
      : vscode.l10n.t('Client key {0}, inactive: errors that are sent with it are refused', name),
  };
  return item;
}

function settingsIcon(settings: SettingsState): vscode.ThemeIcon {
  switch (settings.kind) {
    case 'integrated':
      return settings.active
        ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'))
        : new vscode.ThemeIcon('debug-pause');
    case 'external':
      return new vscode.ThemeIcon(settings.active ? 'link-external' : 'debug-pause');
    case 'notSetUp':
    case 'notOffered':
      return new vscode.ThemeIcon('circle-outline');
  }
}
