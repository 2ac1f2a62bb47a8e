import { inspect } from 'node:util';
import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Pins } from '../accounts/pins.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import { type Commands, loadOnce } from '../common/commands.ts';
import type { Network } from '../network/network.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import { EditorDialogs } from './dialogs.ts';
import { ErrorTrackingView } from './errorTrackingView.ts';
import { DsnDrop } from './insertion/dragAndDrop.ts';
import { DsnLens, DsnStates } from './lens/dsnLens.ts';
import { ProjectStates } from './projectStates.ts';
import { RotationJournal } from './rotation/rotationJournal.ts';
import { TrackedProjects } from './trackedProjects.ts';

/** What error tracking needs of the other parts. */
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

/** Error tracking: its view, its commands and what it says about DSNs in files. */
export class ErrorTrackingFeature implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;
  /** Loads the commands whose ids begin with `beacon.errorTracking.`. */
  readonly load: () => Promise<Commands>;
  readonly view: Pick<ErrorTrackingView, 'shows' | 'show'>;

  constructor(parts: ErrorTrackingDeps) {
    const { accounts, accountInUse, connections, workspaceProjects, pins, network, files, memento, log } = parts;
    const dialogs = new EditorDialogs(log);
    const states = new ProjectStates(connections);
    const projects = new TrackedProjects(accountInUse, workspaceProjects, pins, states);
    const view = new ErrorTrackingView({
      ...{ accountInUse, connections, projects, states, pins, dialogs, log },
      targets: async () => (await loaded()).targets,
    });
    const dsnStates = new DsnStates({ inUse: accountInUse, store: accounts, connections, states, projects });
    const lens = new DsnLens({
      ...{ files, inUse: accountInUse, dsnStates, projectStates: states, projects, log },
      showCompleteness: (isComplete) => view.showCompleteness(isComplete),
    });
    const journal = new RotationJournal(memento);
    const loaded = loadOnce(async () => {
      const { errorTrackingCommands } = await import('./errorTrackingCommands.ts');
      return errorTrackingCommands({ projects, states, connections, network, files, dialogs, journal });
    });
    this.view = view;
    this.load = async () => ({ ...view.commands, ...(await loaded()).commands });
    this.#subscription = vscode.Disposable.from(lens, view, projects, states, DsnDrop.register());
    if (journal.all.length > 0) {
      loaded()
        .then(({ tellInterrupted }) => tellInterrupted())
        .catch((error: unknown) => log.error(inspect(error)));
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
