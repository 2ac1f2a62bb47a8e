import * as vscode from 'vscode';
import { fitsName, isForeign, type ReadOptions, type WorkspaceFiles } from '../workspace/files.ts';
import { type Dsn, dsnHint, risingPositions, searchDsns } from './dsn.ts';
import { dsnsIn, localSettings, textRange } from './usages.ts';

/** A DSN in a file. */
export interface PlacedDsn {
  readonly dsn: Dsn;
  readonly range: vscode.Range;
}

/** The DSNs of one file. */
export interface FileDsns {
  readonly uri: vscode.Uri;
  readonly dsns: readonly PlacedDsn[];
  /** Where the first DSN is that is not among them, because the file has too many. */
  readonly rest?: vscode.Range | undefined;
}

/** At most this many DSNs of a file are looked at, and this many of all files together: more are no program's, and each is asked about. */
export const mostOfFile = 200;
export const mostOfAll = 2000;
/** At most this many characters of files are read by one scan, whatever they hold. */
const mostCharacters = 64 * 1024 * 1024;
/** At most this many files are looked for by their names at once. */
const mostNames = 200;

/**
 * Knows the DSNs in the workspace's files: by one scan, and then by the documents that are open. These are the files that are searched
 * before a key is deleted, but for binary and large ones: what git ignores is among them where it holds settings.
 */
export class DsnFiles implements vscode.Disposable {
  readonly #files: WorkspaceFiles;
  readonly #entries = new Map<string, FileDsns>();
  readonly #changed = new vscode.EventEmitter<void>();
  #scan = new vscode.CancellationTokenSource();
  #isComplete = false;

  /** Fires when a file has other DSNs. */
  readonly onDidChange = this.#changed.event;

  constructor(files: WorkspaceFiles) {
    this.#files = files;
  }

  /** The files that have DSNs. */
  get all(): readonly FileDsns[] {
    return [...this.#entries.values()];
  }

  /** Whether all files were scanned. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get(uri: vscode.Uri): FileDsns {
    return this.#entries.get(uri.toString()) ?? { uri, dsns: [] };
  }

  /** Reads a document as it is now. */
  async readDocument(document: vscode.TextDocument, isOutdated: () => boolean): Promise<void> {
    const { uri } = document;
    const text = document.getText();
    // Most documents have none, and git is not asked about them.
    const isMeant = !searchDsns(text).next().done && !isForeign(uri.path) && (await this.#isMeant(uri));
    await this.#look(uri, isMeant ? text : '', isOutdated);
    if (!isOutdated()) {
      this.#changed.fire();
    }
  }

  /** Reads all files of the workspace; what was being read before is left. */
  async scan(): Promise<void> {
    this.#scan.cancel();
    this.#scan = new vscode.CancellationTokenSource();
    const { token } = this.#scan;
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const seen = new Set(open);
    let isComplete = true;
    let characters = 0;
    const onCut = (): void => void (isComplete = false);
    const options: ReadOptions = { token, isUnasked: true, ignored: localSettings, onCut, onUnsearched: onCut };
    for await (const { uri, text } of this.#read(options)) {
      characters += text.length;
      const count = this.all.reduce((sum, { dsns }) => sum + dsns.length, 0);
      if (characters > mostCharacters || count >= mostOfAll) {
        isComplete = false;
        break;
      }
      seen.add(uri.toString());
      // What is being edited may differ from what is on the disk.
      if (!open.has(uri.toString())) {
        await this.#look(uri, text, () => token.isCancellationRequested);
      }
    }
    if (token.isCancellationRequested) {
      return;
    }
    [...this.#entries.keys()].filter((key) => !seen.has(key)).forEach((key) => this.#entries.delete(key));
    this.#isComplete = isComplete;
    this.#changed.fire();
  }

  /** Forgets everything. */
  clear(): void {
    this.#scan.cancel();
    this.#entries.clear();
    this.#isComplete = false;
    this.#changed.fire();
  }

  dispose(): void {
    this.#scan.cancel();
    this.#changed.dispose();
  }

  /** The files that may have DSNs: by git's search, which is there far sooner than all texts, where a folder is a repository. */
  async *#read(options: ReadOptions): ReturnType<WorkspaceFiles['read']> {
    for (const { uri: folder } of vscode.workspace.workspaceFolders ?? []) {
      const found = options.token && (await this.#files.search(folder, dsnHint, options.token));
      for (const glob of found ? globsOf(folder, found) : ['**/*']) {
        yield* this.#files.read({ ...options, include: new vscode.RelativePattern(folder, glob) });
      }
      if (found) {
        // Git does not search what it ignores.
        const include = new vscode.RelativePattern(folder, `**/{${localSettings.join(',')}}`);
        yield* this.#files.read({ ...options, include, onlyIgnored: true });
      }
    }
  }

  async #isMeant(uri: vscode.Uri): Promise<boolean> {
    return fitsName(localSettings, uri.path) || (await this.#files.isIgnored(uri)) !== true;
  }

  async #look(uri: vscode.Uri, text: string, isOutdated: () => boolean): Promise<void> {
    const found = await dsnsIn(text, mostOfFile + 1);
    if (isOutdated()) {
      return;
    }
    const positionOf = risingPositions(text);
    const placed = found.map(({ dsn, offset, written }) => ({ dsn, range: textRange(positionOf(offset), written) }));
    if (placed.length > 0) {
      this.#entries.set(uri.toString(), { uri, dsns: placed.slice(0, mostOfFile), rest: placed[mostOfFile]?.range });
    } else {
      this.#entries.delete(uri.toString());
    }
  }
}

/** Globs for certain files of a folder, each for as many as one search takes. What is special in a glob stands for any one character. */
function globsOf(folder: vscode.Uri, uris: readonly vscode.Uri[]): readonly string[] {
  const paths = uris.map(({ path }) => path.slice(folder.path.length + 1).replaceAll(/[[\]{}*?,!\\]/g, '?'));
  return Array.from(
    { length: Math.ceil(paths.length / mostNames) },
    (_, part) => `{${paths.slice(part * mostNames, (part + 1) * mostNames).join(',')}}`,
  );
}
