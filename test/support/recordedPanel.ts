import * as vscode from 'vscode';

/** Closes all tabs, without a question about documents that nobody saved: they would be in the way of other tests. */
export async function closeTabs(): Promise<void> {
  while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}
