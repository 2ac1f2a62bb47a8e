import * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import { isApiError } from '../../api/errors.ts';
import { mapBounded, requestsAtOnce, type ScopeReading, type SettingsEngine } from './engine.ts';
import { levelLabel } from './labels.ts';
import { lookUp } from './scopeArgument.ts';
import { type NotificationScope, scopeKey, type Settings } from './settings.ts';

const { t } = vscode.l10n;

/** The settings that count in the end, and where they are set. */
export type Effect =
  | { readonly kind: 'own' | 'global'; readonly settings: Settings }
  | { readonly kind: 'group'; readonly settings: Settings; readonly path: string }
  | { readonly kind: 'unknown' };

/** The group of a project or group; without a scope if there is none, or it is not known. */
export type Parent = { readonly accountId: string; readonly path: string } & (
  | { readonly scope: NotificationScope }
  | { readonly missing: 'none' | 'unknown' }
);

/** The full paths of the namespaces that a project or group is in, the nearest first. */
function parentPaths(scope: NotificationScope): readonly string[] {
  const names = scope.kind === 'global' ? [] : scope.path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}

/** Finds the groups that scopes are in, each once. Rejects only when the signal ends it. */
export async function findParents(
  scopes: readonly NotificationScope[],
  connections: Pick<Connections, 'of'>,
  signal?: AbortSignal,
): Promise<readonly Parent[]> {
  const wanted = new Map<string, { accountId: string; path: string }>();
  for (const scope of scopes) {
    for (const path of parentPaths(scope)) {
      wanted.set(`${scope.accountId} ${path}`, { accountId: scope.accountId, path });
    }
  }
  return await mapBounded([...wanted.values()], requestsAtOnce, async ({ accountId, path }): Promise<Parent> => {
    try {
      return { accountId, path, scope: await lookUp('group', path, await connections.of(accountId), signal) };
    } catch (error) {
      signal?.throwIfAborted();
      // A user's namespace is no group; nor can anybody have settings in a group that they do not see.
      const isNone = isApiError(error) && error.reason === 'notFound';
      return { accountId, path, missing: isNone ? 'none' : 'unknown' };
    }
  });
}

/** What was read of groups and global settings, to look up what projects and groups inherit. */
class Inheritance {
  /** By account and path: settings, or why there are none. */
  readonly #groups = new Map<string, Settings | 'none' | 'unknown'>();
  readonly #global = new Map<string, Settings>();

  constructor(readings: readonly ScopeReading[], parents: readonly Parent[]) {
    for (const parent of parents) {
      if ('missing' in parent) {
        this.#groups.set(`${parent.accountId} ${parent.path}`, parent.missing);
      }
    }
    for (const reading of readings) {
      const { scope } = reading;
      if (scope.kind === 'group' && 'settings' in reading) {
        this.#groups.set(`${scope.accountId} ${scope.path}`, reading.settings);
      } else if (scope.kind === 'global' && 'settings' in reading) {
        this.#global.set(scope.accountId, reading.settings);
      }
    }
  }

  /** What counts for a scope by its own settings. */
  effectOf(scope: NotificationScope, settings: Settings): Effect {
    return scope.kind === 'global' || settings.level !== 'global' ? { kind: 'own', settings } : this.inheritedBy(scope);
  }

  /** What the level `global` stands for: the nearest group whose level is another, or else the global settings. */
  inheritedBy(scope: NotificationScope): Effect {
    for (const path of parentPaths(scope)) {
      const known = this.#groups.get(`${scope.accountId} ${path}`) ?? 'unknown';
      if (known === 'unknown') {
        return { kind: 'unknown' };
      }
      if (known !== 'none' && known.level !== 'global') {
        return { kind: 'group', settings: known, path };
      }
    }
    const settings = this.#global.get(scope.accountId);
    return settings ? { kind: 'global', settings } : { kind: 'unknown' };
  }
}

/** What settings are read by. */
interface EffectDeps {
  readonly connections: Pick<Connections, 'of'>;
  readonly engine: Pick<SettingsEngine, 'readAll'>;
}

/** What the level `global` stands for. */
export interface Inherited {
  /** Such as `Watch, from group harbor`. */
  readonly label: string;
  readonly settings: Settings;
}

/**
 * Reads what the level `global` stands for in a group or project.
 *
 * @returns undefined in global settings, and if it cannot be known.
 * @throws SignedOutError if the account is gone.
 */
export async function readInherited(
  scope: NotificationScope,
  { connections, engine }: EffectDeps,
): Promise<Inherited | undefined> {
  if (scope.kind === 'global') {
    return undefined;
  }
  const { accountId } = scope;
  const parents = await findParents([scope], connections);
  const groups = parents.flatMap((parent) => ('scope' in parent ? parent.scope : []));
  const readings = await engine.readAll([{ kind: 'global', accountId }, ...groups]);
  const effect = new Inheritance(readings, parents).inheritedBy(scope);
  return effect.kind === 'unknown' ? undefined : { label: effectLabel(effect), settings: effect.settings };
}

/** The level that counts and where it is set, such as `Watch, from group harbor`. */
export function effectLabel(effect: Effect): string {
  return effect.kind === 'unknown'
    ? sourceLabel(effect)
    : t('{0}, {1}', levelLabel(effect.settings.level, vscode.l10n).name, sourceLabel(effect));
}

/** The settings of a scope as they were read, and what counts in the end. */
export interface ScopeEffect {
  readonly scope: NotificationScope;
  /** Undefined if they could not be read. */
  readonly settings: Settings | undefined;
  readonly effect: Effect;
  /** What the level `global` stands for here. */
  readonly inherited: Effect;
  /** Why the settings could not be read. */
  readonly error?: unknown;
}

/**
 * What counts for scopes in their order, then for the groups around them that are not among them.
 *
 * @param levels those that count instead of the ones that were read, by the keys of their scopes.
 */
export type EffectsWith = (levels?: ReadonlyMap<string, string>) => readonly ScopeEffect[];

/**
 * Reads the settings of scopes and of the groups around them, a few requests at a time.
 *
 * @param onStep is called for each scope that was read, with how many were and are to be.
 */
export async function readEffects(
  scopes: readonly NotificationScope[],
  { connections, engine }: EffectDeps,
  { signal, onStep }: { signal?: AbortSignal | undefined; onStep?: (done: number, total: number) => void } = {},
): Promise<EffectsWith> {
  const parents = await findParents(scopes, connections, signal);
  const keys = new Set(scopes.map(scopeKey));
  const groups = parents.flatMap((parent) =>
    'scope' in parent && !keys.has(scopeKey(parent.scope)) ? parent.scope : [],
  );
  const all = [...scopes, ...groups];
  let done = 0;
  const readings = await engine.readAll(all, { signal, onStep: () => onStep?.((done += 1), all.length) });
  return (levels) => {
    const withLevel = (scope: NotificationScope, settings: Settings): Settings => ({
      ...settings,
      level: levels?.get(scopeKey(scope)) ?? settings.level,
    });
    const inheritance = new Inheritance(
      readings.map((reading) =>
        'settings' in reading ? { ...reading, settings: withLevel(reading.scope, reading.settings) } : reading,
      ),
      parents,
    );
    return readings.map((reading) => {
      const { scope } = reading;
      const inherited = inheritance.inheritedBy(scope);
      if ('error' in reading) {
        return { scope, settings: undefined, effect: { kind: 'unknown' }, inherited, error: reading.error };
      }
      const { settings } = reading;
      return { scope, settings, effect: inheritance.effectOf(scope, withLevel(scope, settings)), inherited };
    });
  };
}

/** Where settings that count come from. */
export function sourceLabel(effect: Effect): string {
  switch (effect.kind) {
    case 'own':
      return t('set here');
    case 'group':
      return t('from group {0}', effect.path);
    case 'global':
      return t('from the global settings');
    case 'unknown':
      return t('unknown');
  }
}
