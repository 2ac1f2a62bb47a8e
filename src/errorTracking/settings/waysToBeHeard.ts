import * as vscode from 'vscode';
import { commandAction } from '../dialogs.ts';
import type { Action } from '../../views/messages.ts';
import type { TrackedProject } from '../trackedProjects.ts';
import type { SettingsState } from './settingsState.ts';

/** The steps after which a project whose settings do not let it takes the errors of programs; none if no step here does. */
export function waysToBeHeard(project: TrackedProject, settings: SettingsState): readonly Action[] {
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
