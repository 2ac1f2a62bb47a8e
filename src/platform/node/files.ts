import { readFile, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';

/** So many files are read without being asked for: of those on this disk all. */
export const mostUnasked: number | undefined = undefined;

/** Whether a file is on this disk. If the extension host is remote, `vscode.workspace.fs` goes through the window for each. */
export function isOnDisk({ scheme }: vscode.Uri): boolean {
  return scheme === 'file';
}

/** Reads a file on this disk; undefined for what is no file. */
export async function bytesOnDisk({ fsPath }: vscode.Uri, maxBytes: number): Promise<Uint8Array | 'large' | undefined> {
  const facts = await stat(fsPath);
  // A link to a folder or in a circle, or a pipe, is not read.
  if (!facts.isFile()) {
    return undefined;
  }
  return facts.size <= maxBytes ? await readFile(fsPath) : 'large';
}
