import { inspect } from 'node:util';
import * as vscode from 'vscode';
import type { Account } from '../../accounts/account.ts';
import type { AccountInUse } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import type { Connections } from '../../accounts/connections.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import { loadOnce } from '../../common/commands.ts';
import type { WorkspaceFiles } from '../../workspace/files.ts';
import type { Dsn } from '../dsn.ts';
import type { ErrorTrackingState, ProjectFacts, ProjectStates } from '../projectStates.ts';
import type { TrackedProject, TrackedProjects } from '../trackedProjects.ts';
import type { DsnIndex } from './dsnIndex.ts';
import type { DsnQuickFixes } from './dsnQuickFixes.ts';

/** What is known of a DSN. */
export type DsnState =
  /** No account here is on the instance that it belongs to. */
  | { readonly kind: 'foreign' }
  /** The instance does not tell: missing role, hidden project, failure. */
  | {
      readonly kind: 'untold';
      readonly project: TrackedProject;
      readonly error: unknown;
      readonly facts?: ProjectFacts;
    }
  | {
      readonly kind: 'active' | 'inactive' | 'deleted';
      readonly project: TrackedProject;
      readonly facts: ProjectFacts;
      readonly tracking: ErrorTrackingState;
      /** Undefined if it is deleted. */
      readonly key: ClientKeyRecord | undefined;
    };

/** The project of the workspace that a file belongs to, where its DSN is of another one on the same instance. */
export interface RightProject {
  readonly project: TrackedProject;
  readonly facts: ProjectFacts;
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

  constructor(parts: {
    readonly inUse: Pick<AccountInUse, 'account'>;
    readonly store: Pick<AccountStore, 'all'>;
    readonly connections: Pick<Connections, 'of'>;
    readonly states: ProjectStates;
    readonly projects: TrackedProjects;
  }) {
    this.#inUse = parts.inUse;
    this.#store = parts.store;
    this.#connections = parts.connections;
    this.#states = parts.states;
    this.#projects = parts.projects;
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

/** What the lens depends on. */
export interface DsnLensDeps {
  readonly files: WorkspaceFiles;
  readonly inUse: Pick<AccountInUse, 'state' | 'onDidChange'>;
  readonly dsnStates: DsnStates;
  readonly projectStates: ProjectStates;
  readonly projects: TrackedProjects;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'error'>;
  /** Says whether all files were searched. */
  readonly showCompleteness: (isComplete: boolean) => void;
}

/**
 * Recognizes DSNs in the workspace's files: says what they are, what is wrong with them, and fixes it. While nobody is signed
 * in, and in a workspace that is not trusted, no file is searched.
 */
export class DsnLens implements vscode.Disposable {
  readonly #deps: DsnLensDeps;
  readonly #subscriptions: vscode.Disposable[];
  readonly #index = loadOnce(() => this.#loadIndex());
  readonly #hover = loadOnce(async () => new (await import('./dsnHover.ts')).DsnHover(this.#deps.dsnStates));
  readonly #fixes = loadOnce(async () => new (await import('./dsnQuickFixes.ts')).DsnQuickFixes(this.#deps.dsnStates));
  #isOn = false;
  #isDisposed = false;

  constructor(deps: DsnLensDeps) {
    this.#deps = deps;
    this.#subscriptions = [
      deps.inUse.onDidChange(() => this.#follow()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#follow()),
    ];
    this.#follow();
  }

  /** Says what the DSN at a place is, whoever is signed in. */
  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    return await (await this.#hover()).provideHover(document, position);
  }

  /** The quick fixes for problems of DSNs. */
  async provideCodeActions(
    ...args: Parameters<DsnQuickFixes['provideCodeActions']>
  ): Promise<Awaited<ReturnType<DsnQuickFixes['provideCodeActions']>>> {
    return await (await this.#fixes()).provideCodeActions(...args);
  }

  dispose(): void {
    this.#isDisposed = true;
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Searches files, or no longer does. */
  #follow(): void {
    const { inUse, log } = this.#deps;
    const isOn = inUse.state !== 'none' && vscode.workspace.isTrusted;
    if (isOn === this.#isOn) {
      return;
    }
    this.#isOn = isOn;
    log.info(isOn ? 'DSNs are looked for.' : 'DSNs are no longer looked for: nobody is signed in.');
    this.#index()
      .then((index) => (this.#isOn ? index.start() : index.stop()))
      .catch((error: unknown) => log.error(inspect(error)));
  }

  /** What searches and shows, which windows do not need in which nobody is signed in. */
  async #loadIndex(): Promise<DsnIndex> {
    const [{ DsnIndex: Index }, { DsnDiagnostics }] = await Promise.all([
      import('./dsnIndex.ts'),
      import('./dsnDiagnostics.ts'),
    ]);
    const { files, dsnStates, projectStates, projects, showCompleteness } = this.#deps;
    const index = new Index(files);
    const diagnostics = new DsnDiagnostics(index, dsnStates, projectStates, projects);
    this.#subscriptions.push(index, diagnostics, index.onDidChangeCompleteness(showCompleteness));
    if (this.#isDisposed) {
      this.dispose();
      throw new Error('The window is closing.');
    }
    return index;
  }
}
