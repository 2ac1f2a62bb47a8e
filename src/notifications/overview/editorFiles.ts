import * as vscode from 'vscode';
import { SettingsFileError } from './settingsFile.ts';
import type { Files } from './transfer.ts';

/** No file of notification settings comes near this many bytes. */
const mostBytes = 10_000_000;

/** Files that the person chooses in the editor. */
export class EditorFiles implements Files {
  async save(suggestedName: string, text: string): Promise<boolean> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const uri = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export Notification Settings'),
      filters: { JSON: ['json'] },
      ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, suggestedName) } : {}),
    });
    if (uri) {
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    }
    return uri !== undefined;
  }

  async open(): Promise<string | undefined> {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Import Notification Settings'),
        filters: { JSON: ['json'] },
      })) ?? [];
    if (!uri) {
      return undefined;
    }
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > mostBytes) {
      throw new SettingsFileError([{ kind: 'excessive' }]);
    }
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  }
}
