import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Pins } from '../accounts/pins.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import type { Network } from '#platform/network.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import { type Commands, LazyService, loadOnce } from '../common/commands.ts';
import type { LoadedTree } from '../common/trees.ts';
import type { errorTrackingCommands } from './errorTrackingCommands.ts';
import type { ErrorTrackingNode, ErrorTrackingTree } from './errorTrackingTree.ts';
import { ErrorTrackingView } from './errorTrackingView.ts';
import type { KeyFacts } from './keyFacts.ts';
import { DsnLens } from './lens/dsnLens.ts';
import { DsnStates } from './lens/dsnStates.ts';
import { ProjectStates } from './projectStates.ts';
import type { RotationJournal } from './rotation/rotationJournal.ts';
import { TrackedProjects } from './trackedProjects.ts';

/** The dependencies of error tracking. */
export interface ErrorTrackingDeps {
  readonly accounts: AccountStore;
  readonly accountInUse: AccountInUse;
  readonly connections: Connections;
  readonly workspaceProjects: WorkspaceProjects;
  readonly pins: Pins;
  readonly network: () => Promise<Network>;
  readonly files: WorkspaceFiles;
  /** Of the workspace. */
  readonly memento: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

/** What error tracking is built from once it is needed. */
export class ErrorTrackingServices implements vscode.Disposable {
  readonly view: ErrorTrackingView;
  readonly lens: DsnLens;
  readonly #subscription: vscode.Disposable;
  readonly #loadCommands: () => Promise<ReturnType<typeof errorTrackingCommands>>;
  readonly #keyFacts: LazyService<KeyFacts>;

  constructor(
    deps: ErrorTrackingDeps,
    journal: RotationJournal,
    tree: LoadedTree<ErrorTrackingNode, ErrorTrackingTree>,
    treeView: vscode.TreeView<ErrorTrackingNode>,
  ) {
    const { accounts, accountInUse, connections, workspaceProjects, pins, network, files, log } = deps;
    const dialogs = loadOnce(async () => {
      const { EditorDialogs } = await import('../accounts/dialogs.ts');
      return new EditorDialogs(log, 'beacon.errorTracking');
    });
    const states = new ProjectStates(connections);
    const projects = new TrackedProjects(accountInUse, workspaceProjects, pins, states);
    this.#keyFacts = new LazyService(async () => {
      const { KeyFacts: Facts } = await import('./keyFacts.ts');
      return new Facts({ memento: deps.memento, index: () => this.lens.index() });
    });
    const { load: keyFacts } = this.#keyFacts;
    this.#loadCommands = loadOnce(async () => {
      const { errorTrackingCommands } = await import('./errorTrackingCommands.ts');
      return errorTrackingCommands({
        ...{ projects, states, accounts, accountInUse, connections, pins, network, files, journal, log },
        dialogs: await dialogs(),
        keyFacts: await keyFacts(),
        dsnStates,
      });
    });
    this.view = new ErrorTrackingView({
      ...{ accounts, accountInUse, connections, projects, states, pins, dialogs, journal, keyFacts, log, tree },
      view: treeView,
    });
    const dsnStates = new DsnStates({ inUse: accountInUse, store: accounts, connections, states, projects });
    this.lens = new DsnLens({
      ...{ files, inUse: accountInUse, dsnStates, projectStates: states, projects, log },
      showCompleteness: (isComplete) => this.view.showCompleteness(isComplete),
    });
    this.#subscription = vscode.Disposable.from(this.#keyFacts, this.lens, this.view, projects, states);
  }

  /** Loads the commands whose ids begin with `beacon.errorTracking.`. */
  async load(): Promise<Commands> {
    return { ...this.view.commands, ...(await this.#loadCommands()).commands };
  }

  /** Says which rotations were interrupted. */
  async notifyInterrupted(): Promise<void> {
    (await this.#loadCommands()).notifyInterrupted();
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
