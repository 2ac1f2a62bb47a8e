import * as vscode from 'vscode';

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
    const [{ parseDsn }, { textAt }] = await Promise.all([import('../dsn.ts'), import('./dsnText.ts')]);
    const dsn = parseDsn((await dataTransfer.get('text/plain')?.asString()) ?? '');
    if (!dsn) {
      return undefined;
    }
    return new vscode.DocumentDropEdit(
      textAt(document, position, dsn.text),
      vscode.l10n.t('Insert DSN'),
      vscode.DocumentDropOrPasteEditKind.Empty.append('text', 'dsn'),
    );
  }
}
