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
export function parentPaths(path: string): readonly string[] {
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
export function effectOf(
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
