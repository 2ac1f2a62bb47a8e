import * as vscode from 'vscode';
import type { ProjectRef } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import { commandAction } from '../accounts/dialogs.ts';
import { commandRow, type MessageRow, problemRows } from '../accounts/messageRows.ts';
import {
  openPage,
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
import type { CommandId } from '../common/commands.ts';
import { plainText } from '../common/inertText.ts';
import { shortKey } from './dsn.ts';
import { type ProjectState, type SettingsState, takesErrors, type TrackedProject, type Tracking } from './projects.ts';

const { t } = vscode.l10n;

/** What a command was chosen on: a row of the tree, a link in a hover, or nothing in the palette. */
export interface CommandTarget {
  readonly project?: ProjectRef | undefined;
  readonly key?: Pick<ClientKeyRecord, 'id' | 'public_key'> | undefined;
}

/** How settings are called in the tree: a label, what stands beside it, and all of it in a sentence. Names of trackers are text of the instance. */
export function settingsLabel(state: SettingsState): { label: string; description?: string; sentence: string } {
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
  const { projectName, url } = state;
  const name = plainText(projectName ?? (url === undefined ? t('unknown address') : new URL(url).host));
  const sentence = state.active
    ? t('Errors are tracked outside of the instance ({0}).', plainText(url ?? name))
    : t('Errors would be tracked outside of the instance ({0}), but this is disabled.', name);
  return { label: t('External tracker: {0}', name), description, sentence };
}

/** A notification level as the row of a project names it; one that is not known here goes by its own name. */
export function levelLabel(level: string): string {
  const known = new Map([
    ['global', t('Global')],
    ['watch', t('Watch')],
    ['participating', t('Participate')],
    ['mention', t('On mention')],
    ['disabled', t('Disabled')],
    ['custom', t('Custom')],
  ]);
  return known.get(level) ?? level;
}

export function inactiveLabel(key: ClientKeyRecord): string {
  return t('Client key {0} is inactive: errors that are sent with it are refused.', shortKey(key.public_key));
}

type TargetCommand = CommandId extends infer Id
  ? Id extends `beacon.errorTracking.${infer Name}`
    ? Name
    : never
  : never;

export function targetAction(title: string, name: TargetCommand, { project, key }: CommandTarget): Action {
  return commandAction(title, `beacon.errorTracking.${name}`, { project, key });
}

export function sendTestError(target: CommandTarget): Action {
  return targetAction(t('Send Test Error'), 'sendTestError', target);
}

export function setUpActions(project: TrackedProject, settings: SettingsState): readonly Action[] {
  return settings.kind === 'notOffered' || takesErrors(settings)
    ? []
    : [targetAction(t('Set Up Error Tracking…'), 'setUp', { project })];
}

/** What a command throws when a request of an account has failed: it names the account, whose token may have to be replaced. */
export function accountError(accountId: string, error: unknown): unknown {
  return isApiError(error) ? Object.assign(new ProblemError(problemOf(error, accountId)), { cause: error }) : error;
}

function isMissingRole(error: unknown): boolean {
  return isApiError(error, 'missingRole') && error.statedReason === undefined;
}

export function failureLabel(project: TrackedProject, { error, facts }: ProjectState): Problem {
  if (isMissingRole(error)) {
    const sentence = t('Error tracking needs the role Maintainer or Owner in {0}.', facts?.path ?? project.path);
    const page = `${facts?.webUrl}/-/project_members?sort=access_level_desc`;
    return facts?.webUrl === undefined ? { sentence } : { sentence, remedy: openPage(t('Open Project Members'), page) };
  }
  if (isApiError(error, 'notFound')) {
    const sentence = t('The project {1} was not found on {0}, or is not visible to you.', error.instance, project.path);
    return project.origin === 'pinned'
      ? { sentence, remedy: projectCommand('unpinProject', t('Unpin'), project) }
      : { sentence };
  }
  return problemOf(error, project.accountId);
}

function projectCommand(name: TargetCommand, title: string, project: TrackedProject): Remedy {
  return { command: `beacon.errorTracking.${name}`, title, arguments: [{ project }] };
}

/**
 * What is to be said of a project before its settings and keys: what went wrong, what the token cannot do.
 *
 * @param hasOtherAccount whether another account may reach the project.
 */
export function noticeRows(
  project: TrackedProject,
  { facts, error, tracking }: ProjectState,
  isReadOnly: boolean,
  hasOtherAccount: boolean,
): readonly MessageRow[] {
  const rows: MessageRow[] = [];
  if (error !== undefined) {
    const problem = failureLabel(project, { error, ...(facts ? { facts } : {}) });
    const tryAgain = projectCommand('reloadProject', t('Try Again'), project);
    const [first, ...steps] = problemRows(problem, tryAgain);
    const lacksRole = isMissingRole(error);
    if (first) {
      // The sidebar cuts the end of a row, where the role would be.
      rows.push(lacksRole ? { ...first, label: t('Maintainer or Owner needed') } : first);
    }
    if (hasOtherAccount && (lacksRole || isApiError(error, 'notFound'))) {
      const switchAccount = { command: 'beacon.accounts', title: t('Accounts…') };
      steps.splice(-1, 0, commandRow(switchAccount, 'arrow-right', problem.sentence));
    }
    rows.push(...steps);
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

/** What else is to be said of the keys, and the next steps that the present settings offer: shown last. */
export function nextRows(project: TrackedProject, { settings, keys, unreadableKeys }: Tracking): readonly MessageRow[] {
  const { sentence } = settingsLabel(settings);
  const rows: MessageRow[] = [];
  const add = (name: TargetCommand, title: string, icon: string, why: string): void =>
    void rows.push(commandRow(projectCommand(name, title, project), icon, why));
  if (unreadableKeys > 0) {
    const unreadable =
      unreadableKeys === 1
        ? t('1 client key has an unknown format and cannot be shown.')
        : t('{0} client keys have an unknown format and cannot be shown.', unreadableKeys);
    rows.push({ label: unreadable, sentence: unreadable, icon: 'question' });
  }
  if (settings.kind === 'notOffered') {
    const page = 'https://docs.gitlab.com/operations/integrated_error_tracking/';
    rows.push(commandRow(openPage(t('Open Instructions for Administrators'), page), 'book', sentence));
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
