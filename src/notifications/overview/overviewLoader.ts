import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import { problemOf } from '../../accounts/problem.ts';
import { isApiError } from '../../api/errors.ts';
import { notificationLevels } from '../../api/notificationVocabulary.ts';
import { countLabel } from '../settings/bulkChanges.ts';
import { mapBounded, requestsAtOnce, type ScopeReading, type SettingsEngine } from '../settings/engine.ts';
import { levelLabel } from '../settings/labels.ts';
import { lookUp } from '../settings/scopeArgument.ts';
import type { FoundScope, ScopeFinder } from '../settings/scopePicker.ts';
import { type Flag, type NotificationScope, scopeKey, type Settings } from '../settings/settings.ts';
import type { RowState, ToOverview } from './messages.ts';

/** What is known of the settings of a group: its level, that there is no such group, or nothing. */
export type KnownLevel =
  { readonly kind: 'level'; readonly level: string } | { readonly kind: 'none' } | { readonly kind: 'unknown' };

/** The level that counts in the end, and where it is set. */
export type Effect =
  | { readonly kind: 'own'; readonly level: string }
  | { readonly kind: 'group'; readonly level: string; readonly path: string }
  | { readonly kind: 'global'; readonly level: string }
  | { readonly kind: 'unknown' };

/** The full paths of the namespaces that a project or group is in, the nearest first. */
function parentPaths(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}

/**
 * Finds out which level counts for a project or group. With the level `global` it is that of the nearest group around it
 * whose level is another, or else the global one.
 *
 * @param level its own level.
 * @param groupLevel what is known of a group by its full path; a user's namespace is no group.
 * @param globalLevel undefined if it is not known.
 */
function effectOf(
  path: string,
  level: string,
  groupLevel: (path: string) => KnownLevel,
  globalLevel: string | undefined,
): Effect {
  if (level !== 'global') {
    return { kind: 'own', level };
  }
  for (const parent of parentPaths(path)) {
    const known = groupLevel(parent);
    if (known.kind === 'unknown') {
      return { kind: 'unknown' };
    }
    if (known.kind === 'level' && known.level !== 'global') {
      return { kind: 'group', level: known.level, path: parent };
    }
  }
  return globalLevel === undefined ? { kind: 'unknown' } : { kind: 'global', level: globalLevel };
}

/** Converts the overview to the labels that the page shows. */
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
    place: placeLabel(place),
    level: settings?.level,
    effect: effect.kind === 'unknown' ? vscode.l10n.t('unknown') : levelLabel(effect.level, vscode.l10n).name,
    inherited: inheritedLabel(effect),
    events: settings ? eventsLabel(settings) : '',
    problem: error === undefined ? undefined : problemOf(error).sentence,
  };
}

function placeLabel(place: OverviewRow['place']): string {
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

function inheritedLabel(effect: Effect): string {
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

function eventsLabel({ level, flags }: Settings): string {
  if (level !== 'custom') {
    return '';
  }
  const all = Object.values(flags);
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
  /** Why it is there; a parent is a group that others inherit from. */
  readonly place: FoundScope['place'] | 'parent';
  /** Undefined if they could not be read. */
  readonly settings: Settings | undefined;
  readonly effect: Effect;
  /** Why the settings could not be read. */
  readonly error?: unknown;
}

export interface Overview {
  readonly rows: readonly OverviewRow[];
  /** Projects of the workspace that the instance does not show. */
  readonly missing: readonly { readonly path: string; readonly error: unknown }[];
}

/** The group of a project or group; without a scope if there is none, or it is not known. */
type Parent = { readonly accountId: string; readonly path: string } & (
  { readonly scope: NotificationScope } | { readonly missing: 'none' | 'unknown' }
);

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
   * Reads the settings of global scopes, the workspace's projects, pins, and the groups that these are in.
   *
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async load(signal?: AbortSignal): Promise<Overview> {
    const { found, missing } = await this.#finder.find(signal);
    const parents = await this.#parents(found, signal);
    const keys = new Set(found.map(({ scope }) => scopeKey(scope)));
    const added = parents.flatMap((parent) =>
      'scope' in parent && !keys.has(scopeKey(parent.scope)) ? [{ scope: parent.scope, place: 'parent' as const }] : [],
    );
    const all = inOrder([...found, ...added]);
    const readings = await this.#engine.readAll(
      all.map(({ scope }) => scope),
      { signal },
    );
    const levels = new Levels(readings, parents);
    return {
      rows: all.map(({ scope, place }, index) => {
        const reading = readings[index];
        const settings = reading && 'settings' in reading ? reading.settings : undefined;
        const effect = settings ? levels.effectOf(scope, settings) : ({ kind: 'unknown' } as const);
        return { scope, place, settings, effect, ...(reading && 'error' in reading ? { error: reading.error } : {}) };
      }),
      missing,
    };
  }

  /** The groups that scopes are in, each once. */
  async #parents(found: readonly FoundScope[], signal: AbortSignal | undefined): Promise<readonly Parent[]> {
    const wanted = new Map<string, { accountId: string; path: string }>();
    for (const { scope } of found) {
      for (const path of scope.kind === 'global' ? [] : parentPaths(scope.path)) {
        wanted.set(`${scope.accountId} ${path}`, { accountId: scope.accountId, path });
      }
    }
    return await mapBounded([...wanted.values()], requestsAtOnce, async ({ accountId, path }): Promise<Parent> => {
      try {
        return { accountId, path, scope: await lookUp('group', path, await this.#connections.of(accountId), signal) };
      } catch (error) {
        signal?.throwIfAborted();
        // A user's namespace is no group; nor can anybody have settings in a group that they do not see.
        const isNone = isApiError(error) && error.reason === 'notFound';
        return { accountId, path, missing: isNone ? 'none' : 'unknown' };
      }
    });
  }
}

/** The levels that were read, to be looked up by account and path. */
class Levels {
  readonly #groups = new Map<string, KnownLevel>();
  readonly #global = new Map<string, string>();

  constructor(readings: readonly ScopeReading[], parents: readonly Parent[]) {
    for (const parent of parents) {
      if ('missing' in parent) {
        this.#groups.set(`${parent.accountId} ${parent.path}`, { kind: parent.missing });
      }
    }
    for (const reading of readings) {
      const { scope } = reading;
      const level = 'settings' in reading ? reading.settings.level : undefined;
      if (scope.kind === 'group' && level !== undefined) {
        this.#groups.set(`${scope.accountId} ${scope.path}`, { kind: 'level', level });
      } else if (scope.kind === 'global' && level !== undefined) {
        this.#global.set(scope.accountId, level);
      }
    }
  }

  effectOf(scope: NotificationScope, { level }: Settings): Effect {
    if (scope.kind === 'global') {
      return { kind: 'own', level };
    }
    const groupLevel = (path: string): KnownLevel =>
      this.#groups.get(`${scope.accountId} ${path}`) ?? { kind: 'unknown' };
    return effectOf(scope.path, level, groupLevel, this.#global.get(scope.accountId));
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
