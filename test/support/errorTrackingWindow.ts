import * as vscode from 'vscode';
import { type Account, type InstanceAccount, sandboxAccount, SignedOutError } from '../../src/accounts/account.ts';
import type { Connection } from '../../src/accounts/connections.ts';
import { Pins } from '../../src/accounts/pins.ts';
import type { WorkspaceProject } from '../../src/accounts/workspaceProjects.ts';
import { createClient } from '../../src/api/client.ts';
import { type ErrorTrackingNode, ErrorTrackingTree } from '../../src/errorTracking/errorTrackingTree.ts';
import { KeyFacts } from '../../src/errorTracking/keyFacts.ts';
import { ProjectStates } from '../../src/errorTracking/projectStates.ts';
import { RotationJournal } from '../../src/errorTracking/rotation/rotationJournal.ts';
import { TargetResolver } from '../../src/errorTracking/targets.ts';
import { type TrackedProject, TrackedProjects } from '../../src/errorTracking/trackedProjects.ts';
import type { FileDsns } from '../../src/errorTracking/lens/dsnIndex.ts';
import type { DsnUsage, KeyPlaces } from '../../src/errorTracking/usages.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox/sandbox.ts';
import { MemoryMemento } from './editorState.ts';
import { ScriptedDialogs } from './scriptedDialogs.ts';

/** Where a key is used, as a search that left nothing out tells. */
export function placesOf(dsns: readonly DsnUsage[] = [], rest: Partial<KeyPlaces> = {}): KeyPlaces {
  return { dsns, byHand: [], gaps: [], ...rest };
}

/** The services of error tracking in a window that is signed in to its own sandbox instance. */
export class ErrorTrackingWindow {
  readonly sandbox: Sandbox;
  readonly dialogs = new ScriptedDialogs();
  readonly pins = new Pins(new MemoryMemento());
  readonly account: Account = { ...sandboxAccount };
  readonly states: ProjectStates;
  readonly projects: TrackedProjects;
  readonly targets: TargetResolver;
  readonly tree: ErrorTrackingTree;
  readonly memento = new MemoryMemento();
  /** The accounts that are kept; a test that needs another one adds it. */
  readonly accounts: { all: InstanceAccount[] } = { all: [] };
  readonly journal = new RotationJournal(this.memento);
  /** The DSNs in the files of the workspace. */
  dsns: readonly FileDsns[] = [];
  readonly keyFacts = new KeyFacts({
    memento: this.memento,
    index: async () => ({ all: this.dsns, onDidChange: () => new vscode.Disposable(() => undefined) }),
  });
  readonly workspace: { all: WorkspaceProject[]; current: WorkspaceProject | undefined; whenKnown: Promise<void> };
  readonly #accountChanged = new vscode.EventEmitter<void>();
  readonly #workspaceChanged = new vscode.EventEmitter<void>();
  readonly #connection: Connection;
  signedIn = true;
  readonly connections: { of(accountId: string): Promise<Connection>; current(): Promise<Connection> };
  readonly inUse: { readonly account: Account | undefined; readonly onDidChange: vscode.Event<void> };
  /** Those that the account is known to have; undefined as for a token that does not tell. */
  scopes: readonly string[] | undefined;

  private constructor(sandbox: Sandbox, token: string, retries: number) {
    this.sandbox = sandbox;
    const client = createClient({ instanceUrl: sandbox.url, token, retries });
    this.#connection = { account: this.account, instanceUrl: sandbox.url, client };
    const connections = (this.connections = { of: () => this.connection(), current: () => this.connection() });
    const accountInUse = (): Account | undefined => this.#instanceAccount;
    this.inUse = {
      get account(): Account | undefined {
        return accountInUse();
      },
      onDidChange: this.#accountChanged.event,
    };
    this.workspace = { all: [], current: undefined, whenKnown: Promise.resolve() };
    const workspace = Object.assign(this.workspace, { onDidChange: this.#workspaceChanged.event });
    this.states = new ProjectStates(connections);
    this.projects = new TrackedProjects(this.inUse, workspace, this.pins, this.states);
    const { projects, states, dialogs, keyFacts, journal } = this;
    this.targets = new TargetResolver({
      ...{ projects, states, connections, dialogs, keyFacts },
      ...{ accounts: this.accounts, accountInUse: this.inUse },
    });
    this.tree = new ErrorTrackingTree({
      ...{ accounts: this.accounts, projects, states, journal, keyFacts },
      load: (project) => this.states.load(project),
    });
  }

  /** An instance's account, because that of the embedded sandbox has no projects in a workspace. */
  get #instanceAccount(): Account | undefined {
    return this.signedIn
      ? {
          kind: 'instance',
          id: this.account.id,
          instanceUrl: this.sandbox.url,
          username: '',
          scopes: this.scopes,
          tokenStoredAt: 1,
        }
      : undefined;
  }

  /** @param username whose token the window uses; `marta` owns everything. */
  static async open(
    username = 'marta',
    { scopes = ['api'], retries = 0, ...options }: SandboxOptions & { scopes?: string[]; retries?: number } = {},
  ): Promise<ErrorTrackingWindow> {
    const sandbox = await startSandbox({ liveEvents: false, ...options });
    return new ErrorTrackingWindow(sandbox, sandbox.control.makeToken(username, { scopes }), retries);
  }

  async connection(): Promise<Connection> {
    if (!this.signedIn) {
      throw new SignedOutError();
    }
    return { ...this.#connection, account: this.#instanceAccount ?? this.account };
  }

  /** Pins a project; answers with what the view shows of it. */
  async pin(path: string, id?: number): Promise<TrackedProject> {
    const { client } = this.#connection;
    const known = id ?? (await client.directory.project(path)).id;
    await this.pins.add({ kind: 'project', accountId: this.account.id, id: known, path });
    return this.#shown(path);
  }

  /** Opens a repository whose remote leads to a project. */
  openRepository(path: string, folder: vscode.Uri, accountId: string = this.account.id): TrackedProject {
    this.workspace.current = { accountId, path, folder };
    this.workspace.all.push(this.workspace.current);
    this.#workspaceChanged.fire();
    return this.#shown(path);
  }

  /** What the tree shows below a project, line by line: label, description in brackets. */
  async lines(project: TrackedProject): Promise<string[]> {
    return (await this.nodes(project)).map((node) => {
      const { label, description } = this.tree.getTreeItem(node);
      return typeof description === 'string' && description !== ''
        ? `${label as string} [${description}]`
        : (label as string);
    });
  }

  async nodes(project: TrackedProject): Promise<ErrorTrackingNode[]> {
    const roots = await this.tree.getChildren();
    const root = roots.find((node) => node.project.path === project.path);
    return root ? await this.tree.getChildren(root) : [];
  }

  async close(): Promise<void> {
    this.tree.dispose();
    this.keyFacts.dispose();
    this.projects.dispose();
    this.states.dispose();
    await this.#connection.client.close();
    await this.sandbox.close();
  }

  #shown(path: string): TrackedProject {
    const shown = this.projects.all.find((project) => project.path === path);
    if (!shown) {
      throw new Error(`${path} is not shown`);
    }
    return shown;
  }
}
