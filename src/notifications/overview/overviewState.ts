import * as vscode from 'vscode';
import { describeProblem } from '../../accounts/problem.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { scopeKey } from '../model/scope.ts';
import type { Flag, Settings } from '../model/settings.ts';
import { levelWords } from '../model/words.ts';
import { countWords } from '../scopes/planWords.ts';
import type { RowState, ToOverview } from './messages.ts';
import type { Effect } from './inheritance.ts';
import type { Overview, OverviewRow } from './overviewLoader.ts';

/** Puts the overview into the words that the page shows. */
export function overviewState(
  account: string,
  phase: ToOverview['phase'],
  { rows, missing }: Overview,
  error?: unknown,
): ToOverview {
  return {
    type: 'state',
    account,
    phase,
    rows: rows.map(rowState),
    levels: notificationLevels.map((value) => ({ value, name: levelWords(value, vscode.l10n).name })),
    problems: [
      ...(error === undefined ? [] : [describeProblem(error).sentence]),
      ...missing.map(({ path, error: why }) => vscode.l10n.t('{0}: {1}', path, describeProblem(why).sentence)),
    ],
  };
}

function rowState({ scope, place, settings, effect, error }: OverviewRow): RowState {
  return {
    key: scopeKey(scope),
    kind: scope.kind,
    name: scope.kind === 'global' ? vscode.l10n.t('Global settings') : scope.path,
    place: placeWords(place),
    level: settings?.level,
    effect: effect.kind === 'unknown' ? vscode.l10n.t('unknown') : levelWords(effect.level, vscode.l10n).name,
    inherited: inheritedWords(effect),
    events: settings ? eventsWords(settings) : '',
    problem: error === undefined ? undefined : describeProblem(error).sentence,
  };
}

function placeWords(place: OverviewRow['place']): string {
  switch (place) {
    case 'global':
      return vscode.l10n.t('account');
    case 'workspace':
      return vscode.l10n.t('workspace');
    case 'pinned':
      return vscode.l10n.t('pinned');
    case 'parent':
      return vscode.l10n.t('parent group');
  }
}

function inheritedWords(effect: Effect): string {
  switch (effect.kind) {
    case 'own':
      return vscode.l10n.t('set here');
    case 'group':
      return vscode.l10n.t('from group {0}', effect.path);
    case 'global':
      return vscode.l10n.t('from the global settings');
    case 'unknown':
      return vscode.l10n.t('unknown');
  }
}

function eventsWords({ level, flags }: Settings): string {
  if (level !== 'custom') {
    return '';
  }
  const all = Object.values(flags);
  const parts = (['on', 'off', 'default', 'unknown'] as const satisfies readonly Flag[]).flatMap((flag) => {
    const count = all.filter((value) => value === flag).length;
    return count > 0 ? flagCount(flag, countWords(count)) : [];
  });
  return new Intl.ListFormat(vscode.env.language, { type: 'unit' }).format(parts);
}

function flagCount(flag: Flag, count: string): string {
  switch (flag) {
    case 'on':
      return vscode.l10n.t('{0} on', count);
    case 'off':
      return vscode.l10n.t('{0} off', count);
    case 'default':
      return vscode.l10n.t('{0} default', count);
    case 'unknown':
      return vscode.l10n.t('{0} unknown', count);
  }
}
