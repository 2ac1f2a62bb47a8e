import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { commandAction } from '../accounts/dialogs.ts';
import { commandRow, type MessageRow, problemRows } from '../accounts/messageRows.ts';
import {
  type Action,
  type Problem,
  ProblemError,
  problemOf,
  readOnlySentence,
  replaceToken,
} from '../accounts/problem.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { isApiError } from '../api/errors.ts';
import { plainText } from '../common/inertText.ts';
import { shortKey } from './dsn.ts';
import { type ProjectState, type SettingsState, takesErrors, type TrackedProject, type Tracking } from './projects.ts';

const { t } = vscode.l10n;

/** What a command was chosen on: a row of the tree, a link in a hover, or nothing in the palette. */
export interface CommandTarget {
  readonly project: TrackedProject | { readonly accountId: string; readonly idOrPath: number | string };
  readonly key?: Pick<ClientKeyRecord, 'id' | 'public_key'> | undefined;
}

/** The label of a state in the tree. Names of trackers are text of the instance. */
export function settingsLabel(state: SettingsState): {
  readonly label: string;
  readonly description: string;
  readonly sentence: string;
} {
  switch (state.kind) {
    case 'notSetUp':
      return {
        label: t('Error tracking is not set up'),
        description: '',
        sentence: t('Error tracking is not set up for this project.'),
      };
    case 'notOffered':
      return {
        label: t('Integrated error tracking is not offered'),
        description: '',
        sentence: t('This instance does not offer integrated error tracking; its administrators can enable it.'),
      };
    case 'integrated':
      return {
        label: t('Integrated error tracking'),
        description: state.active ? t('enabled') : t('disabled'),
        sentence: state.active
          ? t('Integrated error tracking is enabled: errors are being received.')
          : t('Integrated error tracking is disabled: errors that programs send are refused.'),
      };
    case 'external': {
      const { projectName, url } = state.tracker;
      const name = plainText(projectName ?? (url === undefined ? t('unknown address') : new URL(url).host));
      return {
        label: t('External tracker: {0}', name),
        description: state.active ? t('enabled') : t('disabled'),
        sentence: state.active
          ? t('Errors are tracked outside of the instance ({0}).', plainText(url ?? name))
          : t('Errors would be tracked outside of the instance ({0}), but this is disabled.', name),
      };
    }
  }
}

/** A notification level as the row of a project names it; one that is not known here goes by its own name. */
export function levelLabel(level: string): string {
  const known: Readonly<Record<string, string>> = {
    global: t('Global'),
    watch: t('Watch'),
    participating: t('Participate'),
    mention: t('On mention'),
    disabled: t('Disabled'),
    custom: t('Custom'),
  };
  return Object.hasOwn(known, level) ? (known[level] ?? level) : level;
}

export function inactiveLabel(key: ClientKeyRecord): string {
  return t('Client key {0} is inactive: errors that are sent with it are refused.', shortKey(key.public_key));
}

/** A button that posts a test error with a client key. */
export function sendTestError({ project, key }: CommandTarget): Action {
  return commandAction(t('Send Test Error'), 'beacon.errorTracking.sendTestError', { project, key });
}

/** The commands that let a project accept errors, if its settings do not; empty if none does. */
export function enableActions(project: TrackedProject, settings: SettingsState): readonly Action[] {
  const [title, operation] =
    settings.kind === 'notSetUp'
      ? [t('Set Up Error Tracking…'), 'setUp']
      : settings.kind === 'external'
        ? [t('Switch to Integrated Error Tracking…'), 'switchToIntegrated']
        : settings.kind === 'integrated' && !settings.active
          ? [t('Enable Error Tracking…'), 'enable']
          : [];
  return title === undefined ? [] : [commandAction(title, `beacon.errorTracking.${operation}`, { project })];
}

/** What a command throws when a request of an account has failed: with the account, where a new token helps. */
export function accountError(accountId: string, error: unknown): unknown {
  const problem = problemOf(error, accountId);
  return problem.remedy?.command === 'beacon.replaceToken'
    ? Object.assign(new ProblemError(problem), { cause: error })
    : error;
}

/** Whether nothing but the role of the user is in the way. */
function isMissingRole(error: unknown): boolean {
  return isApiError(error, 'missingRole') && error.statedReason === undefined;
}

/** What a failure means for a project, and the command that helps. */
export function failureLabel(project: TrackedProject, { error, facts }: ProjectState): Problem {
  if (isMissingRole(error)) {
    const sentence = t('Error tracking needs the role Maintainer or Owner in {0}.', facts?.path ?? project.path);
    return facts?.webUrl === undefined
      ? { sentence }
      : {
          sentence,
          remedy: openPage(t('Open Project Members'), `${facts.webUrl}/-/project_members?sort=access_level_desc`),
        };
  }
  if (isApiError(error) && error.reason === 'notFound') {
    const sentence = t('The project {1} was not found on {0}, or is not visible to you.', error.instance, project.path);
    const command = { command: 'beacon.errorTracking.unpinProject', title: t('Unpin'), arguments: [{ project }] };
    return project.origin === 'pinned' ? { sentence, remedy: command } : { sentence };
  }
  return problemOf(error, project.accountId);
}

function openPage(title: string, url: string): vscode.Command {
  return { command: 'vscode.open', title, arguments: [vscode.Uri.parse(url, true)] };
}

/**
 * What is to be said of a project before its settings and keys: what went wrong, where it is now, what the token cannot do.
 *
 * @param hasOtherAccount whether another account may reach the project.
 */
export function noticeRows(
  project: TrackedProject,
  state: ProjectState,
  isReadOnly: boolean,
  hasOtherAccount: boolean,
): readonly MessageRow[] {
  const { facts, error } = state;
  const hasMoved = facts !== undefined && project.origin === 'workspace' && facts.path !== project.path;
  const renew = replaceToken(project.accountId);
  return [
    ...(error === undefined ? [] : failureRows(project, state, hasOtherAccount)),
    ...(hasMoved
      ? [
          {
            label: t('Moved to {0}', facts.path),
            sentence: t(
              'The project has moved to {0}; the remote of the repository still has the old address.',
              facts.path,
            ),
            icon: 'arrow-swap',
            command: {
              command: 'beacon.errorTracking.showMove',
              title: t('Show New Project Address'),
              arguments: [{ project }],
            },
          },
        ]
      : []),
    ...(isReadOnly && state.tracking
      ? [
          {
            label: t('Read Only'),
            description: renew.title,
            sentence: `${readOnlySentence()} ${t('The account here is {0}.', accountLabel(project.accountId))}`,
            icon: 'lock',
            command: renew,
          },
        ]
      : []),
  ];
}

function failureRows(project: TrackedProject, state: ProjectState, hasOtherAccount: boolean): readonly MessageRow[] {
  const problem = failureLabel(project, state);
  const [first, ...rows] = problemRows(problem, {
    command: 'beacon.errorTracking.reloadProject',
    title: t('Try Again'),
    arguments: [{ project }],
  });
  const lacksRole = isMissingRole(state.error);
  const mayBeOther = hasOtherAccount && (lacksRole || (isApiError(state.error) && state.error.reason === 'notFound'));
  const switchAccount = { command: 'beacon.accounts', title: t('Accounts…') };
  return [
    // The sidebar cuts the end of a row, where the role would be.
    ...(first ? [lacksRole ? { ...first, label: t('Maintainer or Owner needed') } : first] : []),
    ...(mayBeOther ? rows.toSpliced(-1, 0, commandRow(switchAccount, 'arrow-right', problem.sentence)) : rows),
  ];
}

/** The next steps that the present settings offer, shown below them. */
export function nextRows(project: TrackedProject, { settings, keys, unreadableKeys }: Tracking): readonly MessageRow[] {
  const { sentence } = settingsLabel(settings);
  const run = (name: string, title: string): vscode.Command => ({
    command: `beacon.errorTracking.${name}`,
    title,
    arguments: [{ project }],
  });
  switch (settings.kind) {
    case 'notOffered': {
      const page = 'https://docs.gitlab.com/operations/integrated_error_tracking/';
      return [
        commandRow(openPage(t('Open Instructions for Administrators'), page), 'book', sentence),
        commandRow(run('reloadProject', t('Check Again')), 'refresh', sentence),
      ];
    }
    case 'notSetUp': {
      const effect = t('The instance itself tracks the errors of this project from now on.');
      return [commandRow(run('setUp', t('Set Up Error Tracking…')), 'add', effect)];
    }
    case 'external':
      return [];
    case 'integrated': {
      const noErrors = t(
        'The API of the instance has client keys and settings, but no errors: they are in the browser.',
      );
      const lacksKey = keys.length === 0 && unreadableKeys === 0 && takesErrors(settings);
      const noKey = t('The project has no client key yet; programs need one.');
      return [
        ...(lacksKey ? [commandRow(run('createKey', t('Create Client Key')), 'add', noKey)] : []),
        commandRow(run('openOnWeb', t('Open Errors in Browser')), 'link-external', noErrors),
      ];
    }
  }
}

/** How many client keys there are that are not shown. */
export function unreadableRows({ unreadableKeys }: Tracking): readonly MessageRow[] {
  const sentence =
    unreadableKeys === 1
      ? t('1 client key has an unknown format and cannot be shown.')
      : t('{0} client keys have an unknown format and cannot be shown.', unreadableKeys);
  return unreadableKeys === 0 ? [] : [{ label: sentence, sentence, icon: 'question' }];
}
