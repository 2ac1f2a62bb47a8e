import type * as vscode from 'vscode';

export { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
export { join } from 'node:path';

/** Whether a process is there, also if it is not ours to signal. */
export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** How the functions here name a folder that the editor gives for keeping files. */
export function pathOf(folder: vscode.Uri): string {
  return folder.fsPath;
}
