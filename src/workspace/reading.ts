import { bytesOnDisk, isOnDisk, mostUnasked } from '#platform/disk.ts';
import { GitIgnore } from '#platform/git.ts';
import * as vscode from 'vscode';
import { readBatched, textOfBytes } from './batches.ts';
import type { ReadOptions, WorkspaceText } from './files.ts';

/** Folders of other people's code and of tools, which git may not know in a folder without a repository. */
const foreignFolders = [
  ...['.git', '.hg', '.svn', 'node_modules', 'bower_components', '.venv', 'venv', '__pycache__', '.gradle'],
  ...['.terraform', '.tox', '.mypy_cache'],
];
const defaultMaxBytes = 1024 * 1024;
/** Progress is reported after so many files. */
const progressStep = 512;

/** So many folders are listed one by one at most, each by a request to the provider of the folder, and so many files found that way. */
const mostListed = { folders: 500, files: 5000 };

/** The files of the workspace with their texts, as `WorkspaceFiles.read` says. */
export async function* readTexts(options: ReadOptions): AsyncGenerator<WorkspaceText, void, undefined> {
  const { include = '**/*', exclude = [], maxBytes = defaultMaxBytes, token, onProgress, onSkipped } = options;
  const excluded = `{${[...foreignFolders.map((name) => `**/${name}/**`), ...exclude].join(',')}}`;
  const mostFiles = options.isUnasked === true ? mostUnasked : undefined;
  const { uris, isCut } = await findFiles({ include, excluded, exclude, most: mostFiles, token });
  if (isCut || (mostFiles !== undefined && uris.length >= mostFiles)) {
    options.onCut?.();
  }
  const unsaved = new Map(
    vscode.workspace.textDocuments
      .filter(({ isDirty }) => isDirty)
      .map((document) => [document.uri.toString(), document]),
  );
  const ignored = await new GitIgnore().ignoredAmong(uris);
  const isWantedIgnored = options.ignored === undefined ? () => false : matcherOf(options.ignored);
  const isLeftOut = (uri: vscode.Uri): boolean =>
    ignored.has(uri.toString())
      ? !isWantedIgnored(uri.path.slice(uri.path.lastIndexOf('/') + 1))
      : options.onlyIgnored === true;
  const binary = new Set<string>();
  const bytesOf = (uri: vscode.Uri): Promise<Uint8Array | 'large' | undefined> =>
    isOnDisk(uri) ? bytesOnDisk(uri, maxBytes) : bytesElsewhere(uri, maxBytes);
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
    const bytes = await bytesOfFile(uri, bytesOf, onSkipped);
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

interface Wanted {
  readonly include: vscode.GlobPattern;
  /** A glob of what is left out. */
  readonly excluded: string;
  /** What of that is not left out always. */
  readonly exclude: readonly string[];
  /** So many files are enough. */
  readonly most: number | undefined;
  readonly token: vscode.CancellationToken | undefined;
}

interface FoundFiles {
  readonly uris: readonly vscode.Uri[];
  /** Whether there may be more. */
  readonly isCut: boolean;
}

/**
 * Finds files by the editor's search. Most of what shows virtual folders cannot search in them, and where nothing can, the editor waits for what
 * may never come: such folders are listed meanwhile.
 */
async function findFiles(wanted: Wanted): Promise<FoundFiles> {
  const { include, excluded, most, token } = wanted;
  const bases =
    typeof include === 'string' ? (vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? []) : [include.baseUri];
  const virtual = bases.filter((base) => !isOnDisk(base));
  if (virtual.length === 0) {
    return { uris: await vscode.workspace.findFiles(include, excluded, most, token), isCut: false };
  }
  const over = new vscode.CancellationTokenSource();
  const subscription = token?.onCancellationRequested(() => over.cancel());
  try {
    const searched = Promise.resolve(vscode.workspace.findFiles(include, excluded, most, over.token));
    if (virtual.length < bases.length) {
      const uris = await searched;
      const unsearched = virtual.filter((base) => !uris.some((uri) => isBelow(base, uri)));
      const listed = await listFiles(unsearched, wanted, over.token);
      return { uris: [...uris, ...listed.uris], isCut: listed.isCut };
    }
    const listed = listFiles(virtual, wanted, over.token);
    const found = searched.then(
      async (uris) => (uris.length > 0 ? { uris, isCut: false } : await listed),
      async () => await listed,
    );
    return await Promise.race([found, listed]);
  } finally {
    over.cancel();
    subscription?.dispose();
  }
}

/** Lists the files of folders one folder after the other, within bounds. */
async function listFiles(
  roots: readonly vscode.Uri[],
  { include, exclude, most = mostListed.files }: Wanted,
  token: vscode.CancellationToken,
): Promise<FoundFiles> {
  const uris: vscode.Uri[] = [];
  const waiting = roots.map((root) => ({ root, folder: root }));
  let listed = 0;
  let isCut = false;
  const isWanted = matcherOf(typeof include === 'string' ? include : include.pattern);
  const hidden = new Map(
    roots.map((root) => {
      const globs = vscode.workspace.getConfiguration('files', root).get<Record<string, unknown>>('exclude', {});
      return [root, [...exclude, ...Object.keys(globs).filter((glob) => globs[glob] === true)].map(matcherOf)];
    }),
  );
  for (let next = waiting.shift(); next && !isCancelled(token); next = waiting.shift()) {
    const { root, folder } = next;
    if (listed >= mostListed.folders || uris.length >= most) {
      return { uris, isCut: true };
    }
    listed += 1;
    const entries = await vscode.workspace.fs.readDirectory(folder).then(
      (all) => all,
      () => {
        isCut = true;
        return [];
      },
    );
    for (const [name, type] of entries) {
      const uri = vscode.Uri.joinPath(folder, name);
      const path = uri.path.slice(root.path.length).replace(/^\//, '');
      const isFolder = (type & vscode.FileType.Directory) !== 0;
      if (isForeign(path) || hidden.get(root)?.some((matches) => matches(path)) === true) {
        continue;
      }
      // A link may lead in a circle.
      if (isFolder && (type & vscode.FileType.SymbolicLink) === 0) {
        waiting.push({ root, folder: uri });
      } else if (!isFolder && isWanted(path)) {
        uris.push(uri);
      }
    }
  }
  return { uris: uris.slice(0, most), isCut: isCut || uris.length > most };
}

function isBelow(folder: vscode.Uri, { scheme, authority, path }: vscode.Uri): boolean {
  return (
    folder.scheme === scheme && folder.authority === authority && path.startsWith(folder.path.replace(/\/?$/, '/'))
  );
}

/** A workspace may bring any glob, also one that takes more time than there is: a longer one fits nothing, as do more wildcards. */
const longestGlob = 300;
const mostWildcards = 3;

/**
 * What says whether a path in a folder fits a glob as the editor has them, braces within braces left out.
 *
 * @see https://code.visualstudio.com/api/references/vscode-api#GlobPattern
 */
function matcherOf(glob: string): (path: string) => boolean {
  const source = glob.replaceAll(/\*\*\/|\*\*|[*?{},]|[.+^$()|[\]\\]/g, (part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      case '{':
        return '(?:';
      case '}':
        return ')';
      case ',':
        return '|';
      default:
        return `\\${part}`;
    }
  });
  if (glob.length > longestGlob || glob.split(',').some((one) => (one.match(/\*+/g) ?? []).length > mostWildcards)) {
    return () => false;
  }
  try {
    const expression = new RegExp(`^(?:${source})$`);
    return (path) => path.length <= longestGlob && expression.test(path);
  } catch {
    return () => false;
  }
}

/** Whether a path leads into a folder of other people's code or of tools, whose files are never read. */
export function isForeign(path: string): boolean {
  return path.split('/').some((name) => foreignFolders.includes(name));
}

/** By a call, because the value changes while other tasks run. */
function isCancelled(token: vscode.CancellationToken | undefined): boolean {
  return token?.isCancellationRequested ?? false;
}

async function bytesOfFile(
  uri: vscode.Uri,
  bytesOf: (uri: vscode.Uri) => Promise<Uint8Array | 'large' | undefined>,
  onSkipped: ReadOptions['onSkipped'],
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await bytesOf(uri);
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
