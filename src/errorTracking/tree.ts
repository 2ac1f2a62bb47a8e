import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { type MessageRow, messageItem } from '../accounts/messageRows.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import { escapeMarkdown, plainText } from '../common/inertText.ts';
import { shortKey } from './dsn.ts';
import type { KeyNotes } from './keyNotes.ts';
import { levelLabel, nextRows, noticeRows, settingsLabel } from './labels.ts';
import {
  isReadOnlyProject,
  type ProjectState,
  type Projects,
  type SettingsState,
  takesErrors,
  type TrackedProject,
} from './projects.ts';
import { canDisable, setUpsOf } from './settings.ts';

const { t } = vscode.l10n;
const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** A row of the view. Menus hand it to commands, which read its project and its key. */
export interface TrackingNode {
  readonly item: vscode.TreeItem;
  /** None for what is said in the place of projects. */
  readonly project?: TrackedProject;
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

  get roots(): (TrackingNode & { readonly project: TrackedProject })[] {
    return this.#projects.all.map((project, index) => ({ project, item: this.#projectItem(project, index === 0) }));
  }

  childrenOf(parent: TrackingNode, project: TrackedProject, state: ProjectState): TrackingNode[] {
    const { tracking } = state;
    const all = this.#app.accounts.all;
    const { instanceUrl } = all.find(({ id }) => id === project.accountId) ?? {};
    const hasOther = all.some((account) => account.id !== project.accountId && account.instanceUrl === instanceUrl);
    const row = (message: MessageRow): TrackingNode => ({ parent, project, item: messageItem(message) });
    const notices = noticeRows(project, state, isReadOnlyProject(this.#app, project), hasOther).map(row);
    return tracking
      ? [
          ...notices,
          { parent, project, item: this.#settingsItem(project, tracking.settings) },
          ...tracking.keys.map((key) => ({
            parent,
            project,
            item: this.#keyItem(project, key, tracking.settings),
            key,
          })),
          ...nextRows(project, tracking).map(row),
        ]
      : notices;
  }

  /** The end of a context value, by which menus leave out what the token of an account cannot do. */
  #access(project: TrackedProject): string {
    return isReadOnlyProject(this.#app, project) ? '+readOnly' : '';
  }

  #projectItem(project: TrackedProject, isFirst: boolean): vscode.TreeItem {
    const { accounts, accountInUse } = this.#app;
    const { facts, level, tracking } = this.#projects.get(project) ?? {};
    const path = plainText(facts?.path ?? project.path);
    const isOfWorkspace = project.origin === 'workspace';
    const isOther = project.accountId !== accountInUse.account?.id;
    const levels = level === undefined ? [] : [levelLabel(level)];
    const levelSentences = levels.map((name) => t('Notification level: {0}', name));
    const account = accounts.all.length > 1 ? [t('Account: {0}', accountLabel(project.accountId))] : [];
    const name = isOfWorkspace ? t('Project {0}, of this workspace', path) : t('Project {0}, pinned', path);
    const origin = isOfWorkspace ? t('this workspace') : t('pinned');
    return Object.assign(new vscode.TreeItem(path, isOfWorkspace || isFirst ? Expanded : Collapsed), {
      id: idOf(project),
      description: [
        ...(isOther ? [accountLabel(project.accountId)] : []),
        ...(isOfWorkspace ? [origin] : []),
        ...levels,
      ].join(' · '),
      iconPath: new vscode.ThemeIcon(isOfWorkspace ? 'repo' : 'pinned'),
      tooltip: [path, origin, ...levelSentences, ...account].join(' · '),
      contextValue: `project+${project.origin}${tracking ? '+loaded' : ''}${this.#access(project)}`,
      accessibilityInformation: { label: [name, ...levelSentences, ...(isOther ? account : [])].join(', ') },
    });
  }

  #settingsItem(project: TrackedProject, settings: SettingsState): vscode.TreeItem {
    const { label, description = '', sentence } = settingsLabel(settings);
    const url = settings.kind === 'external' ? settings.url : undefined;
    const changes = `${setUpsOf(settings).length > 0 ? '+setUp' : ''}${canDisable(settings) ? '+disable' : ''}`;
    const isChangeable = this.#access(project) === '';
    return Object.assign(new vscode.TreeItem(label, None), {
      id: `${idOf(project)}/settings`,
      description,
      iconPath: settingsIcon(settings),
      contextValue: `settings+${settings.kind}${isChangeable ? changes : ''}${url === undefined ? '' : '+link'}`,
      tooltip: sentence,
      accessibilityInformation: { label: sentence },
      ...(url === undefined
        ? {}
        : {
            command: {
              command: 'vscode.open',
              title: t('Open External Tracker'),
              arguments: [vscode.Uri.parse(url, true)],
            },
          }),
    });
  }

  #keyItem(project: TrackedProject, key: ClientKeyRecord, settings: SettingsState): vscode.TreeItem {
    const name = shortKey(key.public_key);
    const labels = this.#notes.labels(project, key);
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
    const stateWord = key.active ? t('active') : t('inactive');
    const stateLabel = key.active
      ? t('Client key {0}, active', name)
      : t('Client key {0}, inactive: errors that are sent with it are refused', name);
    const more = labels.filter((label) => label !== stateWord);
    return Object.assign(new vscode.TreeItem(name, None), {
      id: `${idOf(project)}/keys/${key.id}`,
      description: labels.join(' · '),
      iconPath: key.active
        ? new vscode.ThemeIcon('key')
        : new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground')),
      contextValue: `key+${key.active ? 'active' : 'inactive'}${this.#access(project)}`,
      tooltip,
      accessibilityInformation: { label: [stateLabel, ...more].join(', ') },
    });
  }
}

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
