import type * as vscode from 'vscode';
import type { Account } from '../accounts/account.ts';
import type { App } from '../app.ts';
import type { Dsn } from './dsn.ts';
import type { KnownKey, KnownProject, ProjectState, Projects, TrackedProject } from './projects.ts';

export type DsnState =
  /** No account here is on the instance that it belongs to. */
  | { readonly kind: 'foreign' }
  /** The instance does not say: missing role, hidden project, failure. */
  | { readonly kind: 'unknown'; readonly project: TrackedProject; readonly state: ProjectState }
  | (KnownProject & { readonly kind: 'deleted' })
  | (KnownKey & { readonly kind: 'active' | 'inactive' });

/** At most this many projects are asked about on account of DSNs; a file full of made-up ones is no reason for more. */
const mostProjects = 40;

export class DsnStates {
  readonly #app: App;
  readonly #projects: Projects;
  readonly #asked = new Set<string>();

  constructor(app: App, projects: Projects) {
    this.#app = app;
    this.#projects = projects;
  }

  /** Whether the key is there and active, asked of the instance where it is not known. */
  async of(dsn: Dsn): Promise<DsnState> {
    const account = await this.#accountOf(dsn);
    if (!account) {
      return { kind: 'foreign' };
    }
    const project = this.#projects.find({ accountId: account.id, idOrPath: dsn.projectId });
    const name = `${account.id} ${dsn.projectId}`;
    if (!this.#asked.has(name) && this.#asked.size >= mostProjects) {
      return { kind: 'unknown', project, state: {} };
    }
    this.#asked.add(name);
    const state = await this.#projects.load(project);
    const { facts, tracking, error } = state;
    const key = tracking?.keys.find((candidate) => candidate.public_key === dsn.publicKey);
    if (!facts || !tracking || error !== undefined || (!key && tracking.unreadableKeys > 0)) {
      return { kind: 'unknown', project, state };
    }
    return key
      ? { kind: key.active ? 'active' : 'inactive', project, facts, tracking, key }
      : { kind: 'deleted', project, facts, tracking };
  }

  /** The project of the workspace whose DSN a file ought to have, if the one that it has is of another one on the same instance. */
  async rightProjectFor(file: vscode.Uri, dsn: Dsn): Promise<KnownProject | undefined> {
    const project = this.#projects.projectOf(file);
    if (!project || (await this.#accountOf(dsn))?.id !== project.accountId) {
      return undefined;
    }
    const { facts, tracking } = await this.#projects.load(project);
    return facts && tracking && facts.id !== dsn.projectId ? { project, facts, tracking } : undefined;
  }

  /** The account on the instance that takes what is sent to a DSN; the one in use before the others. */
  async #accountOf({ origin }: Dsn): Promise<Account | undefined> {
    const { hostname } = new URL(origin);
    const isLocal = hostname === '127.0.0.1' || hostname === 'localhost';
    const { account: inUse } = this.#app.accountInUse;
    for (const account of [...(inUse ? [inUse] : []), ...this.#app.accounts.all]) {
      // The sandbox is on this computer alone, and not started for the sake of other DSNs.
      if (account.kind === 'sandbox' && hostname !== '127.0.0.1') {
        continue;
      }
      const instance = new URL(
        account.kind === 'sandbox' ? (await this.#app.connections.of(account.id)).instanceUrl : account.instanceUrl,
      );
      // Instances may take errors at a host below their own.
      const isBelow = hostname === instance.hostname || hostname.endsWith(`.${instance.hostname}`);
      if (isLocal ? instance.origin === origin : isBelow) {
        return account;
      }
    }
    return undefined;
  }
}
