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
  type Remedy,
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

/** What a row says: its label, what stands beside it, and all of it in a sentence. */
interface SettingsLabel {
  readonly label: string;
  readonly description?: string;
  readonly sentence: string;
}

/** The label of a state in the tree. Names of trackers are text of the instance. */
export function settingsLabel(state: SettingsState): SettingsLabel {
  if (state.kind === 'notSetUp') {
    return {
      label: t('Error tracking is not set up'),
      sentence: t('Error tracking is not set up for this project.'),
    };
  }
  if (state.kind === 'notOffered') {
    return {
      label: t('Integrated error tracking is not offered'),
      sentence: t('This instance does not offer integrated error tracking; its administrators can enable it.'),
    };
  }
  const description = state.active ? t('enabled') : t('disabled');
  if (state.kind === 'integrated') {
    const sentence = state.active
      ? t('Integrated error tracking is enabled: errors are being received.')
      : t('Integrated error tracking is disabled: errors that programs send are refused.');
    return { label: t('Integrated error tracking'), description, sentence };
  }
  const { projectName, url } = state.tracker;
  const name = plainText(projectName ?? (url === undefined ? t('unknown address') : new URL(url).host));
  const sentence = state.active
    ? t('Errors are tracked outside of the instance ({0}).', plainText(url ?? name))
    : t('Errors would be tracked outside of the instance ({0}), but this is disabled.', name);
  return { label: t('External tracker: {0}', name), description, sentence };
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

/** A button that lets a project accept errors, if its settings do not. */
export function setUpActions(project: TrackedProject, settings: SettingsState): readonly Action[] {
  return settings.kind === 'notOffered' || takesErrors(settings)
    ? []
    : [commandAction(t('Set Up Error Tracking…'), 'beacon.errorTracking.setUp', { project })];
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
    return project.origin === 'pinned'
      ? { sentence, remedy: projectCommand('unpinProject', t('Unpin'), project) }
      : { sentence };
  }
  return problemOf(error, project.accountId);
}

function openPage(title: string, url: string): Remedy {
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
  const { facts, error, tracking } = state;
  const rows = error === undefined ? [] : failureRows(project, state, hasOtherAccount);
  if (facts !== undefined && project.origin === 'workspace' && facts.path !== project.path) {
    rows.push({
      label: t('Moved to {0}', facts.path),
      sentence: t(
        'The project has moved to {0}. Everything here still works; click to copy the new address for the remote.',
        facts.path,
      ),
      icon: 'arrow-swap',
      command: {
        command: 'beacon.errorTracking.copyAddress',
        title: t('Copy New Address'),
        arguments: [`${facts.webUrl ?? facts.path}.git`],
      },
    });
  }
  if (isReadOnly && tracking) {
    const renew = replaceToken(project.accountId);
    rows.push({
      label: t('Read Only'),
      description: renew.title,
      sentence: hasOtherAccount
        ? `${readOnlySentence()} ${t('The account here is {0}.', accountLabel(project.accountId))}`
        : readOnlySentence(),
      icon: 'lock',
      command: renew,
    });
  }
  return rows;
}

function projectCommand(
  name: 'createKey' | 'openOnWeb' | 'reloadProject' | 'setUp' | 'unpinProject',
  title: string,
  project: TrackedProject,
): Remedy {
  return { command: `beacon.errorTracking.${name}`, title, arguments: [{ project }] };
}

function failureRows(project: TrackedProject, state: ProjectState, hasOtherAccount: boolean): MessageRow[] {
  const problem = failureLabel(project, state);
  const [first, ...rows] = problemRows(problem, projectCommand('reloadProject', t('Try Again'), project));
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
  if (settings.kind === 'notOffered') {
    const page = 'https://docs.gitlab.com/operations/integrated_error_tracking/';
    return [
      commandRow(openPage(t('Open Instructions for Administrators'), page), 'book', sentence),
      commandRow(projectCommand('reloadProject', t('Check Again'), project), 'refresh', sentence),
    ];
  }
  if (settings.kind === 'notSetUp') {
    const effect = t('The instance itself tracks the errors of this project from now on.');
    return [commandRow(projectCommand('setUp', t('Set Up Error Tracking…'), project), 'add', effect)];
  }
  if (settings.kind === 'external') {
    return [];
  }
  const lacksKey = keys.length === 0 && unreadableKeys === 0 && takesErrors(settings);
  const noKey = t('The project has no client key yet; programs need one.');
  const noErrors = t('The API of the instance has client keys and settings, but no errors: they are in the browser.');
  return [
    ...(lacksKey ? [commandRow(projectCommand('createKey', t('Create Client Key'), project), 'add', noKey)] : []),
    commandRow(projectCommand('openOnWeb', t('Open Errors in Browser'), project), 'link-external', noErrors),
  ];
}

/** How many client keys there are that are not shown. */
export function unreadableRows({ unreadableKeys }: Tracking): readonly MessageRow[] {
  const sentence =
    unreadableKeys === 1
      ? t('1 client key has an unknown format and cannot be shown.')
      : t('{0} client keys have an unknown format and cannot be shown.', unreadableKeys);
  return unreadableKeys === 0 ? [] : [{ label: sentence, sentence, icon: 'question' }];
}
