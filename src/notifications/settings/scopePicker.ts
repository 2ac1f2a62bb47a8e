import * as vscode from 'vscode';
import { SignedOutError, UndecidedAccountError } from '../../accounts/account.ts';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { Connection, Connections } from '../../accounts/connections.ts';
import { groupSource, joinSources, mapSource, projectSource } from '../../accounts/directorySearch.ts';
import { type Description, pick } from '../../accounts/pickers.ts';
import type { Pin, Pins } from '../../accounts/pins.ts';
import type { WorkspaceProject, WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import { mapBounded, requestsAtOnce } from './engine.ts';
import { scopeLabel } from './labels.ts';
import { lookUp } from './scopeArgument.ts';
import { type NotificationScope, scopeKey } from './settings.ts';

/** A scope, and why it is of interest in this window. */
export interface FoundScope {
  readonly scope: NotificationScope;
  readonly place: 'global' | 'workspace' | 'pinned';
}

/** A project of the workspace that the instance does not show. */
export interface MissingScope {
  readonly path: string;
  readonly error: unknown;
}

export interface FoundScopes {
  /** The global settings of each account first, then the workspace's projects, then what is pinned. No repeats. */
  readonly found: readonly FoundScope[];
  readonly missing: readonly MissingScope[];
}

/** What a scope finder needs to know. */
export interface ScopeFinderDeps {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all'>;
  readonly pins: Pins;
  readonly connections: Pick<Connections, 'of' | 'current'>;
}

/** Finds the scopes that matter in this window: global settings, the workspace's projects, pinned projects and groups. */
export class ScopeFinder {
  readonly #deps: ScopeFinderDeps;

  constructor(deps: ScopeFinderDeps) {
    this.#deps = deps;
  }

  /** The account in use, on which the scopes are. */
  get accountId(): string | undefined {
    return this.#deps.accountInUse.account?.id;
  }

  /**
   * Finds the scopes; asks the instance for the ids of the workspace's projects.
   *
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async find(signal?: AbortSignal): Promise<FoundScopes> {
    const { accountInUse, workspaceProjects, pins, connections } = this.#deps;
    const { account } = accountInUse;
    if (!account) {
      throw accountInUse.state === 'undecided' ? new UndecidedAccountError() : new SignedOutError();
    }
    // The sandbox is a world of its own.
    const ofWorkspace = account.kind === 'sandbox' ? [] : workspaceProjects.all;
    const missing: MissingScope[] = [];
    const resolved = await mapBounded(ofWorkspace, requestsAtOnce, async ({ accountId, path }) => {
      try {
        return [await lookUp('project', path, await connections.of(accountId), signal)];
      } catch (error) {
        signal?.throwIfAborted();
        missing.push({ path, error });
        return [];
      }
    });
    const accountIds = [...new Set([account.id, ...resolved.flat().map(({ accountId }) => accountId)])];
    const all: FoundScope[] = [
      ...accountIds.map((accountId) => ({ scope: { kind: 'global', accountId }, place: 'global' }) as const),
      ...resolved.flat().map((scope) => ({ scope, place: 'workspace' }) as const),
      ...pins.of(account.id).map((scope) => ({ scope, place: 'pinned' }) as const),
    ];
    const keys = new Set<string>();
    return {
      found: all.filter(({ scope }) => !keys.has(scopeKey(scope)) && keys.add(scopeKey(scope))),
      missing,
    };
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
    const section = kind === 'project' ? vscode.l10n.t('projects') : vscode.l10n.t('groups');
    return { id: scopeKey(chosen), chosen, label: path, description: name, icon: iconOf(kind), section };
  };
  const source = joinSources(async () => [
    mapSource(projectSource(connection), ({ id, path_with_namespace: path, name }) => found('project', id, path, name)),
    mapSource(groupSource(connection), ({ id, full_path: path, name }) => found('group', id, path, name)),
  ]);
  const offered = linesOf(accountId, offers);
  const line = await pick<Line>(source, {
    title: vscode.l10n.t('Notification Settings'),
    placeholder: vscode.l10n.t('Choose a scope, or search projects and groups by name, path, ID or web address'),
    icon: 'repo',
    offered: () => offered,
    describe: (one) => one,
  });
  return line?.chosen;
}

function iconOf(kind: NotificationScope['kind']): string {
  return kind === 'global' ? 'globe' : kind === 'group' ? 'organization' : 'repo';
}

function linesOf(accountId: string, { workspace, pins, present, drafted }: ScopeOffers): Line[] {
  const shown = scopeKey(present);
  const lineOf = (scope: NotificationScope, section = ''): Line => ({
    id: scopeKey(scope),
    chosen: scope,
    label: scopeLabel(scope, vscode.l10n),
    description: scopeKey(scope) === shown ? vscode.l10n.t('shown now') : '',
    icon: iconOf(scope.kind),
    section,
  });
  return [
    lineOf({ kind: 'global', accountId }),
    ...workspace.map((project) => ({
      id: `workspace ${project.accountId} ${project.path}`,
      chosen: project,
      label: vscode.l10n.t('Project {0}', project.path),
      description: project.accountId === accountId ? '' : vscode.l10n.t('account: {0}', project.accountId),
      section: vscode.l10n.t('workspace'),
    })),
    ...pins.map(({ kind, id, path }) => lineOf({ kind, accountId, id, path }, vscode.l10n.t('pinned'))),
    ...drafted
      .filter((scope) => scope.kind !== 'global')
      .map((scope) => lineOf(scope, vscode.l10n.t('unsaved changes'))),
  ];
}
