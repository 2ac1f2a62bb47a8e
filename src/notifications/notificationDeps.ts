import type * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { Connections } from '../accounts/connections.ts';
import type { Pins } from '../accounts/pins.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';

/** The dependencies of notification settings. */
export interface FormDeps {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'onDidChange'>;
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current'>;
  readonly pins: Pick<Pins, 'of'>;
  /** Shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

/** What the notification settings of many scopes are built on. */
export interface BulkNotificationsDeps {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state' | 'onDidChange'>;
  readonly connections: Pick<Connections, 'of' | 'current'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'onDidChange'>;
  readonly pins: Pins;
  readonly log: vscode.LogOutputChannel;
  /** Shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  /** A folder that is shared by all windows. */
  readonly globalStorageUri: vscode.Uri;
}
