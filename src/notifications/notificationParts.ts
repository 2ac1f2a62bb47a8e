import type * as vscode from 'vscode';
import type { AccountInUse } from '../accounts/accountInUse.ts';
import type { Connections } from '../accounts/connections.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import type { Pins } from '../directory/pins.ts';

/** What notification settings need of the other parts. */
export interface NotificationParts {
  readonly accountInUse: Pick<AccountInUse, 'account' | 'onDidChange'>;
  readonly connections: Pick<Connections, 'current' | 'of'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current'>;
  readonly pins: Pick<Pins, 'of'>;
  /** Shared by all windows. */
  readonly globalState: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}
