import * as vscode from 'vscode';
import { confirm, showQuickPick } from '../common/inertWindow.ts';
import type { InstanceAccount } from '../accounts/account.ts';
import { showProblem } from '../accounts/problem.ts';
import type { LinkDialogs } from './linkHandler.ts';

/** Speaks with the person by the editor's own dialogs. */
export class EditorDialogs implements LinkDialogs {
  readonly confirm = confirm;
  readonly tell = showProblem;

  async choose(title: string, accounts: readonly InstanceAccount[]): Promise<InstanceAccount | undefined> {
    const lines = accounts.map((account) => ({
      label: account.username,
      description: account.instanceUrl,
      iconPath: new vscode.ThemeIcon('account'),
      account,
    }));
    return (await showQuickPick(lines, { title }))?.account;
  }
}
