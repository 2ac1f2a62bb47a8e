import * as vscode from 'vscode';
import { systemClock } from '../../common/clock.ts';
import { isBelow } from '../../common/paths.ts';
import type { ReadOptions, WorkspaceFiles } from '../../workspace/files.ts';
import { isForeign } from '../../workspace/reading.ts';
import { type Dsn, dsnHint, DsnSearch, RisingPositions } from '../dsn.ts';
import { localSettings, searchDsns, textRange } from '../usages.ts';

/** A glob for certain files of a folder, by their paths below it. What is special in a glob stands for any one character. */
function globOf(paths: readonly string[]): string {
  return `{${paths.map((path) => path.replaceAll(/[[\]{}*?,!\\]/g, '?')).join(',')}}`;
}

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
  readonly rest?: vscode.Range;
}

/** So many DSNs of a file are looked at: more are no program's, and each is asked about. */
export const mostOfFile = 200;
/** So many of all files together. */
export const mostOfAll = 2000;
/** So many characters of files that may have DSNs are looked through by one scan. */
const mostOfScan = 64 * 1024 * 1024;

/** Milliseconds without another change before what has changed is read. */
const quietTime = 400;
/** So many files are looked for by their names at once; beyond as many changes, such as after a checkout, all is read again. */
const mostFiles = 200;
const maxLength = 1024 * 1024;

/**
 * Knows the DSNs in the workspace's files: by one search through all of them in the background, and then by reading those that
 * change.
 * These are the files that are searched before a key is deleted, but for binary and large ones: what git ignores is among them
 * where it holds settings.
 */
export class DsnIndex implements vscode.Disposable {
  readonly #files: Pick<WorkspaceFiles, 'read' | 'search' | 'isIgnored'>;
  readonly #folders: () => readonly vscode.Uri[];
  #watchers: readonly vscode.Disposable[] = [];
  readonly #entries = new Map<string, FileDsns>();
  #count = 0;
  #isComplete = true;
  readonly #changed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  readonly #completeness = new vscode.EventEmitter<boolean>();
  #subscriptions: readonly vscode.Disposable[] = [];
  /** Files that have changed on disk, and documents that have changed in the editor, and were not read since. */
  readonly #changedFiles = new Map<string, vscode.Uri>();
  readonly #changedDocuments = new Set<vscode.TextDocument>();
  /** Whether a document is looked at, which its path and the settings decide. */
  readonly #lookedAt = new Map<string, Promise<boolean>>();
  #cancelTimer: (() => void) | undefined;
  #scan = new vscode.CancellationTokenSource();
  #scanned: Promise<void> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();

  /** Fires with the files whose DSNs are others now. */
  readonly onDidChange = this.#changed.event;
  /** Fires with whether all that there is was looked at, when that is another answer than before. */
  readonly onDidChangeCompleteness = this.#completeness.event;

  /** @param folders whose files are looked at: those of the workspace. */
  constructor(
    files: Pick<WorkspaceFiles, 'read' | 'search' | 'isIgnored'>,
    folders = (): readonly vscode.Uri[] => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
  ) {
    this.#files = files;
    this.#folders = folders;
  }

  /** The files that have DSNs. */
  get all(): readonly FileDsns[] {
    return [...this.#entries.values()];
  }

  get(uri: vscode.Uri): readonly PlacedDsn[] {
    return this.#entries.get(uri.toString())?.dsns ?? [];
  }

  /** Where the first DSN of a file is that is left out, because the file has too many. */
  restOf(uri: vscode.Uri): vscode.Range | undefined {
    return this.#entries.get(uri.toString())?.rest;
  }

  /** Begins to read the workspace and to follow its changes, unless it does. */
  start(): void {
    if (this.#subscriptions.length > 0) {
      return;
    }
    const onDocument = (document: vscode.TextDocument): void => {
      this.#changedDocuments.add(document);
      this.#wait();
    };
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument(onDocument),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          onDocument(document);
        }
      }),
      // What was not saved is gone.
      vscode.workspace.onDidCloseTextDocument(({ uri }) =>
        uri.scheme === 'untitled' ? this.#set(uri, []) : this.#noteFile(uri),
      ),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#watch();
        this.rescan();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude')) {
          this.rescan();
        }
      }),
    ];
    this.#watch();
    this.rescan();
  }

  /** Reads no more, and forgets what was read. */
  stop(): void {
    this.#cancelTimer?.();
    this.#scan.cancel();
    vscode.Disposable.from(...this.#subscriptions, ...this.#watchers).dispose();
    this.#subscriptions = [];
    this.#watchers = [];
    this.#changedDocuments.clear();
    this.#changedFiles.clear();
    this.all.forEach(({ uri }) => this.#set(uri, []));
    this.#setComplete(true);
  }

  /** Reads everything again; what was being read is left. */
  rescan(): void {
    this.#scan.cancel();
    this.#scan.dispose();
    this.#scan = new vscode.CancellationTokenSource();
    this.#lookedAt.clear();
    this.#setComplete(true);
    const { token } = this.#scan;
    vscode.workspace.textDocuments.forEach((document) => this.#changedDocuments.add(document));
    this.#wait();
    this.#scanned = this.#readAll(token);
  }

  /** Resolves when what has changed by now is known. */
  async settled(): Promise<void> {
    await this.#readChanged();
    await this.#scanned;
    if (this.#changedFiles.size + this.#changedDocuments.size > 0) {
      await this.settled();
    }
  }

  dispose(): void {
    this.#cancelTimer?.();
    this.#scan.cancel();
    this.#scan.dispose();
    vscode.Disposable.from(...this.#subscriptions, ...this.#watchers, this.#changed, this.#completeness).dispose();
  }

  #watch(): void {
    vscode.Disposable.from(...this.#watchers).dispose();
    this.#watchers = this.#folders().flatMap((folder) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**/*'));
      const note = (uri: vscode.Uri): void => {
        // Git writes to its own folder all the time.
        if (!isForeign(uri.path.slice(folder.path.length))) {
          this.#noteFile(uri);
        }
      };
      return [watcher, watcher.onDidCreate(note), watcher.onDidChange(note), watcher.onDidDelete(note)];
    });
  }

  #noteFile(uri: vscode.Uri): void {
    this.#lookedAt.delete(uri.toString());
    this.#changedFiles.set(uri.toString(), uri);
    this.#wait();
  }

  async #readAll(token: vscode.CancellationToken): Promise<void> {
    const seen = new Set<string>();
    let characters = 0;
    const options = { token, isUnasked: true, onCut: () => this.#setComplete(false) };
    for (const folder of this.#folders()) {
      const candidates = await this.#files.search(folder, dsnHint, token);
      const found = candidates && globsOf(folder, candidates).map((glob) => ({ glob, onlyIgnored: false }));
      // Git does not search what it ignores.
      for (const { glob, ...rest } of found
        ? [...found, { glob: localSettings, onlyIgnored: true }]
        : [{ glob: '**/*' }]) {
        for await (const { uri, text } of this.#read(folder, glob, { ...options, ...rest })) {
          if (new DsnSearch(text).isOver) {
            continue;
          }
          characters += text.length;
          if (characters > mostOfScan) {
            this.#setComplete(false);
            return;
          }
          if (await this.#look(uri, text, token)) {
            seen.add(uri.toString());
          }
          if (this.#count >= mostOfAll) {
            return;
          }
        }
      }
    }
    if (!token.isCancellationRequested) {
      // What is being edited may differ from what is on the disk.
      const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
      for (const { uri } of this.all) {
        if (!seen.has(uri.toString()) && uri.scheme === 'file' && !open.has(uri.toString())) {
          this.#set(uri, []);
        }
      }
    }
  }

  #read(folder: vscode.Uri, glob: string, options: ReadOptions): ReturnType<WorkspaceFiles['read']> {
    const include = new vscode.RelativePattern(folder, glob);
    return this.#files.read({ ...options, include, ignored: localSettings });
  }

  #wait(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = systemClock.after(quietTime, () => void this.#readChanged());
  }

  /** Reads what has changed, after what was being read: an older text never replaces a newer one. */
  async #readChanged(): Promise<void> {
    this.#cancelTimer?.();
    this.#reading = this.#reading.then(() => this.#readAllChanged());
    await this.#reading;
  }

  async #readAllChanged(): Promise<void> {
    const documents = [...this.#changedDocuments];
    const files = [...this.#changedFiles.values()];
    this.#changedDocuments.clear();
    this.#changedFiles.clear();
    for (const document of documents) {
      await this.#readDocument(document);
    }
    if (files.length > mostFiles) {
      this.rescan();
      await this.#scanned;
    } else {
      await this.#readFiles(files);
    }
  }

  async #readDocument(document: vscode.TextDocument): Promise<void> {
    const { uri } = document;
    // What the editor shows besides files, such as settings, output and versions of git, has DSNs of other places.
    if (document.isClosed || !['file', 'untitled', 'vscode-remote', 'vscode-vfs'].includes(uri.scheme)) {
      return;
    }
    const text = document.getText();
    const mayHave = text.length <= maxLength && !new DsnSearch(text).isOver;
    if (mayHave && (await this.#isLookedAt(uri))) {
      await this.#look(uri, document.isClosed ? text : document.getText(), this.#scan.token);
    } else {
      this.#set(uri, []);
    }
  }

  async #readFiles(uris: readonly vscode.Uri[]): Promise<void> {
    for (const folder of this.#folders()) {
      const inside = uris.filter((uri) => isBelow(folder, uri));
      if (inside.length === 0) {
        continue;
      }
      const missing = new Map(inside.map((uri) => [uri.toString(), uri]));
      for (const glob of globsOf(folder, inside)) {
        for await (const { uri, text } of this.#read(folder, glob, {})) {
          missing.delete(uri.toString());
          await this.#look(uri, text, this.#scan.token);
        }
      }
      missing.forEach((uri) => this.#set(uri, []));
    }
  }

  /** Whether a document is looked at: one of a folder of the workspace if the search finds it. */
  async #isLookedAt(uri: vscode.Uri): Promise<boolean> {
    const folder = this.#folders().find((candidate) => isBelow(candidate, uri));
    if (!folder) {
      return !(await this.#files.isIgnored(uri));
    }
    const find = async (): Promise<boolean> => {
      const path = uri.path.slice(folder.path.length + 1);
      for await (const { uri: found } of this.#read(folder, globOf([path]), { maxBytes: Infinity })) {
        if (found.toString() === uri.toString()) {
          return true;
        }
      }
      return false;
    };
    const known = this.#lookedAt.get(uri.toString()) ?? find();
    this.#lookedAt.set(uri.toString(), known);
    return await known;
  }

  /** @returns whether a text has DSNs. */
  async #look(uri: vscode.Uri, text: string, token: vscode.CancellationToken): Promise<boolean> {
    const found = await searchDsns(text, mostOfFile + 1);
    if (token.isCancellationRequested) {
      return false;
    }
    const positions = new RisingPositions(text);
    const placed = found.map(({ dsn, offset, written }) => ({ dsn, range: textRange(positions.at(offset), written) }));
    this.#set(uri, placed);
    return placed.length > 0;
  }

  #set(uri: vscode.Uri, found: readonly PlacedDsn[]): void {
    const key = uri.toString();
    const before = this.#entries.get(key);
    const others = this.#count - (before?.dsns.length ?? 0);
    const dsns = found.slice(0, Math.min(mostOfFile, mostOfAll - others));
    const rest = found[dsns.length]?.range;
    this.#count = others + dsns.length;
    if (this.#count >= mostOfAll) {
      this.#setComplete(false);
    }
    if (found.length > 0) {
      this.#entries.set(key, { uri, dsns, ...(rest ? { rest } : {}) });
    } else if (!this.#entries.delete(key)) {
      return;
    }
    this.#changed.fire([uri]);
  }

  #setComplete(isComplete: boolean): void {
    if (this.#isComplete !== isComplete) {
      this.#isComplete = isComplete;
      this.#completeness.fire(isComplete);
    }
  }
}

/** Globs for certain files of a folder, each for as many as one search takes. */
function globsOf(folder: vscode.Uri, uris: readonly vscode.Uri[]): readonly string[] {
  const paths = uris.map(({ path }) => path.slice(folder.path.length + 1));
  return Array.from({ length: Math.ceil(paths.length / mostFiles) }, (_, part) =>
    globOf(paths.slice(part * mostFiles, (part + 1) * mostFiles)),
  );
}
