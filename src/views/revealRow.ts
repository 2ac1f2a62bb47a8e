import { inspect } from 'node:util';
import type * as vscode from 'vscode';

/**
 * Goes to a row if the view is seen. The editor cannot do so while it asks for the rows anew, such as because events have
 * come meanwhile: then the reader stays where they are.
 */
export async function revealRow<T>(
  view: Pick<vscode.TreeView<T>, 'visible' | 'reveal'>,
  row: T,
  log: Pick<vscode.LogOutputChannel, 'debug'>,
): Promise<void> {
  if (view.visible) {
    try {
      await view.reveal(row, { select: true, focus: true });
    } catch (error) {
      log.debug(inspect(error));
    }
  }
}
