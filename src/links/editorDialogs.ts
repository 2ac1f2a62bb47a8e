import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/account.ts';
import { showProblem } from '../accounts/problem.ts';
import { inertText } from '../plainText.ts';
import { confirm } from '../views/messages.ts';
import type { LinkDialogs } from './linkHandler.ts';

/** Speaks with the person by the editor's own dialogs. */
export class EditorDialogs implements LinkDialogs {
  readonly confirm = confirm;
  readonly tell = showProblem;

  async choose(title: string, accounts: readonly InstanceAccount[]): Promise<InstanceAccount | undefined> {
    const lines = accounts.map((account) => ({
      label: inertText(account.username),
      description: account.instanceUrl,
      iconPath: new vscode.ThemeIcon('account'),
      account,
    }));
    return (await vscode.window.showQuickPick(lines, { title }))?.account;
  }
}
