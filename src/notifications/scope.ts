import * as z from 'zod/mini';
import type { Place } from '../accounts/directorySearch.ts';
import { isFullPath } from '../api/grammar.ts';
import type { NotificationSettingsOwner } from '../api/notificationSettings.ts';
import { sha256 } from '../common/bytes.ts';
import { KeptFiles } from '../common/keptFiles.ts';

/** Whose notification settings: those that hold everywhere for an account, or those of one group or project. */
export type NotificationScope = { readonly kind: 'global'; readonly accountId: string } | Place;

/**
 * A scope in messages of the page, in what is kept, and as the argument of a command. Like all schemas of this folder it is made when it
 * is needed: few windows need any, and to make them took a fifth of the time that loading takes.
 */
export const scopeSchema = (): z.ZodMiniType<NotificationScope> =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('global'), accountId: z.string() }),
    z.object({
      kind: z.enum(['group', 'project']),
      accountId: z.string(),
      id: z.int(),
      path: z.string().check(z.refine(isFullPath)),
    }),
  ]);

/** The unique key of a scope, also after a move. For maps and stores. */
export function scopeKey(scope: NotificationScope): string {
  return scope.kind === 'global' ? `${scope.accountId} global` : `${scope.accountId} ${scope.kind} ${String(scope.id)}`;
}

/** Whether a project is the one of a scope, or in its group or account. */
export function isWithin(project: Place, scope: NotificationScope): boolean {
  return (
    project.accountId === scope.accountId &&
    (scope.kind === 'group'
      ? project.path.startsWith(`${scope.path}/`)
      : scope.kind === 'global' || project.id === scope.id)
  );
}

/** Keeps something of scopes. */
export function scopeFiles<T extends object>(
  folder: string,
  schema: () => z.ZodMiniType<T>,
  log: { warn(sentence: string): void },
): ScopeFiles<T> {
  return new KeptFiles(folder, (scope) => sha256(scopeKey(scope), 'hex').slice(0, 32), schema, log);
}

export type ScopeFiles<T extends object> = KeptFiles<NotificationScope, T>;

export function withoutRepeats<T>(all: readonly T[], scopeOf: (one: T) => NotificationScope): readonly T[] {
  const keys = new Set<string>();
  return all.filter((one) => keys.size < keys.add(scopeKey(scopeOf(one))).size);
}

export function apiScope(scope: NotificationScope): NotificationSettingsOwner {
  if (scope.kind === 'global') {
    return 'global';
  }
  return scope.kind === 'group' ? { group: scope.id } : { project: scope.id };
}

/** The full paths of the namespaces that a project or group is in, the nearest first. */
export function parentPaths(scope: NotificationScope): readonly string[] {
  const names = scope.kind === 'global' ? [] : scope.path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}
