import * as vscode from 'vscode';
import { type Account, SignedOutError } from '../../accounts/account.ts';
import { type AccountInUse, accountLabel } from '../../accounts/accountInUse.ts';
import type { Connection, Connections } from '../../accounts/connections.ts';
import { groupSource, joinSources, mapSource, projectSource } from '../../accounts/directorySearch.ts';
import { type Description, pick } from '../../accounts/pickers.ts';
import type { Pin, Pins } from '../../accounts/pins.ts';
import { requireScope } from '../../accounts/problem.ts';
import type { WorkspaceProject, WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import type { ProjectRecord } from '../../api/directory.ts';
import type { Pages } from '../../api/pagination.ts';
import { isRecognized } from '../../api/unrecognized.ts';
import { mapBounded, requestsAtOnce } from './engine.ts';
import { findParents } from './inheritance.ts';
import { scopeLabel } from './labels.ts';
import { type LocatedScope, lookUp } from './scopeArgument.ts';
import { type NotificationScope, scopeKey, withoutRepeats } from './settings.ts';

const { t } = vscode.l10n;

/** Why a scope is of interest in this window; a parent is a group that others inherit from. */
export type ScopePlace = 'global' | 'workspace' | 'pinned' | 'member' | 'parent';

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
  }
}

/** A scope, and why it is there. */
export interface FoundScope {
  readonly scope: NotificationScope;
  readonly place: ScopePlace;
}

/** What the instance does not show: a project of the workspace by its path, or the list of the user's projects. */
export interface MissingScope {
  readonly path: string;
  readonly error: unknown;
}

export interface FoundScopes {
  /**
   * The global settings of each account first, then the workspace's projects, what is pinned, the groups around all of them if
   * they are wanted, the user's projects. No repeats.
   */
  readonly found: readonly FoundScope[];
  readonly missing: readonly MissingScope[];
  /** Whether the user is a member of more projects than were asked for. */
  readonly hasMore: boolean;
}

/** How scopes are looked for. */
export interface FindOptions {
  /** Whose scopes are found, if not those of the account in use. */
  readonly accountId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many of the projects that the user is a member of are found as well, at most. */
  readonly projects?: number | undefined;
  /** Whether the groups around them are found as well: each is a request. */
  readonly parents?: boolean | undefined;
}

/** What a scope finder needs to know. */
export interface ScopeFinderDeps {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all'>;
  readonly pins: Pins;
  readonly connections: Pick<Connections, 'of' | 'current'>;
}

const projectsPerPage = 100;

/** Finds the scopes of an account that matter in a window: global settings, its projects, those of the workspace, what is pinned. */
export class ScopeFinder {
  readonly #deps: ScopeFinderDeps;

  constructor(deps: ScopeFinderDeps) {
    this.#deps = deps;
  }

  /** The account in use, on which the scopes are. */
  get accountId(): string | undefined {
    return this.#deps.accountInUse.account?.id;
  }

  /** @throws ProblemError if the token of the account in use may read no scope. */
  requireReadable(): void {
    const { account } = this.#deps.accountInUse;
    if (account) {
      requireScope(account, 'GET');
    }
  }

  /**
   * Finds the scopes; asks the instance for the ids of the workspace's projects, and for those of the user.
   *
   * @throws SignedOutError if no account is in use, or the one that is wanted is signed out; ProblemError
   *   if its token may not read.
   */
  async find({ accountId, signal, projects = 0, parents = false }: FindOptions = {}): Promise<FoundScopes> {
    const { workspaceProjects, pins, connections } = this.#deps;
    const account = await this.#accountOf(accountId);
    requireScope(account, 'GET');
    const ofWorkspace = workspaceProjects.all.filter((project) => project.accountId === account.id);
    const missing: MissingScope[] = [];
    const resolved = await mapBounded(ofWorkspace, requestsAtOnce, async ({ path }) => {
      try {
        return [await lookUp('project', path, await connections.of(account.id), signal)];
      } catch (error) {
        signal?.throwIfAborted();
        missing.push({ path, error });
        return [];
      }
    });
    const own: LocatedScope[] = [];
    let hasMore = false;
    try {
      for await (const { items, next } of projects > 0 ? await this.#projectsOf(account.id, signal) : []) {
        own.push(
          ...items
            .filter(isRecognized)
            .map(
              ({ id, path_with_namespace: path }) => ({ kind: 'project', accountId: account.id, id, path }) as const,
            ),
        );
        hasMore = own.length > projects || next !== undefined;
        if (own.length >= projects) {
          break;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      missing.push({ path: t('Your projects'), error });
    }
    const ofUser = own.slice(0, projects);
    const pinned = pins.of(account.id);
    const around = parents ? await findParents([...resolved.flat(), ...pinned, ...ofUser], connections, signal) : [];
    const all: FoundScope[] = [
      { scope: { kind: 'global', accountId: account.id }, place: 'global' },
      ...resolved.flat().map((scope) => ({ scope, place: 'workspace' }) as const),
      ...pinned.map((scope) => ({ scope, place: 'pinned' }) as const),
      ...around.flatMap((parent) => ('scope' in parent ? { scope: parent.scope, place: 'parent' as const } : [])),
      ...ofUser.map((scope) => ({ scope, place: 'member' }) as const),
    ];
    return { found: withoutRepeats(all), missing, hasMore };
  }

  async #accountOf(accountId: string | undefined): Promise<Account> {
    const { accountInUse, connections } = this.#deps;
    if (accountId !== undefined && accountId !== accountInUse.account?.id) {
      return (await connections.of(accountId)).account;
    }
    if (!accountInUse.account) {
      throw new SignedOutError();
    }
    return accountInUse.account;
  }

  /** The projects that the user is a member of, the newest first, without those that are archived. */
  async #projectsOf(accountId: string, signal: AbortSignal | undefined): Promise<Pages<ProjectRecord>> {
    const { client } = await this.#deps.connections.of(accountId);
    const parameters = { membership: true, simple: true, archived: false };
    return client.directory.projects({ parameters }, { perPage: projectsPerPage, signal });
  }
}

/** What is offered without a search. */
export interface ScopeOffers {
  readonly workspace: readonly WorkspaceProject[];
  readonly pins: readonly Pin[];
  /** The scope that is shown now. */
  readonly present: NotificationScope;
  /** The scopes with changes that were not saved. */
  readonly drafted: readonly NotificationScope[];
}

/** What was chosen: a scope, or a project of the workspace whose id has to be looked up. */
export type ChosenScope = NotificationScope | WorkspaceProject;

interface Line extends Description {
  readonly id: string;
  readonly chosen: ChosenScope;
}

/**
 * Lets the user choose whose settings to show: global, a project of the workspace, what is pinned, or any group or project, which
 * is searched for as they type.
 *
 * @returns undefined if they gave up.
 */
export async function pickScope(connection: Connection, offers: ScopeOffers): Promise<ChosenScope | undefined> {
  const { id: accountId } = connection.account;
  const found = (kind: 'project' | 'group', id: number, path: string, name: string): Line => {
    const chosen = { kind, accountId, id, path };
    const section = kind === 'project' ? t('projects') : t('groups');
    return { id: lineId(kind, accountId, path), chosen, label: path, description: name, icon: iconOf(kind), section };
  };
  const source = joinSources(async () => [
    mapSource(projectSource(connection), ({ id, path_with_namespace: path, name }) => found('project', id, path, name)),
    mapSource(groupSource(connection), ({ id, full_path: path, name }) => found('group', id, path, name)),
  ]);
  const offered = linesOf(accountId, offers);
  const line = await pick<Line>(source, {
    title: `${t('Notification Settings')} · ${t('Account: {0}', accountLabel(accountId))}`,
    accountId,
    placeholder: t('Choose a scope, or search by name, path, ID or web address'),
    icon: 'repo',
    offered: () => offered,
    describe: (one) => one,
  });
  return line?.chosen;
}

/** Tells lines apart. By the path, since of projects of the workspace no id is known: each scope has one line, wherever it comes from. */
function lineId(kind: NotificationScope['kind'], accountId: string, path: string): string {
  return [kind, accountId, path.toLowerCase()].join(' ');
}

function iconOf(kind: NotificationScope['kind']): string {
  return kind === 'global' ? 'globe' : kind === 'group' ? 'organization' : 'repo';
}

function linesOf(accountId: string, { workspace, pins, present, drafted }: ScopeOffers): Line[] {
  const shown = scopeKey(present);
  const lineOf = (scope: NotificationScope, section = ''): Line => ({
    id: lineId(scope.kind, scope.accountId, scope.kind === 'global' ? '' : scope.path),
    chosen: scope,
    label: scopeLabel(scope, vscode.l10n),
    description: scopeKey(scope) === shown ? t('shown now') : '',
    icon: iconOf(scope.kind),
    section,
  });
  return [
    lineOf({ kind: 'global', accountId }),
    ...workspace.map((project) => ({
      id: lineId('project', project.accountId, project.path),
      chosen: project,
      label: t('Project {0}', project.path),
      description: project.accountId === accountId ? '' : t('account: {0}', project.accountId),
      section: t('workspace'),
    })),
    ...pins.map(({ kind, id, path }) => lineOf({ kind, accountId, id, path }, t('pinned'))),
    ...drafted.filter((scope) => scope.kind !== 'global').map((scope) => lineOf(scope, t('unsaved changes'))),
  ];
}
