import * as vscode from 'vscode';
import { asNode, join, readdir, uriOf } from './storage.ts';

const { fs } = vscode.workspace;

export const homeFolder: string = '';

export async function readShipped(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await asNode(fs.readDirectory(uriOf(folder))).catch(() => []);
  const found = await Promise.all(
    entries.map(async ([name, type]) =>
      type === vscode.FileType.Directory ? await filesBelow(join(folder, name)) : [join(folder, name)],
    ),
  );
  return found.flat();
}

export async function endOfNewest(
  folder: string,
  suffix: string,
  mostBytes: number,
): Promise<{ readonly text: string; readonly isCut: boolean } | undefined> {
  const uris = (await readdir(folder)).filter((name) => name.endsWith(suffix)).map((name) => uriOf(join(folder, name)));
  const files = await Promise.all(uris.map(async (uri) => ({ uri, time: (await asNode(fs.stat(uri))).mtime })));
  const newest = files.toSorted((one, other) => other.time - one.time)[0];
  if (!newest) {
    return undefined;
  }
  const bytes = await asNode(fs.readFile(newest.uri));
  return { text: new TextDecoder().decode(bytes.slice(-mostBytes)), isCut: bytes.length > mostBytes };
}

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

export type CliEnvironment = object;

export async function readCliConfiguration(_environment?: CliEnvironment): Promise<string | undefined> {
  return undefined;
}
