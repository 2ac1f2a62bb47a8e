/** Whose notification settings: those that hold everywhere for an account, or those of one group or project. */
export type NotificationScope =
  | { readonly kind: 'global'; readonly accountId: string }
  | {
      readonly kind: 'group' | 'project';
      readonly accountId: string;
      /** The numeric id on the instance, which survives a move. */
      readonly id: number;
      /** The full path when it was last seen. */
      readonly path: string;
    };

/** What tells a scope from every other, also after a move. For keys of maps and stores. */
export function scopeKey(scope: NotificationScope): string {
  return scope.kind === 'global' ? `${scope.accountId} global` : `${scope.accountId} ${scope.kind} ${String(scope.id)}`;
}

/** How the API client names a scope (section 4.3). */
export function apiScope(
  scope: NotificationScope,
): 'global' | { readonly group: number } | { readonly project: number } {
  if (scope.kind === 'global') {
    return 'global';
  }
  return scope.kind === 'group' ? { group: scope.id } : { project: scope.id };
}
