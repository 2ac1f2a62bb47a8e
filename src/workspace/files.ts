import { bytesOnDisk, isOnDisk, linkTarget, mostUnasked } from '#platform/disk.ts';
import { ignoredAmong } from '#platform/git.ts';
import * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';
import { plainText } from '../common/inertText.ts';
import { confirm } from '../common/inertWindow.ts';
import { isBelow } from '../common/paths.ts';
import { charactersOf, textOfBytes, Yielder } from './batches.ts';

/** A file of the workspace with its text; of a file with unsaved changes, the text that the editor shows. */
export interface WorkspaceText {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** Whether it is no text file: then its characters stand for its bytes, without those that are zero. */
  readonly isBinary: boolean;
}

export interface ReadOptions {
  /** Which files; all by default. */
  readonly include?: vscode.GlobPattern;
  /** These files instead of those that the editor's search finds. */
  readonly uris?: readonly vscode.Uri[] | undefined;
  /** Larger files are left out; 1 MiB by default. */
  readonly maxBytes?: number;
  /** The names of files that come though git ignores them, in which `*` stands for anything. */
  readonly ignored?: readonly string[];
  /** How many bytes are read of other files that git ignores, after all else: none by default. */
  readonly maxIgnoredBytes?: number;
  /** Whether files that are no text come, too. */
  readonly withBinary?: boolean;
  /** Whether nobody has asked for it: then few files of a workspace are read that is far away. */
  readonly isUnasked?: boolean;
  /** Ends the reading: no more files come. */
  readonly token?: vscode.CancellationToken;
  /** Called from time to time with the number of files done and the total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called for a file that is left out though it was to come, because it is too large or cannot be read. */
  readonly onSkipped?: (uri: vscode.Uri, reason: 'large' | 'unreadable') => void;
  /** Called for the first file that is beyond `maxIgnoredBytes`. */
  readonly onBeyond?: (uri: vscode.Uri) => void;
  /** Called for a folder that cannot be searched, as virtual ones in a browser, or has more files than are read unasked. */
  readonly onUnsearched?: (folder: vscode.Uri) => void;
}

const defaultMaxBytes = 1024 * 1024;
const readsAtOnce = 16;
const progressStep = 512;
/** Most of what shows virtual folders cannot search in them, and the editor then waits for what may never come; milliseconds. */
const longestSearch = 10_000;

/**
 * Reads the files of the workspace's folders, in no particular order, for features that look for something in them; yields to other
 * tasks between them. Left out are what git ignores, `files.exclude` hides or is no text, and folders such as node_modules.
 */
export async function* readFiles(options: ReadOptions = {}): AsyncGenerator<WorkspaceText, void, undefined> {
  const { maxBytes = defaultMaxBytes, maxIgnoredBytes = 0, token, onProgress, onSkipped } = options;
  const uris = options.uris ?? (await findFiles(options));
  const unsaved = new Map(
    vscode.workspace.textDocuments
      .filter(({ isDirty }) => isDirty)
      .map((document) => [document.uri.toString(), document.getText()]),
  );
  const ignored = await ignoredAmong(uris);
  const wanted = namesPattern(options.ignored ?? []);
  const groups = Map.groupBy(uris, (uri) => ignored.has(uri.toString()) && !wanted.test(uri.path));
  const files = groups.get(false) ?? [];
  const firstIgnored = files.length;
  if (maxIgnoredBytes > 0) {
    // In the same order each time, so that the same ones are beyond the bound.
    files.push(...(groups.get(true) ?? []).toSorted((one, other) => (one.path < other.path ? -1 : 1)));
  }
  let ignoredBytes = 0;
  const read = async (uri: vscode.Uri, index: number): Promise<WorkspaceText | undefined> => {
    const shown = unsaved.get(uri.toString());
    const bytes = shown === undefined ? await bytesOf(uri, maxBytes, onSkipped) : undefined;
    ignoredBytes += index < firstIgnored ? 0 : (bytes?.length ?? 0);
    const text = shown ?? (bytes && textOfBytes(bytes));
    if (text !== undefined) {
      return { uri, text, isBinary: false };
    }
    return bytes && options.withBinary === true ? { uri, text: await charactersOf(bytes), isBinary: true } : undefined;
  };
  const yielder = new Yielder();
  for (let next = 0; next < files.length; next += readsAtOnce) {
    const some = files.slice(next, next + readsAtOnce);
    if (some[0] && ignoredBytes > maxIgnoredBytes) {
      options.onBeyond?.(some[0]);
      break;
    }
    if (next % progressStep === 0) {
      onProgress?.(next, files.length);
    }
    for (const file of await Promise.all(some.map((uri, index) => read(uri, next + index)))) {
      if (isCancelled(token)) {
        return;
      }
      if (file) {
        yield file;
        await yielder.rest();
      }
    }
  }
  onProgress?.(files.length, files.length);
}

/** Folders of other people's code and of tools, which git may not know in a folder without a repository. */
export const foreignFolders: readonly string[] = [
  ...['.git', '.hg', '.svn', 'node_modules', 'bower_components', '.venv', 'venv', '__pycache__', '.gradle'],
  ...['.terraform', '.tox', '.mypy_cache'],
];

/** Whether a path leads into a folder of other people's code or of tools, whose files are never read. */
export function isForeign(path: string): boolean {
  return path.split('/').some((name) => foreignFolders.includes(name));
}

/** What paths fit whose last names are among some, in which `*` stands for anything; letters may be small or capital ones. */
export function namesPattern(names: readonly string[]): RegExp {
  const patterns = names.map((name) => name.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*'));
  return new RegExp(`(?:^|/)(?:${patterns.join('|')})$`, 'i');
}

async function findFiles(options: ReadOptions): Promise<readonly vscode.Uri[]> {
  const { include = '**/*', token, onUnsearched } = options;
  const excluded = `{${foreignFolders.map((name) => `**/${name}/**`).join(',')}}`;
  const most = options.isUnasked === true ? mostUnasked : undefined;
  const folders =
    typeof include === 'string' ? (vscode.workspace.workspaceFolders?.map(({ uri }) => uri) ?? []) : [include.baseUri];
  const virtual = folders.filter((base) => !isOnDisk(base));
  const over = new vscode.CancellationTokenSource();
  const subscription = token?.onCancellationRequested(() => over.cancel());
  const searched = Promise.resolve(vscode.workspace.findFiles(include, excluded, most, over.token));
  const cancel = virtual.length === 0 ? () => {} : systemClock.after(longestSearch, () => over.cancel());
  const { promise: whenOver, resolve } = Promise.withResolvers<readonly vscode.Uri[]>();
  over.token.onCancellationRequested(() => resolve([]));
  try {
    const uris = await Promise.race([virtual.length === 0 ? searched : searched.catch(() => []), whenOver]);
    const isCut = most !== undefined && uris.length >= most;
    const isWhole = typeof include === 'string' || include.pattern === '**/*';
    folders
      .filter((base) => isCut || (isWhole && virtual.includes(base) && !uris.some((uri) => isBelow(base, uri))))
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
    // One that was deleted since it was listed, or a link to nothing, holds nothing; one whose name is no text is not found by it.
    const isGone = ['ENOENT', 'FileNotFound'].includes(String((error as { code?: unknown }).code));
    if (!isGone || uri.path.includes('\uFFFD')) {
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

type LinkTarget = NonNullable<Awaited<ReturnType<typeof linkTarget>>>;

/** Where a file really is, if it is a link or below one; undefined for files that are not on this disk. */
export async function linkTargetOf(file: vscode.Uri): Promise<LinkTarget | undefined> {
  return isOnDisk(file) ? await linkTarget(vscode.workspace.getWorkspaceFolder(file)?.uri, file) : undefined;
}

/** Asks before something is written to what a link leads to: a repository can hold one that nobody has looked at. */
export async function isLinkMeant(file: vscode.Uri, { path, isOutside }: LinkTarget): Promise<boolean> {
  return await confirm(
    isOutside ? vscode.l10n.t('Write outside of the workspace?') : vscode.l10n.t('Write to the target of a link?'),
    // Where it leads is never cut off.
    vscode.l10n.t('{0} leads to {1}', plainText(vscode.workspace.asRelativePath(file)), oneLine(path)),
    vscode.l10n.t('Write'),
  );
}

/** Whether a file may be written that the user has chosen: one that is no link, or one whose target they were shown. */
export async function mayWriteTo(file: vscode.Uri): Promise<boolean> {
  const target = await linkTargetOf(file);
  return !target || ((await isLinkMeant(file, target)) && (await linkTargetOf(file))?.path === target.path);
}

/** A whole path, however long, in which no spaces push the end out of sight. */
export function oneLine(path: string): string {
  return plainText(path, 4096).replaceAll(/\s+/g, ' ');
}
