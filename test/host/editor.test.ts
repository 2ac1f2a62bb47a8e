import * as vscode from 'vscode';
import { describeTruth } from './editorTruth.ts';

describe('the editor is as its stand-in is', () => {
  describeTruth({
    context: async () => {
      const extension = vscode.extensions.getExtension<vscode.ExtensionContext>('beacon-gitlab.truth');
      if (!extension) {
        throw new Error('The extension of these tests is not installed');
      }
      return await extension.activate();
    },
    within: (run) => run(),
    accept: () => inInput('workbench.action.acceptSelectedQuickOpenItem'),
    close: () => inInput('workbench.action.closeQuickOpen'),
    press: () => inInput('notification.acceptPrimaryAction'),
    clear: () => inInput('notifications.clearAll'),
  });
});

/** Runs a command of the input or message that is open, once the window shows it: it is told of it before. */
async function inInput(command: string): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'truth', true);
  await vscode.commands.executeCommand(command);
}
