import * as vscode from 'vscode';
import { isReadOnly } from '../accounts/account.ts';
import { accountLabel, briefAccountLabel } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import { type MessageRow, messageItem } from '../accounts/messageRows.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { escapeMarkdown, plainText } from '../common/inertText.ts';
import { shortKey } from './dsn.ts';
import type { KeyFacts } from './keyFacts.ts';
import { keyMessageRows, nextRows, messageRowsOf } from './messageRows.ts';
import {
  settingsLabel,
  type ErrorTrackingState,
  type ProjectState,
  type ProjectStates,
  type SettingsState,
  takesErrors,
} from './projectStates.ts';
import type { RotationJournal, RotationRecord } from './rotation/rotationJournal.ts';
import { possibleOperations } from './settingsOperations.ts';
import type { TrackedProject, TrackedProjects } from './trackedProjects.ts';

/** What the tree consists of. */
export type ErrorTrackingNode =
  | { readonly kind: 'project'; readonly project: TrackedProject }
  | { readonly kind: 'settings'; readonly project: TrackedProject; readonly tracking: ErrorTrackingState }
  | KeyNode
  /** A rotation whose old key is not among those that are shown. */
  | { readonly kind: 'rotation'; readonly project: TrackedProject; readonly rotation: RotationRecord }
  | { readonly kind: 'message'; readonly project: TrackedProject; readonly message: MessageRow };

export interface KeyNode {
  readonly kind: 'key';
  readonly project: TrackedProject;
  readonly key: ClientKeyRecord;
  /** The rotation under way that replaces the key. */
  readonly rotation?: RotationRecord | undefined;
}

export interface ErrorTrackingTreeDeps {
  readonly accounts: Pick<AccountStore, 'all'>;
  readonly projects: TrackedProjects;
  readonly states: ProjectStates;
  readonly journal: Pick<RotationJournal, 'all' | 'onDidChange'>;
  readonly keyFacts: Pick<KeyFacts, 'labels' | 'sentences' | 'onDidChange'>;
  /** What is known of a project, asking where nothing is known. */
  readonly load: (project: TrackedProject) => Promise<ProjectState>;
}

/** Shows projects with their error tracking settings and client keys. A project is loaded when it is opened. */
export class ErrorTrackingTree implements vscode.TreeDataProvider<ErrorTrackingNode>, vscode.Disposable {
  readonly #deps: ErrorTrackingTreeDeps;
  readonly #changed = new vscode.EventEmitter<ErrorTrackingNode | undefined>();
  readonly #subscription: vscode.Disposable;
  /** The nodes of projects that are shown, with which the editor is notified of changes. */
  #roots: readonly Extract<ErrorTrackingNode, { kind: 'project' }>[] = [];
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(deps: ErrorTrackingTreeDeps) {
    this.#deps = deps;
    const { projects, states, journal, keyFacts } = deps;
    this.#subscription = vscode.Disposable.from(
      projects.onDidChange(() => {
        // Until the rows have been read, nothing says that there are none.
        noteEmpty(false);
        this.update();
      }),
      journal.onDidChange(() => this.update()),
      keyFacts.onDidChange(() => this.update()),
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
      const { projects } = this.#deps;
      await projects.whenKnown();
      this.#roots = projects.all.map((project) => ({ kind: 'project', project }));
      noteEmpty(projects.hasAccount && this.#roots.length === 0);
      return [...this.#roots];
    }
    return node.kind === 'project' ? this.#childrenOf(node.project) : [];
  }

  getTreeItem(node: ErrorTrackingNode): vscode.TreeItem {
    switch (node.kind) {
      case 'project':
        return projectItem(
          node.project,
          this.#deps.states.get(node.project),
          this.#roots.findIndex(({ project }) => project === node.project) === 0,
          this.#deps.projects.hasOtherAccounts ? this.#deps.accounts : undefined,
          this.#access(node.project),
        );
      case 'settings':
        return settingsItem(node.project, node.tracking.settings, this.#access(node.project));
      case 'key':
        return this.#keyItem(node);
      case 'rotation':
        return rotationItem(node.project, node.rotation);
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
    const { accounts, load, projects, journal } = this.#deps;
    const state = await load(project);
    const { tracking, facts } = state;
    const messageNode = (message: MessageRow): ErrorTrackingNode => ({ kind: 'message', project, message });
    const { instanceUrl } = accounts.all.find(({ id }) => id === project.accountId) ?? {};
    const hasOtherAccount = accounts.all.some(
      (account) => account.id !== project.accountId && account.instanceUrl === instanceUrl,
    );
    const notices = messageRowsOf(project, state, projects.movedFrom(project), hasOtherAccount).map(messageNode);
    const rotations = journal.all.filter(
      ({ accountId, projectId, path }) =>
        accountId === project.accountId && (facts ? projectId === facts.id : path === project.path),
    );
    const rotationOf = (keyId: number): RotationRecord | undefined =>
      rotations.find(({ oldKey }) => oldKey.id === keyId);
    const keys = tracking?.keys ?? [];
    const others = rotations
      .filter(({ oldKey }) => !keys.some(({ id }) => id === oldKey.id))
      .map((rotation): ErrorTrackingNode => ({ kind: 'rotation', project, rotation }));
    if (!tracking) {
      return [...notices, ...others];
    }
    return [
      ...notices,
      { kind: 'settings', project, tracking },
      ...nextRows(project, tracking).map(messageNode),
      ...others,
      ...keys.map((key): ErrorTrackingNode => ({ kind: 'key', project, key, rotation: rotationOf(key.id) })),
      ...keyMessageRows(tracking).map(messageNode),
    ];
  }

  /** The end of a context value, by which menus leave out what the token of an account cannot do. */
  #access({ accountId }: TrackedProject): string {
    return isReadOnly(this.#deps.accounts.all.find(({ id }) => id === accountId)) ? '+readOnly' : '';
  }

  #keyItem({ project, key, rotation }: KeyNode): vscode.TreeItem {
    const { states, keyFacts } = this.#deps;
    const state = states.get(project);
    const keys = state?.tracking?.keys ?? [];
    const place = { accountId: project.accountId, projectId: state?.facts?.id ?? 0 };
    const name = shortKey(key.public_key);
    const labels = keyFacts.labels(place, key, keys);
    const stateWord = key.active ? vscode.l10n.t('active') : vscode.l10n.t('inactive');
    const item = new vscode.TreeItem(name, None);
    item.id = `${project.accountId}/${project.place}/${project.idOrPath}/keys/${key.id}`;
    item.description = rotation ? rotationLabel(rotation) : labels.join(' · ');
    item.iconPath = rotation
      ? new vscode.ThemeIcon('sync')
      : key.active
        ? new vscode.ThemeIcon('key')
        : new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground'));
    item.contextValue = `key+${key.active ? 'active' : 'inactive'}${rotation ? '+rotation' : this.#access(project)}`;
    const isHeard = !state?.tracking || takesErrors(state.tracking.settings);
    const path = plainText(state?.facts?.path ?? project.path);
    const paragraphs = [
      this.#deps.accounts.all.length > 1
        ? vscode.l10n.t('Project {0}, account {1}', path, accountLabel(project.accountId))
        : vscode.l10n.t('Project {0}', path),
      ...(rotation ? [rotationSentence()] : []),
      ...keyFacts.sentences(place, key, keys),
      ...(key.active && !isHeard
        ? [vscode.l10n.t('Errors that are sent with it are refused: see the error tracking settings of the project.')]
        : []),
    ];
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(
      key.active ? vscode.l10n.t('Active client key {0}', key.id) : vscode.l10n.t('Inactive client key {0}', key.id),
    );
    tooltip.appendCodeblock(key.tracker_dsn, 'text');
    paragraphs.forEach((paragraph) =>
      tooltip.appendMarkdown(`${paragraph.split('\n').map(escapeMarkdown).join('  \n')}\n\n`),
    );
    item.tooltip = tooltip;
    const stateLabel = key.active
      ? vscode.l10n.t('Client key {0}, active', name)
      : vscode.l10n.t('Client key {0}, inactive: errors that are sent with it are refused', name);
    const more = (rotation ? [rotationLabel(rotation)] : labels).filter((label) => label !== stateWord);
    item.accessibilityInformation = { label: [stateLabel, ...more].join(', ') };
    return item;
  }
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Lets the view say that there are no projects. The editor takes a view for empty before it has asked for rows, too. */
function noteEmpty(isEmpty: boolean): void {
  void vscode.commands.executeCommand('setContext', 'beacon.errorTracking.isEmpty', isEmpty);
}

/** @param amongAccounts where the account is named that reads and changes it: those that it is told from. */
export function projectItem(
  project: TrackedProject,
  state: ProjectState | undefined,
  isFirst: boolean,
  amongAccounts: Pick<AccountStore, 'all'> | undefined,
  access = '',
): vscode.TreeItem {
  const path = plainText(state?.facts?.path ?? project.path);
  const ofWorkspace = project.place === 'workspace';
  const item = new vscode.TreeItem(path, ofWorkspace || isFirst ? Expanded : Collapsed);
  item.id = `${project.accountId}/${project.place}/${project.idOrPath}`;
  const account = amongAccounts ? [briefAccountLabel(project.accountId, amongAccounts)] : [];
  item.description = [...account, ...(ofWorkspace ? [vscode.l10n.t('this workspace')] : [])].join(' · ');
  item.iconPath = new vscode.ThemeIcon(ofWorkspace ? 'repo' : 'pinned');
  item.tooltip = [
    path,
    ofWorkspace ? vscode.l10n.t('this workspace') : vscode.l10n.t('pinned'),
    vscode.l10n.t('Account: {0}', accountLabel(project.accountId)),
  ].join(' · ');
  item.contextValue = `project+${project.place}${state?.tracking ? '+loaded' : ''}${access}`;
  item.accessibilityInformation = {
    label: [
      ofWorkspace ? vscode.l10n.t('Project {0}, of this workspace', path) : vscode.l10n.t('Project {0}, pinned', path),
      ...(amongAccounts ? [vscode.l10n.t('account: {0}', accountLabel(project.accountId))] : []),
    ].join(', '),
  };
  return item;
}

export function settingsItem(project: TrackedProject, settings: SettingsState, access = ''): vscode.TreeItem {
  const { label, description, sentence } = settingsLabel(settings);
  const item = new vscode.TreeItem(label, None);
  item.id = `${project.accountId}/${project.place}/${project.idOrPath}/settings`;
  item.description = description;
  item.iconPath = settingsIcon(settings);
  item.contextValue = ['settings', settings.kind, ...(access === '' ? possibleOperations(settings) : [])].join('+');
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

/** The row of a rotation whose old key is not shown: it is deleted already, or the keys could not be read. */
function rotationItem(project: TrackedProject, rotation: RotationRecord): vscode.TreeItem {
  const name = plainText(shortKey(rotation.oldKey.publicKey));
  const item = new vscode.TreeItem(name, None);
  item.id = `${project.accountId}/${project.place}/${project.idOrPath}/rotations/${rotation.oldKey.id}`;
  item.description = rotationLabel(rotation);
  item.iconPath = new vscode.ThemeIcon('sync');
  item.contextValue = 'rotation';
  item.tooltip = rotationSentence();
  item.accessibilityInformation = { label: vscode.l10n.t('Client key {0}, {1}', name, rotationLabel(rotation)) };
  return item;
}

function rotationLabel(rotation: RotationRecord): string {
  return rotation.step === 'creating'
    ? vscode.l10n.t('rotation under way')
    : vscode.l10n.t('rotation to {0} under way', plainText(shortKey(rotation.newKey.publicKey)));
}

function rotationSentence(): string {
  return vscode.l10n.t(
    'Its rotation is under way. Continue replaces its DSN and deletes the old client key; Cancel keeps it, and asks about the new one.',
  );
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
