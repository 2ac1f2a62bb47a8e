import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import type { Connections } from '../../accounts/connections.ts';
import { accountProblem } from '../../accounts/dialogs.ts';
import { type Problem, problemOf } from '../../accounts/problem.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { countLabel } from '../settings/bulkChanges.ts';
import { mailsOfLevel, type NoiseState, type ScopeMails, unknownMails } from '../noise/mails.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import { type Effect, effectLabel, readEffects, type ScopeEffect, sourceLabel } from '../settings/inheritance.ts';
import { levelLabel } from '../settings/labels.ts';
import {
  type FindOptions,
  type FoundScopes,
  placeLabel,
  type ScopeFinder,
  type ScopePlace,
} from '../settings/scopePicker.ts';
import { type Flag, type NotificationScope, scopeKey, type Settings } from '../settings/settings.ts';
import type { RowState, ToOverview } from './messages.ts';

const { t } = vscode.l10n;

/** What is shown besides settings. */
export interface OverviewDetails {
  /** The account that the window works with, if that is another one. */
  readonly otherAccount?: string | undefined;
  readonly result?: string | undefined;
  readonly error?: unknown;
  readonly progress?: ToOverview['progress'];
  readonly noise?: NoiseState;
  /** Levels that were chosen and are not saved, by the keys of their scopes. */
  readonly chosen?: ReadonlyMap<string, string>;
  /** The e-mails of a scope; undefined if nothing of it was read. */
  readonly mailsOf?: (scope: NotificationScope) => ScopeMails | undefined;
  /** The label of the profile that is applied to a scope for a while. */
  readonly profileOf?: (scope: NotificationScope) => string | undefined;
}

/** What went wrong. @param accountId of the overview, if there is one. */
export function overviewProblems(
  accountId: string | undefined,
  { missing }: Overview,
  error?: unknown,
): readonly Problem[] {
  return [
    ...(error === undefined ? [] : [accountProblem(accountId, error)]),
    ...missing.map(({ path, error: why }) => {
      const { sentence, ...problem } = problemOf(why, accountId);
      return { ...problem, sentence: t('{0}: {1}', path, sentence) };
    }),
  ];
}

/** Converts the overview to the labels that the page shows. */
export function overviewState(
  accountId: string | undefined,
  phase: ToOverview['phase'],
  overview: Overview,
  { otherAccount, result, error, progress, noise, chosen, mailsOf, profileOf }: OverviewDetails = {},
): ToOverview {
  const { rows, rowsWith, hasMore } = overview;
  const problems = overviewProblems(accountId, overview, error);
  const shown = chosen?.size ? rowsWith(chosen) : rows;
  return {
    account: accountId === undefined ? '' : accountLabel(accountId),
    otherAccount,
    isSignedOut: error instanceof SignedOutError,
    phase,
    result,
    progress,
    hasMore,
    noise,
    rows: shown.map((row, index) => ({
      ...rowState(row, rows[index]?.effect, mailsOf?.(row.scope)),
      profile: profileOf?.(row.scope),
    })),
    levels: notificationLevels.map((value) => ({ value, name: levelLabel(value, vscode.l10n).name })),
    problems: problems.map(({ sentence }) => sentence),
    remedy: problems.find(({ remedy }) => remedy)?.remedy?.title,
  };
}

/** @param saved what counts as long as nothing that was chosen is saved. */
function rowState(
  { scope, place, settings, effect, error }: OverviewRow,
  saved: Effect | undefined,
  mails: ScopeMails | undefined,
): RowState {
  const level = effect.kind === 'unknown' ? sourceLabel(effect) : levelLabel(effect.settings.level, vscode.l10n).name;
  const problem = error === undefined ? undefined : problemOf(error, scope.accountId);
  return {
    key: scopeKey(scope),
    kind: scope.kind,
    name: scope.kind === 'global' ? t('Global settings') : scope.path,
    place: placeLabel({ scope, place }),
    level: settings?.level,
    effect: level,
    isPending: saved !== undefined && effectLabel(effect) !== effectLabel(saved),
    inherited: sourceLabel(effect),
    events: effect.kind === 'unknown' ? sourceLabel(effect) : eventsLabel(effect.settings),
    mails: mails && (effect.kind === 'unknown' ? unknownMails : mailsOfLevel(effect.settings, mails)),
    problem: problem?.sentence,
    remedy: problem && (problem.remedy?.title ?? t('Try Again')),
  };
}

/** What a level lets through; for the level `custom`, how many events. */
function eventsLabel({ level, flags }: Settings): string {
  if (level !== 'custom') {
    return levelLabel(level, vscode.l10n).meaning;
  }
  const all = Object.values(flags);
  if (all.every((flag) => flag === 'unknown')) {
    return t('not shown by GitLab');
  }
  const parts = (['on', 'off', 'default', 'unknown'] as const satisfies readonly Flag[]).flatMap((flag) => {
    const count = all.filter((value) => value === flag).length;
    return count > 0 ? flagCount(flag, countLabel(count)) : [];
  });
  return new Intl.ListFormat(vscode.env.language, { type: 'unit' }).format(parts);
}

function flagCount(flag: Flag, count: string): string {
  switch (flag) {
    case 'on':
      return t('{0} on', count);
    case 'off':
      return t('{0} off', count);
    case 'default':
      return t('{0} default', count);
    case 'unknown':
      return t('{0} unknown', count);
  }
}

/** One scope in the overview. */
export interface OverviewRow extends ScopeEffect {
  readonly place: ScopePlace;
}

export interface Overview {
  readonly rows: readonly OverviewRow[];
  /** The same rows as they would be with other levels, by the keys of their scopes. */
  readonly rowsWith: (levels: ReadonlyMap<string, string>) => readonly OverviewRow[];
  readonly missing: FoundScopes['missing'];
  /** Whether the user is a member of more projects than were asked for. */
  readonly hasMore: boolean;
}

/** Reads all that the overview shows, a few requests at a time. */
export class OverviewLoader {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #finder: ScopeFinder;
  readonly #engine: Pick<SettingsEngine, 'readAll'>;

  constructor(connections: Pick<Connections, 'of'>, finder: ScopeFinder, engine: Pick<SettingsEngine, 'readAll'>) {
    this.#connections = connections;
    this.#finder = finder;
    this.#engine = engine;
  }

  /**
   * Reads the settings of global scopes, of projects of the workspace and of the user, of pins, and of the groups around them.
   *
   * @throws SignedOutError if no account is in use, or the one that is wanted is signed out.
   */
  async load(
    options: FindOptions & { readonly onStep?: (done: number, total: number) => void } = {},
  ): Promise<Overview> {
    const { signal, onStep } = options;
    const { found, missing, hasMore } = await this.#finder.find(options);
    const places = new Map(found.map(({ scope, place }) => [scopeKey(scope), place]));
    const effects = await readEffects(
      found.map(({ scope }) => scope),
      { connections: this.#connections, engine: this.#engine },
      { signal, ...(onStep ? { onStep } : {}) },
    );
    const rowsWith = (levels?: ReadonlyMap<string, string>): readonly OverviewRow[] =>
      inOrder(effects(levels).map((effect) => ({ ...effect, place: places.get(scopeKey(effect.scope)) ?? 'parent' })));
    return { rows: rowsWith(), rowsWith, missing, hasMore };
  }
}

/** The global settings first, then by path, so that what is inherited from stands above. */
function inOrder<T extends { readonly scope: NotificationScope }>(rows: readonly T[]): readonly T[] {
  const pathOf = (scope: NotificationScope): string => (scope.kind === 'global' ? '' : scope.path);
  return rows.toSorted(({ scope: one }, { scope: other }) => pathOf(one).localeCompare(pathOf(other)));
}
