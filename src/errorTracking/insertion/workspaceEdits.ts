import * as vscode from 'vscode';
import { readText } from './programFolder.ts';
import { isShellScript, setVariable } from './envFile.ts';

/** Adds to an edit that a variable of an env file gets a value; a file that is not there is created. */
export async function addVariable(
  edit: vscode.WorkspaceEdit,
  file: vscode.Uri,
  name: string,
  value: string,
): Promise<void> {
  const text = await readText(file);
  const { offset, length, newText } = setVariable(text ?? '', name, value, isShellScript(file.path));
  if (text === undefined) {
    createFile(edit, file, newText);
    return;
  }
  const document = await vscode.workspace.openTextDocument(file);
  edit.replace(file, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), newText);
}

/** Adds a line to a text file, or creates the file with it. */
export async function addLine(edit: vscode.WorkspaceEdit, file: vscode.Uri, line: string): Promise<void> {
  const text = await readText(file);
  if (text === undefined) {
    createFile(edit, file, `${line}\n`);
    return;
  }
  const document = await vscode.workspace.openTextDocument(file);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  edit.insert(file, document.positionAt(text.length), `${start}${line}${end}`);
}

export function createFile(edit: vscode.WorkspaceEdit, file: vscode.Uri, content: string): void {
  edit.createFile(file, { contents: new TextEncoder().encode(content) });
}

/**
 * Applies an edit as one step that can be undone, and saves the files that were not being edited: programs read what is saved.
 *
 * @returns false if the editor or the person rejected it.
 */
export async function applyAndSave(edit: vscode.WorkspaceEdit): Promise<boolean> {
  const files = edit.entries().map(([uri]) => uri);
  const unsaved = new Set(
    vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString()),
  );
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return false;
  }
  for (const uri of files) {
    const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
    if (document?.isDirty === true && !unsaved.has(uri.toString())) {
      await document.save();
    }
  }
  return true;
}
