import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { Connections } from '../../accounts/connections.ts';
import { SignedOutError } from '../../accounts/signedOutError.ts';
import { UndecidedAccountError } from '../../accounts/undecidedAccountError.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import type { Pins } from '../../directory/pins.ts';
import { type NotificationScope, scopeKey } from '../model/scope.ts';
import { mapBounded } from './bounded.ts';

/** How many requests are under way at once. */
export const requestsAtOnce = 4;

/** A scope, and why it is of interest in this window. */
export interface FoundScope {
  readonly scope: NotificationScope;
  readonly place: 'global' | 'workspace' | 'pinned';
}

/** A project of the workspace of which the instance told nothing. */
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
export interface ScopeSources {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all'>;
  readonly pins: Pins;
  readonly connections: Pick<Connections, 'of' | 'current'>;
}

/** Finds the scopes that matter in this window: global settings, the workspace's projects, pinned projects and groups. */
export class ScopeFinder {
  readonly #sources: ScopeSources;

  constructor(sources: ScopeSources) {
    this.#sources = sources;
  }

  /** The account in use, on which the scopes are. */
  get accountId(): string | undefined {
    return this.#sources.accountInUse.account?.id;
  }

  /**
   * Finds the scopes; asks the instance for the ids of the workspace's projects.
   *
   * @throws UndecidedAccountError or SignedOutError if no account is in use.
   */
  async find(signal?: AbortSignal): Promise<FoundScopes> {
    const { accountInUse, workspaceProjects, pins } = this.#sources;
    const { account } = accountInUse;
    if (!account) {
      throw accountInUse.state === 'undecided' ? new UndecidedAccountError() : new SignedOutError();
    }
    // The sandbox is a world of its own.
    const ofWorkspace = account.kind === 'sandbox' ? [] : workspaceProjects.all;
    const missing: MissingScope[] = [];
    const resolved = await mapBounded(ofWorkspace, requestsAtOnce, async ({ accountId, path }) => {
      try {
        return [await this.#resolve(accountId, path, signal)];
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

  async #resolve(
    accountId: string,
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<NotificationScope & { kind: 'project' }> {
    const { client } = await this.#sources.connections.of(accountId);
    const { id, path_with_namespace } = await client.directory.project(path, { signal });
    return { kind: 'project', accountId, id, path: path_with_namespace };
  }
}
