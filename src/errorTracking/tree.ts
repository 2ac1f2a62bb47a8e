import * as vscode from 'vscode';
import { accountLabel, briefAccountLabel } from '../accounts/accountInUse.ts';
import { type MessageRow, messageItem } from '../accounts/messageRows.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import { escapeMarkdown, plainText } from '../common/inertText.ts';
import { shortKey } from './dsn.ts';
import type { KeyNotes } from './keyNotes.ts';
import { levelLabel, nextRows, noticeRows, settingsLabel, unreadableRows } from './labels.ts';
import {
  isReadOnlyProject,
  type ProjectState,
  type Projects,
  type SettingsState,
  takesErrors,
  type TrackedProject,
} from './projects.ts';
import { canDisable, setUpsOf } from './settings.ts';

/** A row of the view. Menus hand it to commands, which read its project and its key. */
export interface TrackingNode {
  readonly item: vscode.TreeItem;
  readonly project: TrackedProject;
  readonly key?: ClientKeyRecord;
  readonly parent?: TrackingNode;
}

/** The rows of the view: projects with their error tracking settings and client keys. A project is loaded when it is opened. */
export class TrackingRows {
  readonly #app: App;
  readonly #projects: Projects;
  readonly #notes: KeyNotes;

  constructor(app: App, projects: Projects, notes: KeyNotes) {
    this.#app = app;
    this.#projects = projects;
    this.#notes = notes;
  }

  get roots(): TrackingNode[] {
    return this.#projects.all.map((project, index) => ({ project, item: this.#projectItem(project, index === 0) }));
  }

  /** What is shown below a project. */
  childrenOf(parent: TrackingNode, state: ProjectState): TrackingNode[] {
    const { project } = parent;
    const { tracking } = state;
    const all = this.#app.accounts.all;
    const { instanceUrl } = all.find(({ id }) => id === project.accountId) ?? {};
    const hasOther = all.some((account) => account.id !== project.accountId && account.instanceUrl === instanceUrl);
    const node = (item: vscode.TreeItem): TrackingNode => ({ parent, project, item });
    const row = (message: MessageRow): TrackingNode => node(messageItem(message));
    const notices = noticeRows(project, state, isReadOnlyProject(this.#app, project), hasOther).map(row);
    return tracking
      ? [
          ...notices,
          node(this.#settingsItem(project, tracking.settings)),
          ...tracking.keys.map((key) => ({ ...node(this.#keyItem(project, key, tracking.settings)), key })),
          ...unreadableRows(tracking).map(row),
          ...nextRows(project, tracking).map(row),
        ]
      : notices;
  }

  /** The end of a context value, by which menus leave out what the token of an account cannot do. */
  #access(project: TrackedProject): string {
    return isReadOnlyProject(this.#app, project) ? '+readOnly' : '';
  }

  #projectItem(project: TrackedProject, isFirst: boolean): vscode.TreeItem {
    const { t } = vscode.l10n;
    const { accounts, accountInUse } = this.#app;
    const { facts, level, tracking } = this.#projects.get(project) ?? {};
    const path = plainText(facts?.path ?? project.path);
    const isOfWorkspace = project.origin === 'workspace';
    const item = new vscode.TreeItem(path, isOfWorkspace || isFirst ? Expanded : Collapsed);
    const isOther = project.accountId !== accountInUse.account?.id;
    const levelSentences = level === undefined ? [] : [t('Notification level: {0}', levelLabel(level))];
    const account = accounts.all.length > 1 ? [t('Account: {0}', accountLabel(project.accountId))] : [];
    item.id = idOf(project);
    item.description = [
      ...(isOther ? [briefAccountLabel(project.accountId, accounts)] : []),
      ...(isOfWorkspace ? [t('this workspace')] : []),
      ...(level === undefined ? [] : [levelLabel(level)]),
    ].join(' · ');
    item.iconPath = new vscode.ThemeIcon(isOfWorkspace ? 'repo' : 'pinned');
    item.tooltip = [path, isOfWorkspace ? t('this workspace') : t('pinned'), ...levelSentences, ...account].join(' · ');
    item.contextValue = `project+${project.origin}${tracking ? '+loaded' : ''}${this.#access(project)}`;
    const name = isOfWorkspace ? t('Project {0}, of this workspace', path) : t('Project {0}, pinned', path);
    item.accessibilityInformation = { label: [name, ...levelSentences, ...(isOther ? account : [])].join(', ') };
    return item;
  }

  #settingsItem(project: TrackedProject, settings: SettingsState): vscode.TreeItem {
    const { label, description, sentence } = settingsLabel(settings);
    const access = this.#access(project);
    const item = new vscode.TreeItem(label, None);
    item.id = `${idOf(project)}/settings`;
    item.description = description ?? '';
    item.iconPath = settingsIcon(settings);
    item.contextValue = `settings+${settings.kind}`;
    if (access === '') {
      item.contextValue += `${setUpsOf(settings).length > 0 ? '+setUp' : ''}${canDisable(settings) ? '+disable' : ''}`;
    }
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

  #keyItem(project: TrackedProject, key: ClientKeyRecord, settings: SettingsState): vscode.TreeItem {
    const { t } = vscode.l10n;
    const name = shortKey(key.public_key);
    const labels = this.#notes.labels(project, key);
    const stateWord = key.active ? t('active') : t('inactive');
    const item = new vscode.TreeItem(name, None);
    item.id = `${idOf(project)}/keys/${key.id}`;
    item.description = labels.join(' · ');
    item.iconPath = key.active
      ? new vscode.ThemeIcon('key')
      : new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
    item.contextValue = `key+${key.active ? 'active' : 'inactive'}${this.#access(project)}`;
    const path = plainText(this.#projects.get(project)?.facts?.path ?? project.path);
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(key.active ? t('Active client key {0}', key.id) : t('Inactive client key {0}', key.id));
    tooltip.appendCodeblock(key.tracker_dsn, 'text');
    const paragraphs = [
      this.#app.accounts.all.length > 1
        ? t('Project {0}, account {1}', path, accountLabel(project.accountId))
        : t('Project {0}', path),
      ...this.#notes.sentences(project, key),
      ...(key.active && !takesErrors(settings)
        ? [t('Errors that are sent with it are refused: see the error tracking settings of the project.')]
        : []),
    ];
    paragraphs.forEach((paragraph) =>
      tooltip.appendMarkdown(`${paragraph.split('\n').map(escapeMarkdown).join('  \n')}\n\n`),
    );
    item.tooltip = tooltip;
    const stateLabel = key.active
      ? t('Client key {0}, active', name)
      : t('Client key {0}, inactive: errors that are sent with it are refused', name);
    const more = labels.filter((label) => label !== stateWord);
    item.accessibilityInformation = { label: [stateLabel, ...more].join(', ') };
    return item;
  }
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

function idOf({ accountId, origin, idOrPath }: TrackedProject): string {
  return `${accountId}/${origin}/${idOrPath}`;
}

function settingsIcon(settings: SettingsState): vscode.ThemeIcon {
  if (settings.kind === 'notSetUp' || settings.kind === 'notOffered') {
    return new vscode.ThemeIcon('circle-outline');
  }
  return !settings.active
    ? new vscode.ThemeIcon('debug-pause')
    : settings.kind === 'external'
      ? new vscode.ThemeIcon('link-external')
      : new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
}
