import * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { Connections } from '../accounts/connections.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import type { Commands } from '../commands.ts';
import type { Pins } from '../directory/pins.ts';
import { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import { EditorDialogs } from './dialogs.ts';
import { KeyCommands } from './keys/keyCommands.ts';
import { ProjectStates } from './projectStates.ts';
import { SettingsCommands } from './settings/settingsCommands.ts';
import { Targets } from './targets.ts';
import { TrackedProjects } from './trackedProjects.ts';
import { ErrorTrackingView } from './tree/errorTrackingView.ts';
import { UsageSearch } from './usages.ts';

/** What error tracking needs of the other parts. */
export interface ErrorTrackingParts {
  readonly accountInUse: AccountInUse;
  readonly connections: Connections;
  readonly workspaceProjects: WorkspaceProjects;
  readonly pins: Pins;
  readonly log: vscode.LogOutputChannel;
}

/** Error tracking: its view, its commands and what it says about DSNs in files. */
export class ErrorTrackingFeature implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;
  readonly commands: Commands;

  constructor({ accountInUse, connections, workspaceProjects, pins, log }: ErrorTrackingParts) {
    const dialogs = new EditorDialogs(log);
    const states = new ProjectStates(connections);
    const projects = new TrackedProjects(accountInUse, workspaceProjects, pins, states);
    const targets = new Targets(projects, states, connections, dialogs);
    const usages = new UsageSearch(new WorkspaceFiles());
    const view = new ErrorTrackingView({ accountInUse, connections, projects, states, pins, dialogs, log });
    const settings = new SettingsCommands(targets, states, dialogs);
    const keys = new KeyCommands(targets, states, usages, dialogs);
    this.commands = { ...view.commands, ...settings.commands, ...keys.commands };
    this.#subscription = vscode.Disposable.from(view, projects, states);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
