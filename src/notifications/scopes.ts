import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Connection } from '../accounts/connections.ts';
import { lookUp, type Place } from '../accounts/directorySearch.ts';
import { requireScope } from '../accounts/problem.ts';
import { isApiError } from '../api/errors.ts';
import type { App } from '../app.ts';
import { type NotificationScope, parentPaths, scopeSchema, withoutRepeats } from './scope.ts';
import type { Settings } from './settings.ts';
import { mapBounded } from './settingsService.ts';

/** A group or project as far as others name it: the account may be that in use, the id a full path. */
const namedSchema = () =>
  z.object({
    kind: z.enum(['group', 'project']),
    accountId: z.optional(z.string()),
    id: z.optional(z.int()),
    path: z.optional(z.string()),
  });

/** An item of any view that stands for a project, or for something in one: see `ProjectRef`. */
const itemSchema = () =>
  z.object({
    project: z.object({ accountId: z.string(), idOrPath: z.union([z.int(), z.string()]) }),
  });

/** Whether a command was called with an item of a view, which menus of its title do, too: with the item that has the focus. */
export function isItem(argument: unknown): boolean {
  return itemSchema().safeParse(argument).success;
}

/**
 * The scope that a command was called with: a scope, a group or project by id or full path, or a tree item; undefined if it is none.
 *
 * @param method what the command does with its settings: a token that may not is refused before anything is looked up.
 */
export async function scopeOfArgument(
  argument: unknown,
  { connections }: App,
  method: 'GET' | 'PUT',
): Promise<NotificationScope | undefined> {
  const scope = scopeSchema().safeParse(argument).data;
  const item = itemSchema().safeParse(argument).data?.project;
  const named = namedSchema().safeParse(argument).data;
  const accountId = (item ?? named)?.accountId;
  const idOrPath = item?.idOrPath ?? named?.id ?? named?.path;
  if (scope || idOrPath === undefined) {
    return scope;
  }
  const connection = await (accountId === undefined ? connections.current() : connections.of(accountId));
  requireScope(connection.account, method);
  return await lookUp(named?.kind ?? 'project', idOrPath, connection);
}

/** Finds the groups that scopes of an account are in. Rejects only when the signal ends it. @param known those that are not asked for. */
export async function findParents(
  scopes: readonly NotificationScope[],
  connection: Connection,
  signal?: AbortSignal,
  known: Sources['parents'] = new Map(),
): Promise<Sources['parents']> {
  const parents = new Map(known);
  const unknown = [...new Set(scopes.flatMap(parentPaths))].filter((path) => !known.has(path));
  await mapBounded(unknown, async (path) => {
    try {
      parents.set(path, await lookUp('group', path, connection, signal));
    } catch (error) {
      signal?.throwIfAborted();
      // A user's namespace is no group; nor can anybody have settings in a group that they do not see.
      if (isApiError(error, 'notFound')) {
        parents.set(path, 'none');
      }
    }
  });
  return parents;
}

export function groupsAmong(parents: Sources['parents']): readonly Place[] {
  return [...parents.values()].filter((parent) => parent !== 'none');
}

/** The scopes of an account that matter in a window. */
export interface FoundScopes {
  /** Global settings, the workspace's projects, what is pinned, the groups around all, the user's projects. No repeats. */
  readonly scopes: readonly NotificationScope[];
  readonly parents: Sources['parents'];
  /** What the instance does not show: a project of the workspace by its path, or the list of the user's projects. */
  readonly missing: readonly { readonly name: string; readonly error: unknown }[];
  /** Whether the user is a member of more projects than were asked for. */
  readonly hasMore: boolean;
}

/**
 * Finds the scopes of an account that matter in a window.
 *
 * @param most of the projects that the user is a member of.
 * @param known groups that are not asked for.
 */
export async function findScopes(
  { connections, workspaceProjects, pins }: App,
  accountId: string,
  most: number,
  signal?: AbortSignal,
  known?: Sources['parents'],
): Promise<FoundScopes> {
  const connection = await connections.of(accountId);
  requireScope(connection.account, 'GET');
  const missing: { name: string; error: unknown }[] = [];
  const ofWorkspace = await mapBounded(
    workspaceProjects.all.filter((project) => project.accountId === accountId),
    async ({ path }) => {
      try {
        return [await lookUp('project', path, connection, signal)];
      } catch (error) {
        signal?.throwIfAborted();
        missing.push({ name: path, error });
        return [];
      }
    },
  );
  const own: Place[] = [];
  let hasMore = false;
  try {
    // The newest first, without those that are archived.
    const parameters = { membership: true, simple: true, archived: false };
    const paging = { perPage: 100, maxPages: 2 * Math.ceil(most / 100), signal };
    const pages = connection.client.directory.projects({ parameters }, paging);
    for await (const { items, next } of pages) {
      for (const { id, path_with_namespace: path } of items) {
        own.push({ kind: 'project', accountId, id, path });
      }
      hasMore = next !== undefined;
      if (own.length >= most) {
        break;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    missing.push({ name: vscode.l10n.t('Your projects'), error });
  }
  const projects = [...ofWorkspace.flat(), ...pins.of(accountId), ...own];
  const parents = await findParents(projects, connection, signal, known);
  const scopes = withoutRepeats<NotificationScope>(
    [{ kind: 'global', accountId }, ...projects, ...groupsAmong(parents)],
    (scope) => scope,
  );
  return { scopes, parents, missing, hasMore };
}

export interface Effect {
  readonly settings: Settings;
  readonly source: NotificationScope;
}

export interface Sources {
  /** By full path; `none` for a user's namespace, and what is missing is unknown. */
  readonly parents: ReadonlyMap<string, Place | 'none'>;
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
