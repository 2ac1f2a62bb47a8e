import * as vscode from 'vscode';
import { readBatched, textOfBytes } from './batches.ts';

/** A file of the workspace with its text; of a file with unsaved changes, the text that the editor shows. */
export interface WorkspaceText {
  readonly uri: vscode.Uri;
  readonly text: string;
}

export interface ReadOptions {
  /** Which files; all by default. */
  readonly include?: vscode.GlobPattern;
  /** Larger files are left out; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Globs of what is left out besides; braces may not be nested. */
  readonly exclude?: readonly string[];
  /** Whether files that git ignores come, too. */
  readonly ignored?: boolean;
  /** Given where nobody has asked for it: then few files of a workspace are read that is far away. Called if there may be more. */
  readonly onCut?: () => void;
  /** Ends the reading: no more files come. */
  readonly token?: vscode.CancellationToken;
  /** Called from time to time with the number of files done and the total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called for a file that is left out though git knows it, because it is too large or cannot be read. */
  readonly onSkipped?: (uri: vscode.Uri, reason: 'large' | 'unreadable') => void;
}

/** Folders of other people's code and of tools, which git may not know in a folder without a repository. */
const foreignFolders = [
  ...['.git', '.hg', '.svn', 'node_modules', 'bower_components', '.venv', 'venv', '__pycache__', '.gradle'],
  ...['.terraform', '.tox', '.mypy_cache'],
];
const defaultMaxBytes = 1024 * 1024;
/** Progress is reported after so many files. */
const progressStep = 512;

/**
 * Reads the files of the workspace for features that look for something in them. Left out are what git ignores,
 * `files.exclude` hides or is no text, and folders such as node_modules. Nothing is kept between two readings.
 *
 * ```ts for await (const { uri, text } of workspaceFiles.read({ token, onProgress })) { if (text.includes('SENTRY_DSN')) {
 * … } }
 * ```
 *
 * The loop shares the extension host's thread with everything else: `read` yields between files, and the body should take a
 * few milliseconds per file at most.
 */
export class WorkspaceFiles {
  /** The files of the workspace's folders with their texts, in no particular order. A file that cannot be read is left out. */
  async *read(options: ReadOptions = {}): AsyncGenerator<WorkspaceText, void, undefined> {
    const { include = '**/*', exclude = [], maxBytes = defaultMaxBytes, token, onProgress, onSkipped } = options;
    const excluded = `{${[...foreignFolders.map((name) => `**/${name}/**`), ...exclude].join(',')}}`;
    const { bytesOnDisk, isOnDisk, mostUnasked } = await import('#platform/disk.ts');
    const mostFiles = options.onCut && mostUnasked;
    const uris = await vscode.workspace.findFiles(include, excluded, mostFiles, token);
    if (mostFiles !== undefined && uris.length >= mostFiles) {
      options.onCut?.();
    }
    const unsaved = new Map(
      vscode.workspace.textDocuments
        .filter(({ isDirty }) => isDirty)
        .map((document) => [document.uri.toString(), document]),
    );
    const ignored = options.ignored === true ? new Set<string>() : await ignoredAmong(uris);
    const bytesOf = (uri: vscode.Uri): Promise<Uint8Array | 'large' | undefined> =>
      isOnDisk(uri) ? bytesOnDisk(uri, maxBytes) : bytesElsewhere(uri, maxBytes);
    let done = 0;
    const read = async (uri: vscode.Uri): Promise<string | undefined> => {
      if (done % progressStep === 0) {
        onProgress?.(done, uris.length);
      }
      done += 1;
      const key = uri.toString();
      return ignored.has(key)
        ? undefined
        : (unsaved.get(key)?.getText() ?? (await textOfFile(uri, bytesOf, onSkipped)));
    };
    for await (const { file, text } of readBatched(uris, read, () => isCancelled(token))) {
      yield { uri: file, text };
    }
    if (!isCancelled(token)) {
      onProgress?.(uris.length, uris.length);
    }
  }

  /**
   * The files of a folder that may be of interest, by git's own search, which is there far sooner than the texts of all. What
   * `files.exclude` hides is among them.
   *
   * @param pattern an extended regular expression; letters stand for small and capital ones.
   * @returns undefined where git does not know the folder.
   */
  async search(
    folder: vscode.Uri,
    pattern: string,
    token: vscode.CancellationToken,
  ): Promise<readonly vscode.Uri[] | undefined> {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      const { searchByGit } = await import('#platform/git.ts');
      return await searchByGit(folder, pattern, controller.signal);
    } finally {
      subscription.dispose();
    }
  }

  /** Whether git ignores a file; false where git does not know it. */
  async isIgnored(uri: vscode.Uri): Promise<boolean> {
    return (await ignoredAmong([uri])).size > 0;
  }
}

/** Whether a path leads into a folder of other people's code or of tools, whose files are never read. */
export function isForeign(path: string): boolean {
  return path.split('/').some((name) => foreignFolders.includes(name));
}

/** The files among those given that git ignores, by their URIs. */
async function ignoredAmong(uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
  const { GitIgnore } = await import('#platform/git.ts');
  return await new GitIgnore().ignoredAmong(uris);
}

/** By a call, because the value changes while other tasks run. */
function isCancelled(token: vscode.CancellationToken | undefined): boolean {
  return token?.isCancellationRequested ?? false;
}

async function textOfFile(
  uri: vscode.Uri,
  bytesOf: (uri: vscode.Uri) => Promise<Uint8Array | 'large' | undefined>,
  onSkipped: ReadOptions['onSkipped'],
): Promise<string | undefined> {
  try {
    const bytes = await bytesOf(uri);
    if (bytes === 'large') {
      onSkipped?.(uri, bytes);
      return undefined;
    }
    return bytes && textOfBytes(bytes);
  } catch {
    // Deleted since it was listed, or not ours to read.
    onSkipped?.(uri, 'unreadable');
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
