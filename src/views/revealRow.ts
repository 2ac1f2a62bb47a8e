import { inspect } from 'node:util';
import type * as vscode from 'vscode';

/**
 * Goes to a row if the view is visible. The editor cannot do so while it asks for the rows again, such as because events have
 * come meanwhile: then the focus stays where it is, and the log says why.
 */
export async function revealRow<T>(
  view: Pick<vscode.TreeView<T>, 'visible' | 'reveal'>,
  row: T,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
): Promise<void> {
  if (view.visible) {
    try {
      await view.reveal(row, { select: true, focus: true });
    } catch (error) {
      log.warn(`A row could not be revealed: ${inspect(error)}`);
    }
  }
}
