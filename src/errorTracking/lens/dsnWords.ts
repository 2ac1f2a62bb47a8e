import * as vscode from 'vscode';
import { shortKey, type Dsn } from '../dsn.ts';
import { describeSettings } from '../settings/settingsState.ts';
import { describeFailure } from '../tree/notices.ts';
import type { DsnState, RightProject } from './dsnStates.ts';

/** What a DSN is, in sentences: key, project, and whether a program that uses it is heard. */
export function describeDsn(dsn: Dsn, state: DsnState, right: RightProject | undefined): readonly string[] {
  const host = new URL(dsn.origin).host;
  const key = shortKey(dsn.publicKey);
  switch (state.kind) {
    case 'foreign':
      return [
        vscode.l10n.t('DSN of project {0} at {1}, with client key {2}.', dsn.projectId, host, key),
        vscode.l10n.t('You are not signed in to that instance.'),
      ];
    case 'untold':
      return [
        vscode.l10n.t('DSN of project {0} at {1}, with client key {2}.', state.facts?.path ?? dsn.projectId, host, key),
        state.error === undefined
          ? vscode.l10n.t('It is not known whether the client key works.')
          : describeFailure(state.project, state).sentence,
      ];
    case 'active':
    case 'inactive':
    case 'deleted':
      return [
        vscode.l10n.t('DSN of project {0} at {1}.', state.facts.path, host),
        describeKey(state.kind, key, state.key?.id),
        describeSettings(state.tracking.settings).sentence,
        ...(right ? [describeWrongProject(state.facts.path, right)] : []),
      ];
  }
}

export function describeKey(kind: 'active' | 'inactive' | 'deleted', key: string, id: number | undefined): string {
  switch (kind) {
    case 'active':
      return vscode.l10n.t('Client key {0} (ID {1}) is active.', key, id ?? '');
    case 'inactive':
      return vscode.l10n.t(
        'Client key {0} (ID {1}) is inactive: errors that are sent with it are refused.',
        key,
        id ?? '',
      );
    case 'deleted':
      return vscode.l10n.t('Client key {0} is deleted: errors that are sent with it are lost.', key);
  }
}

export function describeWrongProject(path: string, right: RightProject): string {
  return vscode.l10n.t('This DSN sends errors to {0}, but this is the repository of {1}.', path, right.facts.path);
}
