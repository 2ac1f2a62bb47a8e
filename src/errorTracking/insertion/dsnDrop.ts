import * as vscode from 'vscode';
import { parseDsn } from '../dsn.ts';

/** Says what a DSN that is dropped into an editor becomes: a variable in an env file, the DSN itself elsewhere. */
export class DsnDrop implements vscode.DocumentDropEditProvider {
  /** Registers it for all documents. */
  static register(): vscode.Disposable {
    return vscode.languages.registerDocumentDropEditProvider({ pattern: '**' }, new DsnDrop(), {
      dropMimeTypes: ['text/plain'],
      providedDropEditKinds: [vscode.DocumentDropOrPasteEditKind.Empty.append('text', 'dsn')],
    });
  }

  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    dataTransfer: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const dsn = parseDsn((await dataTransfer.get('text/plain')?.asString()) ?? '');
    if (!dsn) {
      return undefined;
    }
    const { textAt } = await import('./dsnText.ts');
    return new vscode.DocumentDropEdit(
      textAt(document, position, dsn.text),
      vscode.l10n.t('Insert DSN'),
      vscode.DocumentDropOrPasteEditKind.Empty.append('text', 'dsn'),
    );
  }
}
