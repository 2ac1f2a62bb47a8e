import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Network } from '../accounts/network/network.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import type { Client } from '../api/client.ts';
import type { Commands } from '../commands.ts';
import type { Pins } from '../directory/pins.ts';
import { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import { EditorDialogs } from './dialogs.ts';
import { DsnDrop } from './insertion/dsnDrop.ts';
import { GitIgnoring } from './insertion/gitIgnoring.ts';
import { InsertCommands } from './insertion/insertCommands.ts';
import { KeyCommands } from './keys/keyCommands.ts';
import { DsnLens } from './lens/dsnLens.ts';
import { DsnStates } from './lens/dsnStates.ts';
import { EnvironmentMove } from './lens/environmentMove.ts';
import { ProjectStates } from './projectStates.ts';
import { RotationCommands } from './rotation/rotationCommands.ts';
import { RotationJournal } from './rotation/rotationJournal.ts';
import { SettingsCommands } from './settings/settingsCommands.ts';
import { Targets } from './targets.ts';
import { TrackedProjects } from './trackedProjects.ts';
import { ErrorTrackingView } from './tree/errorTrackingView.ts';
import { UsageSearch } from './usages.ts';
import { VerifyCommands } from './verify/verifyCommands.ts';

/** What error tracking needs of the other parts. */
export interface ErrorTrackingParts {
  readonly accounts: AccountStore;
  readonly accountInUse: AccountInUse;
  readonly connections: Connections;
  readonly workspaceProjects: WorkspaceProjects;
  readonly pins: Pins;
  readonly network: Network;
  /** Of the workspace. */
  readonly memento: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

/** Error tracking: its view, its commands and what it says about DSNs in files. */
export class ErrorTrackingFeature implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;
  readonly commands: Commands;

  constructor(parts: ErrorTrackingParts) {
    const { accounts, accountInUse, connections, workspaceProjects, pins, network, memento, log } = parts;
    const dialogs = new EditorDialogs(log);
    const states = new ProjectStates(connections);
    const projects = new TrackedProjects(accountInUse, workspaceProjects, pins, states);
    const targets = new Targets(projects, states, connections, dialogs);
    const files = new WorkspaceFiles();
    const usages = new UsageSearch(files);
    const view = new ErrorTrackingView({ accountInUse, connections, projects, states, pins, dialogs, log });
    const settings = new SettingsCommands(targets, states, dialogs);
    const keys = new KeyCommands(targets, states, usages, dialogs);
    const ignoring = new GitIgnoring(files, dialogs);
    const insertion = new InsertCommands(targets, ignoring, dialogs);
    const move = new EnvironmentMove(ignoring, dialogs);
    const dsnStates = new DsnStates({ inUse: accountInUse, store: accounts, connections, states, projects });
    const lens = new DsnLens(files, dsnStates, states, projects);
    const verify = new VerifyCommands(targets, (url) => network.carrierTo(url), dialogs);
    const journal = new RotationJournal(memento);
    const client = async (accountId: string): Promise<Client> => (await connections.of(accountId)).client;
    const rotation = new RotationCommands({ targets, states, usages, dialogs, journal, client });
    this.commands = {
      ...view.commands,
      ...settings.commands,
      ...keys.commands,
      ...insertion.commands,
      ...verify.commands,
      ...rotation.commands,
      ...move.commands,
    };
    this.#subscription = vscode.Disposable.from(lens, view, projects, states, DsnDrop.register());
    rotation.tellInterrupted();
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
