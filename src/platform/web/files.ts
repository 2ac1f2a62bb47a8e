import type * as vscode from 'vscode';

/** So many files are read without being asked for: each may be a request to a server. */
export const mostUnasked: number | undefined = 500;

/** Whether a file is on this disk: a browser shows none. */
export function isOnDisk(_uri: vscode.Uri): boolean {
  return false;
}

/** Reads a file on this disk, of which there is none. */
export async function bytesOnDisk(_uri: vscode.Uri, _maxBytes: number): Promise<Uint8Array | 'large' | undefined> {
  return undefined;
}
