import * as vscode from 'vscode';
import type { InstanceAccount } from '../accounts/account.ts';
import { type Problem, showProblem } from '../accounts/problem.ts';
import type { LinkDialogs } from './linkHandler.ts';

/** Speaks with the person by the editor's own dialogs. */
export class EditorDialogs implements LinkDialogs {
  async confirm(question: string, detail: string, button: string): Promise<boolean> {
    return (await vscode.window.showInformationMessage(question, { modal: true, detail }, button)) === button;
  }

  async choose(title: string, accounts: readonly InstanceAccount[]): Promise<InstanceAccount | undefined> {
    const lines = accounts.map((account) => ({
      label: account.username,
      description: account.instanceUrl,
      iconPath: new vscode.ThemeIcon('account'),
      account,
    }));
    return (await vscode.window.showQuickPick(lines, { title }))?.account;
  }

  tell(problem: Problem): void {
    showProblem(problem);
  }
}
