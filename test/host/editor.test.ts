import * as vscode from 'vscode';
import { type Act, describeTruth } from './editorTruth.ts';

const commands: Readonly<Record<Act, string>> = {
  accept: 'workbench.action.acceptSelectedQuickOpenItem',
  close: 'workbench.action.closeQuickOpen',
  press: 'notification.acceptPrimaryAction',
  clear: 'notifications.clearAll',
};

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
    act: async (act) => {
      // What is open is there once the window shows it: it is told of it before.
      await vscode.commands.executeCommand('setContext', 'truth', true);
      await vscode.commands.executeCommand(commands[act]);
    },
  });
});
