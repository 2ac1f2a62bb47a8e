import * as vscode from 'vscode';
import { shortKey } from '../dsn.ts';
import type { DsnUsage } from '../usages.ts';
import type { RotatedKey } from './rotationJournal.ts';

/** An edit that shows each replacement in the editor's preview of refactorings, to be accepted one by one. */
export function replacementEdit(usages: readonly DsnUsage[], newKey: RotatedKey): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, range } of usages) {
    edit.replace(uri, range, newKey.dsn, {
      needsConfirmation: true,
      label: vscode.l10n.t('Replace the DSN'),
      description: vscode.l10n.t('by that of client key {0}', shortKey(newKey.publicKey)),
    });
  }
  return edit;
}

/**
 * Applies an edit after its preview, and saves the files: the old key goes next, and what is not saved would be lost with the
 * editor, and the program with it.
 *
 * @returns false if the person rejected it, or a file could not be saved.
 */
export async function applyPreviewed(edit: vscode.WorkspaceEdit): Promise<boolean> {
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return false;
  }
  const changed = new Set(edit.entries().map(([uri]) => uri.toString()));
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && changed.has(document.uri.toString()) && !(await document.save())) {
      return false;
    }
  }
  return true;
}
