import * as vscode from 'vscode';
import { SignedOutError, UndecidedAccountError } from '../../accounts/account.ts';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { Connection, Connections } from '../../accounts/connections.ts';
import { pickGroup, pickProject } from '../../accounts/pickers.ts';
import type { Pin, Pins } from '../../accounts/pins.ts';
import type { WorkspaceProject, WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import type { ProjectRecord } from '../../api/directory.ts';
import type { Pages } from '../../api/pagination.ts';
import { isRecognized } from '../../api/unrecognized.ts';
import { createQuickPick } from '../../common/inertWindow.ts';
import { mapBounded, requestsAtOnce } from './engine.ts';
import { scopeLabel } from './labels.ts';
import { type LocatedScope, lookUp } from './scopeArgument.ts';
import { type NotificationScope, scopeKey } from './settings.ts';

/** Why a scope is of interest in this window; a parent is a group that others inherit from. */
export type ScopePlace = 'global' | 'workspace' | 'pinned' | 'member' | 'parent';

export function placeLabel(place: ScopePlace): string {
  switch (place) {
    case 'global':
      return vscode.l10n.t('account');
    case 'workspace':
      return vscode.l10n.t('workspace');
    case 'pinned':
      return vscode.l10n.t('pinned');
    case 'member':
      return vscode.l10n.t('your project');
    case 'parent':
      return vscode.l10n.t('parent group');
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
  /** The global settings of each account first, then the workspace's projects, what is pinned, the user's projects. No repeats. */
  readonly found: readonly FoundScope[];
  readonly missing: readonly MissingScope[];
  /** Whether the user is a member of more projects than were asked for. */
  readonly hasMore: boolean;
}

/** How scopes are looked for. */
export interface FindOptions {
  readonly signal?: AbortSignal | undefined;
  /** How many of the projects that the user is a member of are found as well, at most. */
  readonly projects?: number | undefined;
}

/** What a scope finder needs to know. */
export interface ScopeFinderDeps {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all'>;
  readonly pins: Pins;
  readonly connections: Pick<Connections, 'of' | 'current'>;
}

const projectsPerPage = 100;

/** Finds the scopes that matter in this window: global settings, projects of the workspace and of the user, what is pinned. */
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
   * Finds the scopes; asks the instance for the ids of the workspace's projects, and for those of the user.
   *
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async find({ signal, projects = 0 }: FindOptions = {}): Promise<FoundScopes> {
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
      missing.push({ path: vscode.l10n.t('Your projects'), error });
    }
    const accountIds = [...new Set([account.id, ...resolved.flat().map(({ accountId }) => accountId)])];
    const all: FoundScope[] = [
      ...accountIds.map((accountId) => ({ scope: { kind: 'global', accountId }, place: 'global' }) as const),
      ...resolved.flat().map((scope) => ({ scope, place: 'workspace' }) as const),
      ...pins.of(account.id).map((scope) => ({ scope, place: 'pinned' }) as const),
      ...own.slice(0, projects).map((scope) => ({ scope, place: 'member' }) as const),
    ];
    const keys = new Set<string>();
    return {
      found: all.filter(({ scope }) => !keys.has(scopeKey(scope)) && keys.add(scopeKey(scope))),
      missing,
      hasMore,
    };
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

interface Line extends vscode.QuickPickItem {
  readonly chosen?: ChosenScope;
  readonly search?: 'project' | 'group';
}

/**
 * Lets the user choose whose settings to show: global, a project of the workspace, what is pinned, or any group or project
 * that is searched for.
 *
 * @returns undefined if they gave up.
 */
export async function pickScope(connection: Connection, offers: ScopeOffers): Promise<ChosenScope | undefined> {
  const title = vscode.l10n.t('Notification Settings');
  const { line, text } = await pickLine(title, linesOf(connection.account.id, offers));
  if (line?.search === 'project') {
    return await pickProject(connection, { title, text });
  }
  if (line?.search === 'group') {
    return await pickGroup(connection, { title, text });
  }
  return line?.chosen;
}

/** Lets the user choose a line; what they typed meanwhile is where a search goes on. */
async function pickLine(title: string, lines: readonly Line[]): Promise<{ line: Line | undefined; text: string }> {
  const picker = createQuickPick<Line>();
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Choose the global settings, a group or a project');
  picker.matchOnDescription = true;
  picker.items = lines;
  const { promise: chosen, resolve } = Promise.withResolvers<Line | undefined>();
  picker.onDidAccept(() => resolve(picker.selectedItems[0]));
  picker.onDidHide(() => resolve(undefined));
  picker.show();
  try {
    const line = await chosen;
    return { line, text: picker.value };
  } finally {
    picker.dispose();
  }
}

function linesOf(accountId: string, { workspace, pins, present, drafted }: ScopeOffers): Line[] {
  const shown = scopeKey(present);
  const lineOf = (scope: NotificationScope): Line => ({
    label: scopeLabel(scope, vscode.l10n),
    iconPath: new vscode.ThemeIcon(
      scope.kind === 'global' ? 'globe' : scope.kind === 'group' ? 'organization' : 'repo',
    ),
    description: scopeKey(scope) === shown ? vscode.l10n.t('shown now') : '',
    chosen: scope,
  });
  const section = (label: string, lines: readonly Line[]): Line[] =>
    lines.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...lines] : [];
  return [
    lineOf({ kind: 'global', accountId }),
    ...section(
      vscode.l10n.t('workspace'),
      workspace.map((project) => ({
        label: vscode.l10n.t('Project {0}', project.path),
        iconPath: new vscode.ThemeIcon('repo'),
        description: project.accountId === accountId ? '' : vscode.l10n.t('account: {0}', project.accountId),
        chosen: project,
      })),
    ),
    ...section(
      vscode.l10n.t('pinned'),
      pins.map(({ kind, id, path }) => lineOf({ kind, accountId, id, path })),
    ),
    ...section(vscode.l10n.t('unsaved changes'), drafted.filter((scope) => scope.kind !== 'global').map(lineOf)),
    ...section(vscode.l10n.t('search'), [
      {
        label: vscode.l10n.t('Search Projects…'),
        iconPath: new vscode.ThemeIcon('search'),
        search: 'project',
        alwaysShow: true,
      },
      {
        label: vscode.l10n.t('Search Groups…'),
        iconPath: new vscode.ThemeIcon('search'),
        search: 'group',
        alwaysShow: true,
      },
    ]),
  ];
}
