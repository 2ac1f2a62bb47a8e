import { inspect } from '#platform/runtime.ts';
import type * as vscode from 'vscode';

/**
 * Reveals a row if the view is visible. The editor cannot do so while it reads the rows again, for example because new
 * events have arrived: then the focus stays where it is, and the log says why.
 */
export async function revealRow<T>(
  view: Pick<vscode.TreeView<T>, 'visible' | 'reveal'>,
  row: T,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
  focus = true,
): Promise<void> {
  if (view.visible) {
    try {
      await view.reveal(row, { select: true, focus });
    } catch (error) {
      log.warn(`A row could not be revealed: ${inspect(error)}`);
    }
  }
}
