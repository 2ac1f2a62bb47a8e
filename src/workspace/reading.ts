import { bytesOnDisk, isOnDisk, mostUnasked } from '#platform/disk.ts';
import { ignoredAmong } from '#platform/git.ts';
import * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';
import { isBelow } from '../common/paths.ts';
import { readBatched, textOfBytes } from './batches.ts';
import { fitsName, foreignFolders, type ReadOptions, type WorkspaceText } from './files.ts';

const defaultMaxBytes = 1024 * 1024;
/** Progress is reported after so many files. */
const progressStep = 512;
/** Most of what shows virtual folders cannot search in them, and the editor then waits for what may never come; milliseconds. */
const longestSearch = 10_000;

/** The files of the workspace with their texts, as `WorkspaceFiles.read` says. */
export async function* readTexts(options: ReadOptions): AsyncGenerator<WorkspaceText, void, undefined> {
  const { maxBytes = defaultMaxBytes, token, onProgress, onSkipped, ignored: wanted = [] } = options;
  const uris = await findFiles(options);
  const unsaved = new Map(
    vscode.workspace.textDocuments
      .filter(({ isDirty }) => isDirty)
      .map((document) => [document.uri.toString(), document]),
  );
  const ignored = await ignoredAmong(uris);
  const isLeftOut = (uri: vscode.Uri): boolean =>
    ignored.has(uri.toString()) ? !fitsName(wanted, uri.path) : options.onlyIgnored === true;
  const binary = new Set<string>();
  let done = 0;
  const read = async (uri: vscode.Uri): Promise<string | undefined> => {
    if (done % progressStep === 0) {
      onProgress?.(done, uris.length);
    }
    done += 1;
    const key = uri.toString();
    if (isLeftOut(uri) || unsaved.has(key)) {
      return isLeftOut(uri) ? undefined : unsaved.get(key)?.getText();
    }
    const bytes = await bytesOf(uri, maxBytes, onSkipped);
    const text = bytes && textOfBytes(bytes);
    if (!bytes || text !== undefined || options.withBinary !== true) {
      return text;
    }
    binary.add(key);
    return new TextDecoder('latin1').decode(bytes).replaceAll('\0', '');
  };
  for await (const { file, text } of readBatched(uris, read, () => isCancelled(token))) {
    yield { uri: file, text, isBinary: binary.has(file.toString()) };
  }
  if (!isCancelled(token)) {
    onProgress?.(uris.length, uris.length);
  }
}

/** Finds files by the editor's search. */
async function findFiles(options: ReadOptions): Promise<readonly vscode.Uri[]> {
  const { include = '**/*', exclude = [], token, onCut, onUnsearched } = options;
  const excluded = `{${[...foreignFolders.map((name) => `**/${name}/**`), ...exclude].join(',')}}`;
  const isWhole = typeof include === 'string' || include.pattern === '**/*';
  const most = options.isUnasked === true ? mostUnasked : undefined;
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? [];
  const virtual = (typeof include === 'string' ? folders : [include.baseUri]).filter((base) => !isOnDisk(base));
  const over = new vscode.CancellationTokenSource();
  const subscription = token?.onCancellationRequested(() => over.cancel());
  const searched = Promise.resolve(vscode.workspace.findFiles(include, excluded, most, over.token));
  const cancel = virtual.length === 0 ? () => {} : systemClock.after(longestSearch, () => over.cancel());
  const { promise: whenOver, resolve } = Promise.withResolvers<readonly vscode.Uri[]>();
  over.token.onCancellationRequested(() => resolve([]));
  try {
    const uris = await Promise.race([virtual.length === 0 ? searched : searched.catch(() => []), whenOver]);
    if (most !== undefined && uris.length >= most) {
      onCut?.();
    }
    virtual
      .filter((base) => isWhole && !uris.some((uri) => isBelow(base, uri)))
      .forEach((base) => onUnsearched?.(base));
    return uris;
  } finally {
    cancel();
    subscription?.dispose();
    over.dispose();
  }
}

/** By a call, because the value changes while other tasks run. */
function isCancelled(token: vscode.CancellationToken | undefined): boolean {
  return token?.isCancellationRequested ?? false;
}

async function bytesOf(
  uri: vscode.Uri,
  maxBytes: number,
  onSkipped: ReadOptions['onSkipped'],
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await (isOnDisk(uri) ? bytesOnDisk(uri, maxBytes) : bytesElsewhere(uri, maxBytes));
    if (bytes === 'large') {
      onSkipped?.(uri, bytes);
      return undefined;
    }
    return bytes;
  } catch (error) {
    // One that was deleted since it was listed, or a link to nothing, holds nothing.
    if (!['ENOENT', 'FileNotFound'].includes(String((error as { code?: unknown }).code))) {
      onSkipped?.(uri, 'unreadable');
    }
    return undefined;
  }
}

async function bytesElsewhere(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array | 'large' | undefined> {
  const { size, type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) {
    return undefined;
  }
  return size <= maxBytes ? await vscode.workspace.fs.readFile(uri) : 'large';
}
