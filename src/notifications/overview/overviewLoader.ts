import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import { problemOf } from '../../accounts/problem.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { countLabel } from '../settings/bulkChanges.ts';
import type { SettingsEngine } from '../settings/engine.ts';
import { type Effect, findParents, Inheritance, sourceLabel } from '../settings/inheritance.ts';
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

/** Converts the overview to the labels that the page shows. */
export function overviewState(
  account: string,
  phase: ToOverview['phase'],
  { rows, missing, hasMore }: Overview,
  { error, progress }: { readonly error?: unknown; readonly progress?: ToOverview['progress'] } = {},
): ToOverview {
  return {
    account,
    phase,
    progress,
    hasMore,
    rows: rows.map(rowState),
    levels: notificationLevels.map((value) => ({ value, name: levelLabel(value, vscode.l10n).name })),
    problems: [
      ...(error === undefined ? [] : [problemOf(error).sentence]),
      ...missing.map(({ path, error: why }) => vscode.l10n.t('{0}: {1}', path, problemOf(why).sentence)),
    ],
  };
}

function rowState({ scope, place, settings, effect, error }: OverviewRow): RowState {
  return {
    key: scopeKey(scope),
    kind: scope.kind,
    name: scope.kind === 'global' ? vscode.l10n.t('Global settings') : scope.path,
    place: placeLabel({ scope, place }),
    level: settings?.level,
    effect: effect.kind === 'unknown' ? sourceLabel(effect) : levelLabel(effect.settings.level, vscode.l10n).name,
    inherited: sourceLabel(effect),
    events: effect.kind === 'unknown' ? sourceLabel(effect) : eventsLabel(effect.settings),
    problem: error === undefined ? undefined : problemOf(error).sentence,
  };
}

/** What a level lets through; for the level `custom`, how many events. */
function eventsLabel({ level, flags }: Settings): string {
  if (level !== 'custom') {
    return levelLabel(level, vscode.l10n).meaning;
  }
  const all = Object.values(flags);
  if (all.every((flag) => flag === 'unknown')) {
    return vscode.l10n.t('not shown by GitLab');
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
      return vscode.l10n.t('{0} on', count);
    case 'off':
      return vscode.l10n.t('{0} off', count);
    case 'default':
      return vscode.l10n.t('{0} default', count);
    case 'unknown':
      return vscode.l10n.t('{0} unknown', count);
  }
}

/** One scope in the overview. */
export interface OverviewRow {
  readonly scope: NotificationScope;
  readonly place: ScopePlace;
  /** Undefined if they could not be read. */
  readonly settings: Settings | undefined;
  readonly effect: Effect;
  /** Why the settings could not be read. */
  readonly error?: unknown;
}

export interface Overview {
  readonly rows: readonly OverviewRow[];
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
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async load(
    options: FindOptions & { readonly onStep?: (done: number, total: number) => void } = {},
  ): Promise<Overview> {
    const { signal, onStep } = options;
    const { found, missing, hasMore } = await this.#finder.find(options);
    const parents = await findParents(
      found.map(({ scope }) => scope),
      this.#connections,
      signal,
    );
    const keys = new Set(found.map(({ scope }) => scopeKey(scope)));
    const added = parents.flatMap((parent) =>
      'scope' in parent && !keys.has(scopeKey(parent.scope)) ? [{ scope: parent.scope, place: 'parent' as const }] : [],
    );
    const all = inOrder([...found, ...added]);
    let done = 0;
    const readings = await this.#engine.readAll(
      all.map(({ scope }) => scope),
      { signal, onStep: () => onStep?.((done += 1), all.length) },
    );
    const inheritance = new Inheritance(readings, parents);
    return {
      rows: all.map(({ scope, place }, index) => {
        const reading = readings[index];
        const settings = reading && 'settings' in reading ? reading.settings : undefined;
        const effect = settings ? inheritance.effectOf(scope, settings) : ({ kind: 'unknown' } as const);
        return { scope, place, settings, effect, ...(reading && 'error' in reading ? { error: reading.error } : {}) };
      }),
      missing,
      hasMore,
    };
  }
}

/** By account, the global settings first, then by path, so that what is inherited from stands above. */
function inOrder<T extends { readonly scope: NotificationScope }>(rows: readonly T[]): readonly T[] {
  const pathOf = (scope: NotificationScope): string => (scope.kind === 'global' ? '' : scope.path);
  const accounts = [...new Set(rows.map(({ scope }) => scope.accountId))];
  return rows.toSorted(
    ({ scope: one }, { scope: other }) =>
      accounts.indexOf(one.accountId) - accounts.indexOf(other.accountId) || pathOf(one).localeCompare(pathOf(other)),
  );
}
