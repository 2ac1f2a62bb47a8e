import type { Network } from '#platform/routes.ts';
import type * as vscode from 'vscode';
import type { AccountInUse } from './accounts/accountInUse.ts';
import type { AccountStore } from './accounts/accountStore.ts';
import type { Connections } from './accounts/connections.ts';
import type { Pins } from './accounts/pins.ts';
import type { WorkspaceProjects } from './accounts/workspaceProjects.ts';
import type { Clock } from './common/clock.ts';
import type { WorkspaceRemotes } from './workspace/remotes.ts';

/** What a window has once; every feature takes it. */
export interface App {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  /** What is kept for all windows; a value of another kind than its default counts as none. */
  readonly globalState: vscode.Memento;
  /** What is kept for this workspace. */
  readonly workspaceState: vscode.Memento;
  readonly accounts: AccountStore;
  readonly accountInUse: AccountInUse;
  readonly connections: Connections;
  readonly remotes: WorkspaceRemotes;
  readonly workspaceProjects: WorkspaceProjects;
  readonly pins: Pins;
  /** Routes and certificates. */
  readonly network: Network;
}
