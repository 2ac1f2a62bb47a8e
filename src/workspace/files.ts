import type * as vscode from 'vscode';

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
  /** Larger files are left out; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Globs of what is left out besides; braces may not be nested. */
  readonly exclude?: readonly string[];
  /** The names of files that come though git ignores them, in which `*` stands for anything. */
  readonly ignored?: readonly string[];
  /** Whether no others come. */
  readonly onlyIgnored?: boolean;
  /** Whether files that are no text come, too. */
  readonly withBinary?: boolean;
  /** Whether nobody has asked for it: then few files of a workspace are read that is far away. */
  readonly isUnasked?: boolean;
  /** Called if there may be more files than are read. */
  readonly onCut?: () => void;
  /** Ends the reading: no more files come. */
  readonly token?: vscode.CancellationToken;
  /** Called from time to time with the number of files done and the total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called for a file that is left out though it was to come, because it is too large or cannot be read. */
  readonly onSkipped?: (uri: vscode.Uri, reason: 'large' | 'unreadable') => void;
  /** Called for a folder that cannot be searched, as virtual ones in a browser. */
  readonly onUnsearched?: (folder: vscode.Uri) => void;
}

/**
 * Reads the files of the workspace for features that look for something in them. Left out are what git ignores,
 * `files.exclude` hides or is no text, and folders such as node_modules. Nothing is kept between two readings.
 */
export class WorkspaceFiles {
  /** The files of the workspace's folders with their texts, in no particular order; yields to other tasks between them. */
  async *read(options: ReadOptions = {}): AsyncGenerator<WorkspaceText, void, undefined> {
    const { readTexts } = await import('./reading.ts');
    yield* readTexts(options);
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

  /** Whether git ignores a file; undefined where git does not know it. */
  async isIgnored(uri: vscode.Uri): Promise<boolean | undefined> {
    const { isIgnored } = await import('#platform/git.ts');
    return await isIgnored(uri);
  }
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

/** Whether the name of a file is among some, in which `*` stands for anything. */
export function fitsName(names: readonly string[], path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return names.some((pattern) => {
    const [start = '', ...rest] = pattern.split('*');
    let at = name.startsWith(start) ? start.length : -1;
    for (const part of at < 0 ? [] : rest) {
      const next = name.indexOf(part, at);
      at = next < 0 ? -1 : next + part.length;
      if (at < 0) {
        return false;
      }
    }
    return at >= 0 && (rest.length === 0 ? name === start : name.endsWith(rest.at(-1) ?? ''));
  });
}
