import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { commandAction } from '../accounts/dialogs.ts';
import { commandRow, type MessageRow, problemRows } from '../accounts/messageRows.ts';
import { type Action, type Problem, problemOf, readOnlySentence, renewToken } from '../accounts/problem.ts';
import { isApiError, MissingRoleError } from '../api/errors.ts';
import {
  type ErrorTrackingState,
  type ProjectState,
  settingsLabel,
  type SettingsState,
  takesErrors,
} from './projectStates.ts';
import { planOperation } from './settingsOperations.ts';
import type { TrackedProject } from './trackedProjects.ts';

/** The commands that let a project accept errors, if its settings do not; empty if none does. */
export function enableActions(project: TrackedProject, settings: SettingsState): readonly Action[] {
  const chosen = { project };
  switch (settings.kind) {
    case 'notSetUp':
      return [commandAction(vscode.l10n.t('Set Up Error Tracking…'), 'beacon.errorTracking.setUp', chosen)];
    case 'external':
      return [
        commandAction(
          vscode.l10n.t('Switch to Integrated Error Tracking…'),
          'beacon.errorTracking.switchToIntegrated',
          chosen,
        ),
      ];
    case 'integrated':
      return settings.active
        ? []
        : [commandAction(vscode.l10n.t('Enable Error Tracking…'), 'beacon.errorTracking.enable', chosen)];
    case 'notOffered':
      return [];
  }
}

/**
 * What is to be said of a project before its settings and keys: what went wrong, where it is now, what the token cannot do.
 *
 * @param hasOtherAccount whether another account may reach the project.
 */
export function messageRowsOf(
  project: TrackedProject,
  state: ProjectState,
  movedFrom: string | undefined,
  hasOtherAccount = false,
): readonly MessageRow[] {
  return [
    ...(state.error === undefined ? [] : failureRows(project, state, hasOtherAccount)),
    ...(movedFrom === undefined ? [] : [movedRow(project, state, movedFrom)]),
    ...(state.tracking?.isReadOnly === true ? [readOnlyRow(project)] : []),
  ];
}

/** The actions that the present settings offer, shown below them. */
export function nextRows(
  project: TrackedProject,
  { settings, keys, unreadableKeys }: ErrorTrackingState,
): readonly MessageRow[] {
  const chosen = { kind: 'project', project };
  if (settings.kind === 'notOffered') {
    const { sentence } = settingsLabel(settings);
    const read: vscode.Command = {
      command: 'vscode.open',
      title: vscode.l10n.t('Open Instructions for Administrators'),
      arguments: [vscode.Uri.parse('https://docs.gitlab.com/operations/integrated_error_tracking/', true)],
    };
    const again: vscode.Command = {
      command: 'beacon.errorTracking.reloadProject',
      title: vscode.l10n.t('Check Again'),
      arguments: [project],
    };
    return [commandRow(read, 'book', sentence), commandRow(again, 'refresh', sentence)];
  }
  const setUp = settings.kind === 'notSetUp' ? planOperation('setUp', settings) : undefined;
  if (setUp?.possible) {
    const command = {
      command: 'beacon.errorTracking.setUp',
      title: vscode.l10n.t('Set Up Error Tracking…'),
      arguments: [chosen],
    };
    return [commandRow(command, 'add', setUp.effects[0] ?? '')];
  }
  if (keys.length === 0 && unreadableKeys === 0 && takesErrors(settings)) {
    const command = {
      command: 'beacon.errorTracking.createKey',
      title: vscode.l10n.t('Create Client Key'),
      arguments: [chosen],
    };
    return [commandRow(command, 'add', vscode.l10n.t('The project has no client key yet; programs need one.'))];
  }
  return [];
}

/** What is to be said below the client keys: how many more there are that are not shown. */
export function keyMessageRows({ unreadableKeys }: ErrorTrackingState): readonly MessageRow[] {
  if (unreadableKeys === 0) {
    return [];
  }
  const sentence =
    unreadableKeys === 1
      ? vscode.l10n.t('1 client key has an unknown format and cannot be shown.')
      : vscode.l10n.t('{0} client keys have an unknown format and cannot be shown.', unreadableKeys);
  return [{ label: sentence, sentence, icon: 'question' }];
}

function readOnlyRow({ accountId }: TrackedProject): MessageRow {
  const sentence = `${readOnlySentence()} ${vscode.l10n.t('The account here is {0}.', accountLabel(accountId))}`;
  const command = renewToken(accountId);
  return {
    label: vscode.l10n.t('Read Only'),
    description: command.title,
    sentence,
    icon: 'lock',
    command,
  };
}

function failureRows(project: TrackedProject, state: ProjectState, hasOtherAccount: boolean): MessageRow[] {
  const problem = failureLabel(project, state);
  const [first, ...rows] = problemRows(problem, {
    command: 'beacon.errorTracking.reloadProject',
    title: vscode.l10n.t('Try Again'),
    arguments: [project],
  });
  const lacksRole = isMissingRole(state.error);
  const mayBeOther = hasOtherAccount && (lacksRole || (isApiError(state.error) && state.error.reason === 'notFound'));
  return [
    // The sidebar cuts the end of a row, where the role would be.
    ...(first ? [lacksRole ? { ...first, label: vscode.l10n.t('Maintainer or Owner needed') } : first] : []),
    ...(mayBeOther ? rows.toSpliced(-1, 0, commandRow(switchAccount(), 'arrow-right', problem.sentence)) : rows),
  ];
}

function switchAccount(): vscode.Command {
  return { command: 'beacon.switchAccount', title: vscode.l10n.t('Switch Account…') };
}

/** Whether nothing but the role of the user is in the way. */
function isMissingRole(error: unknown): boolean {
  return error instanceof MissingRoleError && error.statedReason === undefined;
}

/** What a failure means for a project, and the command that helps. */
export function failureLabel(project: TrackedProject, { error, facts }: ProjectState): Problem {
  if (isMissingRole(error)) {
    const sentence = vscode.l10n.t('Error tracking needs the role Maintainer or Owner in {0}.', project.path);
    return facts?.webUrl === undefined
      ? { sentence }
      : {
          sentence,
          remedy: {
            command: 'vscode.open',
            title: vscode.l10n.t('Open Project Members'),
            arguments: [vscode.Uri.parse(`${facts.webUrl}/-/project_members?sort=access_level_desc`, true)],
          },
        };
  }
  if (isApiError(error) && error.reason === 'notFound') {
    return {
      sentence: vscode.l10n.t(
        'The project {1} was not found on {0}, or is not visible to you.',
        error.instance,
        project.path,
      ),
      ...(project.place === 'pinned'
        ? {
            remedy: {
              command: 'beacon.errorTracking.unpinProject',
              title: vscode.l10n.t('Unpin'),
              arguments: [{ kind: 'project', project }],
            },
          }
        : {}),
    };
  }
  return problemOf(error, project.accountId);
}

function movedRow(project: TrackedProject, state: ProjectState, movedFrom: string): MessageRow {
  const now = state.facts?.path ?? project.path;
  const isPinned = project.place === 'pinned';
  const sentence = isPinned
    ? vscode.l10n.t('The project has moved here from {0}; it is still pinned.', movedFrom)
    : vscode.l10n.t('The project has moved to {0}; the remote of the repository still has the old address.', now);
  return {
    label: isPinned ? vscode.l10n.t('Moved from {0}', movedFrom) : vscode.l10n.t('Moved to {0}', now),
    sentence,
    icon: 'arrow-swap',
    ...(isPinned
      ? {}
      : {
          command: {
            command: 'beacon.errorTracking.showMove',
            title: vscode.l10n.t('Show New Project Address'),
            arguments: [project],
          },
        }),
  };
}
