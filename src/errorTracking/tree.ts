import * as vscode from 'vscode';
import { isReadOnly } from '../accounts/account.ts';
import { accountLabel, shortAccountLabel } from '../accounts/accountInUse.ts';
import type { InstanceAccount } from '../accounts/keptAccount.ts';
import { openPage, problemRows, readOnlySentence, replaceToken } from '../accounts/problem.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import { escapeMarkdown, inSequence, plainText } from '../common/inertText.ts';
import { commandRow, type MessageRow, messageItem } from '../common/messageRow.ts';
import { shortKey } from './dsn.ts';
import type { KeyNotes } from './keyNotes.ts';
import { failureLabel, isMissingRole, projectCommand, settingsLabel, type TargetCommand } from './labels.ts';
import {
  type ProjectState,
  type Projects,
  type SettingsState,
  takesErrors,
  type TrackedProject,
  type Tracking,
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
export function trackingRows(app: App, projects: Projects, notes: KeyNotes, levelName: (level: string) => string) {
  function roots(): (TrackingNode & { readonly project: TrackedProject })[] {
    return projects.all.map((project, index) => ({ project, item: projectItem(project, index === 0) }));
  }

  function childrenOf(parent: TrackingNode, project: TrackedProject, state: ProjectState): TrackingNode[] {
    const { tracking } = state;
    const row = (message: MessageRow): TrackingNode => ({ parent, project, item: messageItem(message) });
    const notices = noticeRows(project, state).map(row);
    return tracking
      ? [
          ...notices,
          { parent, project, item: settingsItem(project, tracking.settings) },
          ...tracking.keys.map((key) => ({ parent, project, item: keyItem(project, key, tracking.settings), key })),
          ...nextRows(project, tracking).map(row),
        ]
      : notices;
  }

  /** The end of a context value, by which menus leave out what the token of an account cannot do. */
  function access(project: TrackedProject): string {
    return isReadOnly(accountOf(project)) ? '+readOnly' : '';
  }

  function accountOf({ accountId }: TrackedProject): InstanceAccount | undefined {
    return app.accounts.all.find(({ id }) => id === accountId);
  }

  function projectItem(project: TrackedProject, isFirst: boolean): vscode.TreeItem {
    const { accounts, accountInUse } = app;
    const { facts, level, tracking } = projects.get(project) ?? {};
    const path = plainText(facts?.path ?? project.path);
    const isOfWorkspace = project.origin === 'workspace';
    // Beside one of another account, that of the account in use would seem to be of that one, too.
    const isNamed = projects.all.some(({ accountId }) => accountId !== accountInUse.account?.id);
    const levels = level === undefined ? [] : [t('e-mails: {0}', levelName(level))];
    const label = accountInUse.labelOf(project.accountId);
    const account = label === '' ? [] : [t('Account: {0}', label)];
    const origin = isOfWorkspace ? t('this workspace') : t('pinned');
    return Object.assign(new vscode.TreeItem(path, isOfWorkspace || isFirst ? Expanded : Collapsed), {
      id: idOf(project),
      description: [
        ...(isNamed ? [shortAccountLabel(project.accountId, accounts.all)] : []),
        ...(isOfWorkspace ? [origin] : []),
        ...levels,
      ].join(' · '),
      iconPath: new vscode.ThemeIcon(isOfWorkspace ? 'repo' : 'pinned'),
      tooltip: [path, origin, ...levels, ...account].join(' · '),
      contextValue: `project+${project.origin}${tracking ? '+loaded' : ''}${access(project)}`,
      accessibilityInformation: {
        label: [t('Project {0}', path), origin, ...levels, ...(isNamed ? account : [])].join(', '),
      },
    });
  }

  function settingsItem(project: TrackedProject, settings: SettingsState): vscode.TreeItem {
    const { label, description, sentence, icon } = settingsLabel(settings);
    const url = settings.kind === 'external' ? settings.url : undefined;
    const changes = `${setUpsOf(settings).length > 0 ? '+setUp' : ''}${canDisable(settings) ? '+disable' : ''}`;
    const isChangeable = access(project) === '';
    return Object.assign(new vscode.TreeItem(label, None), {
      id: `${idOf(project)}/settings`,
      description,
      iconPath: icon,
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

  function keyItem(project: TrackedProject, key: ClientKeyRecord, settings: SettingsState): vscode.TreeItem {
    const name = shortKey(key.public_key);
    const labels = notes.labels(project, key);
    const path = plainText(projects.get(project)?.facts?.path ?? project.path);
    const tooltip = new vscode.MarkdownString();
    const stateWord = key.active ? t('active') : t('inactive');
    tooltip.appendText(`${t('Client key {0}', key.id)}, ${stateWord}`);
    // A block of code does not wrap: its scroll bar hides the line below.
    tooltip.appendMarkdown(`\n\n${escapeMarkdown(key.tracker_dsn)}\n\n`);
    const paragraphs = [
      t('Project {0}', app.accountInUse.named(path, project.accountId)),
      ...notes.sentences(project, key),
      ...(key.active && !takesErrors(settings)
        ? [t('Errors that are sent with it are refused: see the error tracking settings of the project.')]
        : []),
    ];
    paragraphs.forEach((paragraph) =>
      tooltip.appendMarkdown(`${paragraph.split('\n').map(escapeMarkdown).join('  \n')}\n\n`),
    );
    const words = [t('Client key {0}', name), stateWord, ...labels.filter((label) => label !== stateWord)];
    return Object.assign(new vscode.TreeItem(name, None), {
      id: `${idOf(project)}/keys/${key.id}`,
      description: labels.join(' · '),
      iconPath: key.active
        ? new vscode.ThemeIcon('key')
        : new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('disabledForeground')),
      contextValue: `key+${key.active ? 'active' : 'inactive'}${access(project)}`,
      tooltip,
      accessibilityInformation: { label: words.join(', ') },
    });
  }

  /** What is to be said of a project before its settings and keys: what went wrong, what the token cannot do. */
  function noticeRows(project: TrackedProject, { facts, error, tracking }: ProjectState): readonly MessageRow[] {
    const rows: MessageRow[] = [];
    const account = accountOf(project);
    /** Whether another account may reach the project. */
    const hasOther = app.accounts.all.some((one) => one !== account && one.instanceUrl === account?.instanceUrl);
    if (error !== undefined) {
      const problem = failureLabel(project, { error, ...(facts ? { facts } : {}) });
      rows.push(...problemRows(problem, projectCommand('reloadProject', t('Try Again'), project)));
      const lacksRole = isMissingRole(error);
      if (lacksRole && rows[0]) {
        // The sidebar cuts the end of a row, where the role would be.
        rows[0] = { ...rows[0], label: t('Maintainer or Owner needed') };
      }
      if (hasOther && (lacksRole || isApiError(error, 'notFound'))) {
        const switchAccount = { command: 'beacon.accounts', title: t('Accounts…') };
        rows.splice(-1, 0, commandRow(switchAccount, 'arrow-right', problem.sentence));
      }
    }
    if (isReadOnly(account) && tracking) {
      const renew = replaceToken(project.accountId);
      const sentence = hasOther
        ? inSequence(readOnlySentence(), t('The account here is {0}.', accountLabel(project.accountId)))
        : readOnlySentence();
      rows.push({ label: t('Read Only'), description: renew.title, sentence, icon: 'lock', command: renew });
    }
    return rows;
  }

  return { roots, childrenOf };
}

/** What else is to be said of the keys, and the next steps that the present settings offer: shown last. */
function nextRows(project: TrackedProject, { settings, keys, unreadableKeys }: Tracking): readonly MessageRow[] {
  const { sentence } = settingsLabel(settings);
  const rows: MessageRow[] = [];
  const add = (name: TargetCommand, title: string, icon: string, why: string): void =>
    void rows.push(commandRow(projectCommand(name, title, project), icon, why));
  if (unreadableKeys > 0) {
    rows.push({ label: t('Unreadable client keys: {0}', unreadableKeys), icon: 'question' });
  }
  if (settings.kind === 'notOffered') {
    const page = 'https://docs.gitlab.com/operations/integrated_error_tracking/';
    rows.push(commandRow(openPage(t('Open Instructions'), page), 'book', sentence));
    add('reloadProject', t('Check Again'), 'refresh', sentence);
  } else if (settings.kind === 'notSetUp') {
    const effect = t('The instance itself tracks the errors of this project from now on.');
    add('setUp', t('Set Up Error Tracking…'), 'add', effect);
  } else if (settings.kind === 'integrated') {
    if (keys.length + unreadableKeys === 0 && settings.active) {
      const noKey = t('The project has no client key yet; programs need one.');
      add('createKey', t('Create Client Key'), 'add', noKey);
    }
    const noErrors = t('The API of the instance has client keys and settings, but no errors: they are in the browser.');
    add('openOnWeb', t('Open Errors in Browser'), 'link-external', noErrors);
  }
  return rows;
}

function idOf({ accountId, origin, idOrPath }: TrackedProject): string {
  return `${accountId}/${origin}/${idOrPath}`;
}
