import * as vscode from 'vscode';
import { asNode, join, readdir, uriOf } from './storage.ts';

const { fs } = vscode.workspace;

/** The folder of the user's own files; empty where there is none. */
export const homeFolder: string = '';

/** Reads a text that is shipped with the extension. */
export async function readShipped(file: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/** The paths of all files below a folder. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await asNode(fs.readDirectory(uriOf(folder))).catch(() => []);
  const found = await Promise.all(
    entries.map(async ([name, type]) =>
      type === vscode.FileType.Directory ? await filesBelow(join(folder, name)) : [join(folder, name)],
    ),
  );
  return found.flat();
}

/**
 * The end of the file of a folder that was changed last.
 *
 * @param folder of files that the editor writes.
 * @param suffix of the names of the files that count.
 * @returns the text, and whether it is cut; undefined if there is no such file.
 * @throws if the folder cannot be read.
 */
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

/** Whether a file is on this disk: a browser shows none. */
export function isOnDisk(_uri: vscode.Uri): boolean {
  return false;
}

/** Reads a file on this disk, of which there is none. */
export async function bytesOnDisk(_uri: vscode.Uri, _maxBytes: number): Promise<Uint8Array | 'large' | undefined> {
  return undefined;
}

/** Where a file on this disk really is, of which there is none. */
export async function linkTarget(
  _folder: vscode.Uri | undefined,
  _file: vscode.Uri,
): Promise<{ readonly path: string; readonly isOutside: boolean } | undefined> {
  return undefined;
}

/** What decides where the GitLab CLI keeps its configuration: nothing here. */
export type CliEnvironment = object;

/** The configuration of the GitLab CLI, of which a browser has none. */
export async function readCliConfiguration(_environment?: CliEnvironment): Promise<string | undefined> {
  return undefined;
}
