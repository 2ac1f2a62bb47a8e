import type * as vscode from 'vscode';
import type { Account } from '../../accounts/account.ts';
import { type AccountInUse, accountLabel } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { Connections } from '../../accounts/connections.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import type { Dsn } from '../dsn.ts';
import type { ErrorTrackingState, TrackedProjectFacts, ProjectStates } from '../projectStates.ts';
import type { TrackedProject, TrackedProjects } from '../trackedProjects.ts';

/** What is known of a DSN. */
export type DsnState =
  /** No account here is on the instance that it belongs to. */
  | { readonly kind: 'foreign' }
  /** The instance does not say: missing role, hidden project, failure. */
  | {
      readonly kind: 'untold';
      readonly project: TrackedProject;
      readonly error: unknown;
      readonly facts?: TrackedProjectFacts;
    }
  | {
      readonly kind: 'active' | 'inactive' | 'deleted';
      readonly project: TrackedProject;
      readonly facts: TrackedProjectFacts;
      readonly tracking: ErrorTrackingState;
      /** Undefined if it is deleted. */
      readonly key: ClientKeyRecord | undefined;
    };

/** The project of the workspace that a file belongs to, where its DSN is of another one on the same instance. */
export interface RightProject {
  readonly project: TrackedProject;
  readonly facts: TrackedProjectFacts;
  readonly tracking: ErrorTrackingState | undefined;
}

/** So many projects are asked about on account of DSNs; a file full of made-up ones is no reason for more. */
const mostProjects = 40;

/** Finds out what a DSN is worth, by the accounts of this editor. */
export class DsnStates {
  readonly #inUse: Pick<AccountInUse, 'account'>;
  readonly #store: Pick<AccountStore, 'all'>;
  readonly #connections: Pick<Connections, 'of'>;
  readonly #states: ProjectStates;
  readonly #projects: TrackedProjects;
  readonly #asked = new Set<string>();

  constructor(deps: {
    readonly inUse: Pick<AccountInUse, 'account'>;
    readonly store: Pick<AccountStore, 'all'>;
    readonly connections: Pick<Connections, 'of'>;
    readonly states: ProjectStates;
    readonly projects: TrackedProjects;
  }) {
    this.#inUse = deps.inUse;
    this.#store = deps.store;
    this.#connections = deps.connections;
    this.#states = deps.states;
    this.#projects = deps.projects;
  }

  /** Whether the key is there and active, asked of the instance where it is not known. */
  async of(dsn: Dsn): Promise<DsnState> {
    const account = await this.#accountOf(dsn);
    if (!account) {
      return { kind: 'foreign' };
    }
    const project = this.#projectOf(account.id, dsn.projectId);
    const name = `${account.id} ${dsn.projectId}`;
    if (!this.#asked.has(name) && this.#asked.size >= mostProjects) {
      return { kind: 'untold', project, error: undefined };
    }
    this.#asked.add(name);
    const { facts, tracking, error } = await this.#states.load(project);
    if (!facts || !tracking || error !== undefined) {
      return { kind: 'untold', project, error, ...(facts ? { facts } : {}) };
    }
    const key = tracking.keys.find((candidate) => candidate.public_key === dsn.publicKey);
    if (!key && tracking.unreadableKeys > 0) {
      return { kind: 'untold', project, error: undefined, facts };
    }
    return { kind: key ? (key.active ? 'active' : 'inactive') : 'deleted', project, facts, tracking, key };
  }

  /** The path of the project of a DSN; undefined if no account here reads it. */
  async pathOf(dsn: Dsn): Promise<string | undefined> {
    const state = await this.of(dsn);
    return state.kind === 'foreign' ? undefined : state.facts?.path;
  }

  /** The project whose DSN a file ought to have, if the one that it has is of another project. */
  async rightProjectFor(file: vscode.Uri, dsn: Dsn): Promise<RightProject | undefined> {
    const project = this.#projects.projectOf(file);
    const account = project && (await this.#accountOf(dsn));
    if (!project || account?.id !== project.accountId) {
      return undefined;
    }
    const { facts, tracking } = await this.#states.load(project);
    return facts && facts.id !== dsn.projectId ? { project, facts, tracking } : undefined;
  }

  /** The name of the account that a project is read and changed with; undefined where there is no other one. */
  accountLabel({ accountId }: TrackedProject): string | undefined {
    return this.#store.all.length > 1 ? accountLabel(accountId) : undefined;
  }

  /** The project as the view shows it, else by its number. */
  #projectOf(accountId: string, projectId: number): TrackedProject {
    const shown = this.#projects.all.find(
      (project) =>
        project.accountId === accountId &&
        (project.idOrPath === projectId || this.#states.get(project)?.facts?.id === projectId),
    );
    return shown ?? { place: 'pinned', accountId, idOrPath: projectId, path: String(projectId) };
  }

  /** The account on the instance that takes what is sent to a DSN; the one in use before the others. */
  async #accountOf({ origin }: Dsn): Promise<Account | undefined> {
    const { hostname } = new URL(origin);
    const { account: inUse } = this.#inUse;
    for (const account of [...(inUse ? [inUse] : []), ...this.#store.all]) {
      // The sandbox is on this computer alone, and not started for the sake of other DSNs.
      if (account.kind === 'sandbox' && hostname !== '127.0.0.1') {
        continue;
      }
      const instance =
        account.kind === 'sandbox' ? (await this.#connections.of(account.id)).instanceUrl : account.instanceUrl;
      const isLocal = hostname === '127.0.0.1' || hostname === 'localhost';
      if (isLocal ? new URL(instance).origin === origin : isOf(hostname, new URL(instance).hostname)) {
        return account;
      }
    }
    return undefined;
  }
}

/** Instances may take errors at a host below their own. */
function isOf(host: string, instanceHost: string): boolean {
  return host === instanceHost || host.endsWith(`.${instanceHost}`);
}
