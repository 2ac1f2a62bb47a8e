import type * as vscode from 'vscode';
import type { HostNameOf } from '../../workspace/remoteUrl.ts';

/** At most this many files are read without being asked for: each may be a request to a server. */
export const mostUnasked: number | undefined = 500;

// A browser shows none of the disk.

export function isOnDisk(_uri: vscode.Uri): boolean {
  return false;
}

export async function bytesOnDisk(_uri: vscode.Uri, _maxBytes: number): Promise<Uint8Array | 'large' | undefined> {
  return undefined;
}

export async function linkTarget(
  _folder: vscode.Uri | undefined,
  _file: vscode.Uri,
): Promise<{ readonly path: string; readonly isOutside: boolean } | undefined> {
  return undefined;
}

export async function readCliConfiguration(): Promise<string | undefined> {
  return undefined;
}

export async function readSshConfig(): Promise<HostNameOf> {
  return (alias) => alias;
}
