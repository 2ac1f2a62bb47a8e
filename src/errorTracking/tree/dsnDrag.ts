import * as vscode from 'vscode';
import type { ErrorTrackingNode } from './errorTrackingTree.ts';

/** Lets an active client key be dragged into an editor, a terminal or another program: what drops is its DSN. */
export class DsnDrag implements vscode.TreeDragAndDropController<ErrorTrackingNode> {
  readonly dragMimeTypes = ['text/plain'];
  readonly dropMimeTypes: readonly string[] = [];

  handleDrag(nodes: readonly ErrorTrackingNode[], dataTransfer: vscode.DataTransfer): void {
    const dsns = nodes.flatMap((node) => (node.kind === 'key' && node.key.active ? [node.key.tracker_dsn] : []));
    if (dsns.length > 0) {
      dataTransfer.set('text/plain', new vscode.DataTransferItem(dsns.join('\n')));
    }
  }
}
