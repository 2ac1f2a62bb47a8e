import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { systemClock } from '../common/clock.ts';

/** The documents that users write; what the editor shows besides, such as settings, output and versions of git, are no programs. */
export const documentSchemes: readonly string[] = [
  ...['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-notebook-cell'],
];

/** Longer documents are data or generated. */
const longestDocument = 1024 * 1024;
/** How long the user has to pause, in milliseconds, before a changed document is read again. */
const pause = 400;

/**
 * Finds what is wrong in a document, as it is now.
 *
 * @param isOutdated whether the document has changed since, so that nobody waits for what is found.
 */
export type FindProblems = (
  document: vscode.TextDocument,
  isOutdated: () => boolean,
) => Promise<readonly vscode.Diagnostic[]>;

export class DocumentProblems implements vscode.Disposable {
  readonly #collection: vscode.DiagnosticCollection;
  readonly #find: FindProblems;
  readonly #log: vscode.LogOutputChannel;
  /** What ends the newest look at each document, due or under way: what an older one finds does not count. */
  readonly #looks = new Map<string, () => void>();
  readonly #subscription: vscode.Disposable;

  /** @param staysOnClose whether the problems of a document stay when it is closed. */
  constructor(name: string, find: FindProblems, log: vscode.LogOutputChannel, staysOnClose = false) {
    this.#collection = vscode.languages.createDiagnosticCollection(name);
    this.#find = find;
    this.#log = log;
    const { workspace } = vscode;
    this.#subscription = vscode.Disposable.from(
      this.#collection,
      workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        contentChanges.length > 0 ? this.#schedule(document, pause) : undefined,
      ),
      workspace.onDidCloseTextDocument((document) => {
        this.#looks.get(document.uri.toString())?.();
        if (staysOnClose && !document.isUntitled) {
          // Changes may have been dropped right before.
          this.#schedule(document, 0);
        } else {
          this.#collection.delete(document.uri);
        }
      }),
      workspace.onDidSaveTextDocument(({ uri }) => (uri.path.endsWith('/.gitignore') ? this.refresh() : undefined)),
      workspace.onDidGrantWorkspaceTrust(() => this.refresh()),
    );
    this.refresh();
  }

  /** Looks at all open documents again, such as when other settings hold. */
  refresh(): void {
    vscode.workspace.textDocuments.forEach((document) => this.#schedule(document, 0));
  }

  /** Shows problems of files that are not open, and of no other such files. */
  setClosed(found: readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[]): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const closed = new Map(found.filter(([uri]) => !open.has(uri.toString())).map((one) => [one[0].toString(), one]));
    this.#collection.forEach((uri) => {
      if (!open.has(uri.toString()) && !closed.has(uri.toString())) {
        this.#collection.delete(uri);
      }
    });
    closed.forEach(([uri, problems]) => this.#collection.set(uri, problems));
  }

  dispose(): void {
    this.#looks.forEach((cancel) => cancel());
    this.#subscription.dispose();
  }

  #schedule(document: vscode.TextDocument, delay: number): void {
    const { uri } = document;
    if (!documentSchemes.includes(uri.scheme)) {
      return;
    }
    const key = uri.toString();
    this.#looks.get(key)?.();
    let isOver = false;
    const stop = systemClock.after(delay, () => {
      const found =
        vscode.workspace.isTrusted && document.getText().length <= longestDocument
          ? this.#find(document, () => isOver)
          : Promise.resolve([]);
      found
        .then((problems) => (isOver ? undefined : this.#collection.set(uri, problems)))
        .catch((error: unknown) => this.#log.error(inspect(error)))
        .finally(() => (isOver ? undefined : this.#looks.delete(key)));
    });
    this.#looks.set(key, () => {
      isOver = true;
      stop();
      this.#looks.delete(key);
    });
  }
}
