import type { Connections } from '../../accounts/connections.ts';
import { ApiError } from '../../api/errors.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import type { Settings } from '../model/settings.ts';
import { mapBounded } from '../scopes/bounded.ts';
import { type FoundScope, requestsAtOnce, type ScopeFinder } from '../scopes/scopeFinder.ts';
import type { ScopeReading, ScopeSettings } from '../scopes/scopeSettings.ts';
import { type Effect, effectOf, type KnownLevel, parentPaths } from './inheritance.ts';

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
  /** Projects of the workspace of which the instance told nothing. */
  readonly missing: readonly { readonly path: string; readonly error: unknown }[];
}

/** A group that something is in; without a scope if there is none, or if nobody can tell. */
type Parent = { readonly accountId: string; readonly path: string } & (
  { readonly scope: NotificationScope } | { readonly missing: 'none' | 'unknown' }
);

/** Reads all that the overview shows, a few requests at a time. */
export class OverviewLoader {
  readonly #connections: Pick<Connections, 'of'>;
  readonly #finder: ScopeFinder;
  readonly #settings: ScopeSettings;

  constructor(connections: Pick<Connections, 'of'>, finder: ScopeFinder, settings: ScopeSettings) {
    this.#connections = connections;
    this.#finder = finder;
    this.#settings = settings;
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
    const readings = await this.#settings.read(
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
        const { client } = await this.#connections.of(accountId);
        const { id, full_path } = await client.directory.group(path, { signal });
        return { accountId, path, scope: { kind: 'group', accountId, id, path: full_path } };
      } catch (error) {
        signal?.throwIfAborted();
        // A user's namespace is no group; nor can anybody have settings in a group that they do not see.
        const isNone = error instanceof ApiError && error.reason === 'notFound';
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
