import type * as vscode from 'vscode';

/** A file of the workspace with its text; of a file with unsaved changes, the text that the editor shows. */
export interface WorkspaceText {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** Whether it is no text file: then its characters stand for its bytes, without those that are zero. */
  readonly isBinary?: boolean;
}

export interface ReadOptions {
  /** Which files; all by default. */
  readonly include?: vscode.GlobPattern;
  /** Larger files are left out; 1 MiB by default. */
  readonly maxBytes?: number;
  /** Globs of what is left out besides; braces may not be nested. */
  readonly exclude?: readonly string[];
  /** A glob for the names of files that come though git ignores them. */
  readonly ignored?: string;
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
}

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
    const { GitIgnore } = await import('#platform/git.ts');
    return await new GitIgnore().isIgnored(uri);
  }
}
