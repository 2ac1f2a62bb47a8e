import { type NotificationScope, parentPaths } from './scope.ts';
import type { Settings } from './settings.ts';

/** The settings that count in the end, and where they are set. */
export type Effect =
  | { readonly kind: 'own' | 'global'; readonly settings: Settings }
  | { readonly kind: 'group'; readonly settings: Settings; readonly path: string }
  | { readonly kind: 'unknown' };

/** What is known of a group that others may inherit from: its settings, that there is no such group, or nothing. */
export type KnownGroup = Settings | 'none' | 'unknown';

/** What projects and groups of one account inherit from. */
export interface Sources {
  readonly global: Settings | undefined;
  /** By full path; a group that is missing is unknown. */
  readonly groups: ReadonlyMap<string, KnownGroup>;
}

/** What counts for a scope by its own settings. */
export function effectOf(scope: NotificationScope, settings: Settings, sources: Sources): Effect {
  return scope.kind === 'global' || settings.level !== 'global'
    ? { kind: 'own', settings }
    : inheritedBy(scope, sources);
}

/** What the level `global` stands for: the nearest group whose level is another, or else the global settings. */
export function inheritedBy(scope: NotificationScope, { global, groups }: Sources): Effect {
  for (const path of parentPaths(scope)) {
    const known = groups.get(path) ?? 'unknown';
    if (known === 'unknown') {
      return { kind: 'unknown' };
    }
    if (known !== 'none' && known.level !== 'global') {
      return { kind: 'group', settings: known, path };
    }
  }
  return global ? { kind: 'global', settings: global } : { kind: 'unknown' };
}
