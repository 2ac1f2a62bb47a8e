import * as vscode from 'vscode';
import type { ProjectRef } from '../accounts/account.ts';
import { openPage, type Action, type Problem, ProblemError, problemOf, type Remedy } from '../accounts/problem.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import { isApiError } from '../api/errors.ts';
import type { CommandId } from '../common/commands.ts';
import { plainText } from '../common/inertText.ts';
import { type Dsn, shortKey } from './dsn.ts';
import { type ProjectState, type SettingsState, takesErrors, type TrackedProject } from './projects.ts';

const { t } = vscode.l10n;

/** What a command was chosen on: a row of the tree, a link in a hover, or nothing in the palette. */
export interface CommandTarget {
  readonly project?: ProjectRef | undefined;
  readonly key?: Pick<ClientKeyRecord, 'id' | 'public_key'> | undefined;
}

/** How settings are called in the tree: a label, what stands beside it, all of it as a sentence. Names of trackers are text of the instance. */
export function settingsLabel(state: SettingsState) {
  const of = (label: string, sentence: string, icon: string, color?: string) => ({
    label,
    description: !('active' in state) ? '' : state.active ? t('enabled') : t('disabled'),
    sentence,
    icon: new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color)),
  });
  switch (state.kind) {
    case 'notSetUp': {
      const sentence = t('Error tracking is not set up for this project.');
      return of(t('Not set up'), sentence, 'circle-outline');
    }
    case 'notOffered': {
      const sentence = t('This instance does not offer integrated error tracking; its administrators can enable it.');
      return of(t('Not offered by the instance'), sentence, 'circle-outline');
    }
    case 'integrated': {
      const on = t('Integrated error tracking is enabled: errors are being received.');
      const off = t('Integrated error tracking is disabled: errors that programs send are refused.');
      const label = t('Integrated error tracking');
      return state.active ? of(label, on, 'pass', 'testing.iconPassed') : of(label, off, 'debug-pause');
    }
    case 'external': {
      const { projectName, url } = state;
      const name = plainText(projectName ?? (url === undefined ? t('unknown address') : new URL(url).host));
      const on = t('Errors are tracked outside of the instance ({0}).', plainText(url ?? name));
      const off = t('Errors would be tracked outside of the instance ({0}), but this is disabled.', name);
      const label = t('External tracker: {0}', name);
      return state.active ? of(label, on, 'link-external') : of(label, off, 'debug-pause');
    }
  }
}

/** A DSN by its project, host and key, the ends of which it shows. */
export function dsnLabel({ origin, publicKey, projectId }: Dsn, path: string | number = projectId): string {
  return t('DSN of project {0} at {1}, with client key {2}.', path, new URL(origin).host, shortKey(publicKey));
}

export function inactiveLabel(key: ClientKeyRecord): string {
  return t('Client key {0} is inactive: errors that are sent with it are refused.', shortKey(key.public_key));
}

export type TargetCommand = CommandId extends infer Id
  ? Id extends `beacon.errorTracking.${infer Name}`
    ? Name
    : never
  : never;

export function targetAction(title: string, name: TargetCommand, { project, key }: CommandTarget): Action {
  return { title, run: () => vscode.commands.executeCommand(`beacon.errorTracking.${name}`, { project, key }) };
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

export function isMissingRole(error: unknown): boolean {
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

export function projectCommand(name: TargetCommand, title: string, project: TrackedProject): Remedy {
  return { command: `beacon.errorTracking.${name}`, title, arguments: [{ project }] };
}
