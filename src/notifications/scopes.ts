import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Account } from '../accounts/account.ts';
import { accountLabel } from '../accounts/accountInUse.ts';
import type { Connection } from '../accounts/connections.ts';
import { requireScope } from '../accounts/problem.ts';
import { isApiError } from '../api/errors.ts';
import { isRecognized } from '../api/unrecognized.ts';
import type { App } from '../app.ts';
import type { KnownGroup, Sources } from './inheritance.ts';
import { scopeSchema } from './schemas.ts';
import { type LocatedScope, type NotificationScope, parentPaths, withoutRepeats } from './scope.ts';
import type { Settings } from './settings.ts';
import { mapBounded, type Reading } from './settingsService.ts';

const { t } = vscode.l10n;

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

/**
 * The scope that a command was called with: a scope, a group or project by id or full path, a tree item, or nothing.
 *
 * @param check throws if an account cannot do what the command is for, before anything is looked up.
 * @returns undefined if it is nothing that has notification settings.
 * @throws SignedOutError if there is no account; any error of `check` or the API client if an id or path has to be looked up.
 */
export async function scopeOfArgument(
  argument: unknown,
  { connections }: App,
  check: (account: Account) => void = () => undefined,
): Promise<NotificationScope | undefined> {
  const scope = scopeSchema.safeParse(argument);
  if (scope.success) {
    return scope.data;
  }
  const item = itemSchema.safeParse(argument).data?.project;
  const named = item ? undefined : namedSchema.safeParse(argument).data;
  const { accountId } = item ?? named ?? {};
  const idOrPath = item?.idOrPath ?? named?.id ?? named?.path;
  if (!item && !named) {
    return undefined;
  }
  const connection = await (accountId === undefined ? connections.current() : connections.of(accountId));
  check(connection.account);
  return idOrPath === undefined ? undefined : await lookUp(named?.kind ?? 'project', idOrPath, connection);
}

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

/** The group at a path; without a scope if there is none, or it is not known. */
interface Parent {
  readonly path: string;
  readonly scope: LocatedScope | 'none' | 'unknown';
}

/** Finds the groups that scopes of an account are in, each once. Rejects only when the signal ends it. */
export async function findParents(
  scopes: readonly NotificationScope[],
  connection: Connection,
  signal?: AbortSignal,
): Promise<readonly Parent[]> {
  return await mapBounded([...new Set(scopes.flatMap(parentPaths))], async (path): Promise<Parent> => {
    try {
      return { path, scope: await lookUp('group', path, connection, signal) };
    } catch (error) {
      signal?.throwIfAborted();
      // A user's namespace is no group; nor can anybody have settings in a group that they do not see.
      return { path, scope: isApiError(error) && error.reason === 'notFound' ? 'none' : 'unknown' };
    }
  });
}

/** What can be inherited by what was found and read. @param shown the settings that count instead of those that were read. */
export function sourcesOf(
  parents: readonly Parent[],
  readings: readonly Reading[],
  shown: (reading: Extract<Reading, { readonly settings: Settings }>) => Settings = ({ settings }) => settings,
): Sources {
  const groups = new Map<string, KnownGroup>();
  for (const { path, scope } of parents) {
    if (typeof scope === 'string') {
      groups.set(path, scope);
    }
  }
  let global: Settings | undefined;
  for (const reading of readings) {
    if ('settings' in reading && reading.scope.kind === 'group') {
      groups.set(reading.scope.path, shown(reading));
    } else if ('settings' in reading && reading.scope.kind === 'global') {
      global = shown(reading);
    }
  }
  return { global, groups };
}

/** A scope, and why it is of interest in this window; a parent is a group that others inherit from. */
export interface FoundScope {
  readonly scope: NotificationScope;
  readonly place: 'global' | 'workspace' | 'pinned' | 'member' | 'parent' | 'opened';
}

/** Says why a scope is there; of global settings, whose they are. */
export function placeLabel({ scope, place }: FoundScope): string {
  switch (place) {
    case 'global':
      return accountLabel(scope.accountId);
    case 'workspace':
      return t('workspace');
    case 'pinned':
      return t('pinned');
    case 'member':
      return t('your project');
    case 'parent':
      return t('parent group');
    case 'opened':
      return '';
  }
}

export interface FoundScopes {
  /** The global settings first, then the workspace's projects, what is pinned, the groups around all, the user's projects. No repeats. */
  readonly found: readonly FoundScope[];
  readonly parents: readonly Parent[];
  /** What the instance does not show: a project of the workspace by its path, or the list of the user's projects. */
  readonly missing: readonly { readonly path: string; readonly error: unknown }[];
  /** Whether the user is a member of more projects than were asked for. */
  readonly hasMore: boolean;
}

/**
 * Finds the scopes of an account that matter in a window: global settings, those of the workspace, what is pinned, the user's projects,
 * the groups around them.
 *
 * @param most how many of the projects that the user is a member of are found at most.
 * @throws SignedOutError if the account is signed out; ProblemError if its token may not read.
 */
export async function findScopes(
  { connections, workspaceProjects, pins }: App,
  accountId: string,
  most: number,
  signal?: AbortSignal,
): Promise<FoundScopes> {
  const connection = await connections.of(accountId);
  requireScope(connection.account, 'GET');
  const missing: { path: string; error: unknown }[] = [];
  const ofWorkspace = await mapBounded(
    workspaceProjects.all.filter((project) => project.accountId === accountId),
    async ({ path }) => {
      try {
        return [await lookUp('project', path, connection, signal)];
      } catch (error) {
        signal?.throwIfAborted();
        missing.push({ path, error });
        return [];
      }
    },
  );
  const own: LocatedScope[] = [];
  let hasMore = false;
  try {
    // The newest first, without those that are archived.
    const parameters = { membership: true, simple: true, archived: false };
    for await (const { items, next } of connection.client.directory.projects(
      { parameters },
      { perPage: 100, signal },
    )) {
      const projects = items.filter(isRecognized);
      own.push(
        ...projects.map(({ id, path_with_namespace: path }) => ({ kind: 'project', accountId, id, path }) as const),
      );
      hasMore = own.length > most || next !== undefined;
      if (own.length >= most) {
        break;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    missing.push({ path: t('Your projects'), error });
  }
  const member = own.slice(0, most);
  const pinned = pins.of(accountId);
  const parents = await findParents([...ofWorkspace.flat(), ...pinned, ...member], connection, signal);
  const all: readonly FoundScope[] = [
    { scope: { kind: 'global', accountId }, place: 'global' },
    ...ofWorkspace.flat().map((scope) => ({ scope, place: 'workspace' }) as const),
    ...pinned.map((scope) => ({ scope, place: 'pinned' }) as const),
    ...parents.flatMap(({ scope }) => (typeof scope === 'string' ? [] : { scope, place: 'parent' as const })),
    ...member.map((scope) => ({ scope, place: 'member' }) as const),
  ];
  return { found: withoutRepeats(all, ({ scope }) => scope), parents, missing, hasMore };
}
