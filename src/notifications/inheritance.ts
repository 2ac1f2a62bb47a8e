import { type LocatedScope, type NotificationScope, parentPaths } from './scope.ts';
import type { Settings } from './settings.ts';

export interface Effect {
  readonly settings: Settings;
  readonly source: NotificationScope;
}

export interface Sources {
  /** By full path; `none` for a user's namespace, and what is missing is unknown. */
  readonly parents: ReadonlyMap<string, LocatedScope | 'none'>;
  readonly settingsOf: (scope: NotificationScope) => Settings | undefined;
}

/** What counts for a scope by its own settings; undefined where it is not known. */
export function effectOf(scope: NotificationScope, settings: Settings, sources: Sources): Effect | undefined {
  return scope.kind === 'global' || settings.level !== 'global'
    ? { settings, source: scope }
    : inheritedBy(scope, sources);
}

/** What the level `global` stands for: the nearest group whose level is another, or else the global settings. */
export function inheritedBy(scope: NotificationScope, { parents, settingsOf }: Sources): Effect | undefined {
  for (const path of parentPaths(scope)) {
    const source = parents.get(path);
    if (source !== 'none') {
      const settings = source && settingsOf(source);
      if (settings?.level !== 'global') {
        return settings && { settings, source };
      }
    }
  }
  const source = { kind: 'global', accountId: scope.accountId } as const;
  const settings = settingsOf(source);
  return settings && { settings, source };
}
