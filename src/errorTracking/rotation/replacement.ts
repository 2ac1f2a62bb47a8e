import * as vscode from 'vscode';
import { textOfBytes } from '../../workspaceFiles/fileText.ts';
import { shortKey } from '../dsn.ts';
import { plainText } from '../../plainText.ts';
import type { Dialogs } from '../dialogs.ts';
import { mayFollowLinks, targetOutside } from '../insertion/outsideLinks.ts';
import type { DsnUsage } from '../usages.ts';
import type { RotatedKey } from './rotationJournal.ts';

/**
 * An edit that shows each replacement in the editor's preview of refactorings, to be accepted one by one.
 *
 * @param targets where files really are that are links out of their folder, by their URIs: the preview says so.
 */
export function replacementEdit(
  usages: readonly DsnUsage[],
  newKey: RotatedKey,
  targets: ReadonlyMap<string, string> = new Map(),
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, range } of usages) {
    const target = targets.get(uri.toString());
    edit.replace(uri, range, newKey.dsn, {
      needsConfirmation: true,
      label:
        target === undefined
          ? vscode.l10n.t('Replace DSN')
          : vscode.l10n.t('Replace DSN outside of the workspace, in {0}', plainText(target)),
      description: vscode.l10n.t('with the DSN of client key {0}', shortKey(newKey.publicKey)),
    });
  }
  return edit;
}

/**
 * Replaces the DSN at places after a preview, and after asking for each file that is a link out of the workspace.
 *
 * @returns false if the user rejected it, or a file could not be saved.
 */
export async function replaceUsages(
  usages: readonly DsnUsage[],
  newKey: RotatedKey,
  dialogs: Dialogs,
): Promise<boolean> {
  const files = [...new Map(usages.map(({ uri }) => [uri.toString(), uri])).values()];
  if (!(await mayFollowLinks(files, dialogs))) {
    return false;
  }
  const targets = new Map<string, string>();
  for (const uri of files) {
    const target = await targetOutside(uri);
    if (target !== undefined) {
      targets.set(uri.toString(), target);
    }
  }
  return await applyPreviewed(replacementEdit(usages, newKey, targets));
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
  const changed = new Map(edit.entries().map(([uri, edits]) => [uri.toString(), edits]));
  for (const document of vscode.workspace.textDocuments) {
    const edits = changed.get(document.uri.toString());
    if (!edits) {
      continue;
    }
    if (document.isDirty && !(await document.save())) {
      return false;
    }
    const text = document.getText();
    if (
      !(await isOnDisk(
        document.uri,
        edits.map(({ newText }) => newText).filter((part) => text.includes(part)),
      ))
    ) {
      return false;
    }
  }
  return true;
}

/** Whether a file has texts. The editor changes a read-only file in its window alone, and calls nothing unsaved then. */
async function isOnDisk(uri: vscode.Uri, parts: readonly string[]): Promise<boolean> {
  try {
    const text = textOfBytes(await vscode.workspace.fs.readFile(uri)) ?? '';
    return parts.every((part) => text.includes(part));
  } catch {
    return false;
  }
}
