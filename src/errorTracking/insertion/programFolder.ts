import * as vscode from 'vscode';
import { isBelow } from '../../common/paths.ts';
import { isEnvExample, isEnvFile } from './envFile.ts';
import { type ProjectShape, detectProjectShape } from './sdkSetups.ts';

/** The folder of a program: where its manifest is, where set-ups and env files go. */
export interface ProgramFolder {
  readonly uri: vscode.Uri;
  readonly shape: ProjectShape;
  /** The names of its env files, those that are patterns for others left out. */
  readonly envFiles: readonly string[];
}

/**
 * Finds the folder of the program that a file belongs to: the nearest one above it in which a stack is recognized, else the
 * root of the workspace.
 *
 * @param root the folder of the workspace, or of the repository.
 */
export async function findProgramFolder(root: vscode.Uri, file?: vscode.Uri): Promise<ProgramFolder> {
  for (const uri of foldersBetween(root, file)) {
    const folder = await readFolder(uri);
    if (folder.shape.stacks.length > 0) {
      return folder;
    }
  }
  return await readFolder(root);
}

async function readFolder(uri: vscode.Uri): Promise<ProgramFolder> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(uri)).catch(() => []);
  const names = entries.map(([name]) => name);
  const packageJson = names.includes('package.json')
    ? await readText(vscode.Uri.joinPath(uri, 'package.json'))
    : undefined;
  return {
    uri,
    shape: detectProjectShape({ names, ...(packageJson === undefined ? {} : { packageJson }) }),
    envFiles: names.filter((name) => isEnvFile(name) && !isEnvExample(name)).toSorted(),
  };
}

/** A file that may be changed, as the editor shows it; undefined if there is none. See `openForChange`. */
export async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await openForChange(uri)).getText();
  } catch {
    return undefined;
  }
}

/**
 * Opens a file that is to be changed. Where the editor takes for UTF-8 what is not, it would destroy all other characters when it
 * saves: a character for each byte keeps them.
 */
export async function openForChange(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const isLossy = document.encoding === 'utf8' && !document.isDirty && document.getText().includes('\uFFFD');
  return isLossy ? await vscode.workspace.openTextDocument(uri, { encoding: 'iso88591' }) : document;
}

/** From the folder of a file up to the root; the root alone for a file that is not below it. */
function foldersBetween(root: vscode.Uri, file: vscode.Uri | undefined): vscode.Uri[] {
  const folders: vscode.Uri[] = [];
  let folder = file && vscode.Uri.joinPath(file, '..');
  while (folder && isBelow(root, folder)) {
    folders.push(folder);
    folder = vscode.Uri.joinPath(folder, '..');
  }
  return [...folders, root];
}
