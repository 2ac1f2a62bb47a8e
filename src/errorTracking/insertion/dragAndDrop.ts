import * as vscode from 'vscode';
import type { ErrorTrackingNode } from '../errorTrackingTree.ts';

/** Lets an active client key be dragged into an editor, a terminal or another program: what drops is its DSN. */
export class DsnDrag implements vscode.TreeDragAndDropController<ErrorTrackingNode> {
  readonly dragMimeTypes = ['text/plain'];
  readonly dropMimeTypes: readonly string[] = [];

  handleDrag(nodes: readonly ErrorTrackingNode[], dataTransfer: vscode.DataTransfer): void {
    const dsns = nodes.flatMap((node) =>
      node.kind === 'key' && node.key.active && !node.rotation ? [node.key.tracker_dsn] : [],
    );
    if (dsns.length > 0) {
      dataTransfer.set('text/plain', new vscode.DataTransferItem(dsns.join('\n')));
    }
  }
}

/** Says what a DSN that is dropped into an editor becomes: a variable in an env file, a string in code, the DSN itself elsewhere. */
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
    const [{ parseDsn }, { dsnAtCursor, placeIn }] = await Promise.all([
      import('../dsn.ts'),
      import('./cursorText.ts'),
    ]);
    const dsn = parseDsn((await dataTransfer.get('text/plain')?.asString()) ?? '');
    if (!dsn) {
      return undefined;
    }
    return new vscode.DocumentDropEdit(
      dsnAtCursor(placeIn(document, position), dsn.text),
      vscode.l10n.t('Insert DSN'),
      vscode.DocumentDropOrPasteEditKind.Empty.append('text', 'dsn'),
    );
  }
}
