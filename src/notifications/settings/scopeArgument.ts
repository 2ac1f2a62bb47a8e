import * as z from 'zod/mini';
import type { Account } from '../../accounts/account.ts';
import type { Connection, Connections } from '../../accounts/connections.ts';
import type { WorkspaceProject } from '../../accounts/workspaceProjects.ts';
import { scopeSchema } from './schemas.ts';
import { type NotificationScope } from './settings.ts';

/** A group or project as far as others name it: the account may be that in use, the id a full path. */
const namedSchema = z.object({
  kind: z.enum(['group', 'project']),
  accountId: z.optional(z.string()),
  id: z.optional(z.int()),
  path: z.optional(z.string()),
});

/** An item of any view that stands for a project, or for something in one: see `ProjectRef`. */
const itemSchema = z.object({
  project: z.object({ accountId: z.string(), idOrPath: z.union([z.int(), z.string()]) }),
});

/** Whether a command was called with an item of a view, which menus of its title do, too: with the item that has the focus. */
export function isItem(argument: unknown): boolean {
  return itemSchema.safeParse(argument).success;
}

/** Where scopes are looked up. */
export interface ScopeLookupDeps {
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly workspaceProjects: { readonly current: WorkspaceProject | undefined };
}

/**
 * The scope that a command was called with: a scope, a group or project by id or full path, a tree item, or nothing.
 *
 * @param check throws if an account cannot do what the command is for, before anything is looked up.
 * @returns undefined if it is nothing that has notification settings.
 * @throws SignedOutError if there is no account; any error of `check` or the API client if an id or path has to be looked up.
 */
export async function scopeOfArgument(
  argument: unknown,
  { connections }: ScopeLookupDeps,
  check: (account: Account) => void = () => undefined,
): Promise<NotificationScope | undefined> {
  const scope = scopeSchema.safeParse(argument);
  if (scope.success) {
    return scope.data;
  }
  const item = itemSchema.safeParse(argument);
  const named = item.success
    ? ({ kind: 'project', ...item.data.project } as const)
    : namedSchema.safeParse(argument).data;
  if (!named) {
    return undefined;
  }
  const { kind, accountId } = named;
  const idOrPath = 'idOrPath' in named ? named.idOrPath : (named.id ?? named.path);
  const connection = await (accountId === undefined ? connections.current() : connections.of(accountId));
  check(connection.account);
  return idOrPath === undefined ? undefined : await lookUp(kind, idOrPath, connection);
}

/**
 * The scope of the workspace's project.
 *
 * @returns undefined if the workspace has none.
 * @throws any error of the API client.
 */
export async function scopeOfWorkspace({
  connections,
  workspaceProjects,
}: ScopeLookupDeps): Promise<NotificationScope | undefined> {
  const { current } = workspaceProjects;
  return current && (await lookUp('project', current.path, await connections.of(current.accountId)));
}

/** A scope that has an id and a path. */
export type LocatedScope = Exclude<NotificationScope, { readonly kind: 'global' }>;

/**
 * Finds a group or project by its id or full path.
 *
 * @throws any error of the API client.
 */
export async function lookUp(
  kind: LocatedScope['kind'],
  idOrPath: number | string,
  { account, client }: Connection,
  signal?: AbortSignal,
): Promise<LocatedScope> {
  if (kind === 'group') {
    const { id, full_path: path } = await client.directory.group(idOrPath, { signal });
    return { kind, accountId: account.id, id, path };
  }
  const { id, path_with_namespace: path } = await client.directory.project(idOrPath, { signal });
  return { kind, accountId: account.id, id, path };
}
