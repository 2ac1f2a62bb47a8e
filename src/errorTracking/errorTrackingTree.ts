import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { type MessageRow, messageItem } from '../accounts/messageRows.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { plainText } from '../common/inertText.ts';
import { shortKey } from './dsn.ts';
import { keyMessageRows, nextRows, messageRowsOf } from './messageRows.ts';
import {
  settingsLabel,
  type ErrorTrackingState,
  type ProjectState,
  type ProjectStates,
  type SettingsState,
  takesErrors,
} from './projectStates.ts';
import { possibleOperations } from './settingsOperations.ts';
import type { TrackedProject, TrackedProjects } from './trackedProjects.ts';

/** What the tree consists of. */
export type ErrorTrackingNode =
  | { readonly kind: 'project'; readonly project: TrackedProject }
  | { readonly kind: 'settings'; readonly project: TrackedProject; readonly tracking: ErrorTrackingState }
  | KeyNode
  | { readonly kind: 'message'; readonly project: TrackedProject; readonly message: MessageRow };

export interface KeyNode {
  readonly kind: 'key';
  readonly project: TrackedProject;
  readonly key: ClientKeyRecord;
}

/** Shows projects with their error tracking settings and client keys. A project is loaded when it is opened. */
export class ErrorTrackingTree implements vscode.TreeDataProvider<ErrorTrackingNode>, vscode.Disposable {
  readonly #projects: TrackedProjects;
  readonly #states: ProjectStates;
  readonly #load: (project: TrackedProject) => Promise<ProjectState>;
  readonly #changed = new vscode.EventEmitter<ErrorTrackingNode | undefined>();
  readonly #subscription: vscode.Disposable;
  /** The nodes of projects that are shown, with which the editor is notified of changes. */
  #roots: readonly Extract<ErrorTrackingNode, { kind: 'project' }>[] = [];
  readonly onDidChangeTreeData = this.#changed.event;

  /** @param load what is known of a project, asking where nothing is known. */
  constructor(
    projects: TrackedProjects,
    states: ProjectStates,
    load: (project: TrackedProject) => Promise<ProjectState>,
  ) {
    this.#projects = projects;
    this.#states = states;
    this.#load = load;
    this.#subscription = vscode.Disposable.from(
      projects.onDidChange(() => this.update()),
      states.onDidChange(({ accountId, idOrPath }) => {
        const shown = this.#roots.find(
          ({ project }) => project.accountId === accountId && project.idOrPath === idOrPath,
        );
        if (shown) {
          this.#changed.fire(shown);
        }
      }),
    );
  }

  /** Shows what there is now. */
  update(): void {
    this.#changed.fire(undefined);
  }

  async getChildren(node?: ErrorTrackingNode): Promise<ErrorTrackingNode[]> {
    if (!node) {
      this.#roots = this.#projects.all.map((project) => ({ kind: 'project', project }));
      return [...this.#roots];
    }
    return node.kind === 'project' ? this.#childrenOf(node.project) : [];
  }

  getTreeItem(node: ErrorTrackingNode): vscode.TreeItem {
    switch (node.kind) {
      case 'project':
        return projectItem(
          node.project,
          this.#states.get(node.project),
          this.#roots.findIndex(({ project }) => project === node.project) === 0,
          this.#projects.isOfOtherAccount(node.project),
        );
      case 'settings':
        return settingsItem(node.project, node.tracking.settings);
      case 'key':
        return keyItem(node.project, node.key, this.#states.get(node.project));
      case 'message':
        return messageItem(node.message);
    }
  }

  getParent(node: ErrorTrackingNode): ErrorTrackingNode | undefined {
    return node.kind === 'project' ? undefined : this.#roots.find(({ project }) => project === node.project);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #childrenOf(project: TrackedProject): Promise<ErrorTrackingNode[]> {
    const state = await this.#load(project);
    const { tracking } = state;
    const messageNode = (message: MessageRow): ErrorTrackingNode => ({ kind: 'message', project, message });
    const notices = messageRowsOf(project, state, this.#projects.movedFrom(project)).map(messageNode);
    if (!tracking) {
      return notices;
    }
    return [
      ...notices,
      { kind: 'settings', project, tracking },
      ...nextRows(project, tracking).map(messageNode),
      ...tracking.keys.map((key): ErrorTrackingNode => ({ kind: 'key', project, key })),
      ...keyMessageRows(tracking).map(messageNode),
    ];
  }
}

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
  const { label, description, sentence } = settingsLabel(settings);
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

function keyItem(project: TrackedProject, key: ClientKeyRecord, state: ProjectState | undefined): vscode.TreeItem {
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
