import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import type { Finding } from './recognize.ts';
import { onDidChangeSettings, settingsOf } from './settings.ts';

/** How long the user has to pause, in milliseconds, before a changed document is read again. */
const pause = 400;
/** Longer documents are data or generated. */
const maxLength = 1024 * 1024;
/** Steps that a document may cost: some times what one of that length needs. */
const maxSteps = 30_000_000;
const schemes = new Set(['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-notebook-cell']);

/** The name that diagnostics of this feature have as their source. */
export const hintSource = 'Beacon';

/** API v5 hints in the open documents, as diagnostics. */
export class Hints implements vscode.Disposable {
  readonly #files: WorkspaceFiles;
  readonly #log: vscode.LogOutputChannel;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('beacon.deprecations');
  readonly #findings = new Map<string, readonly Finding[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #updated = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: vscode.Disposable[];
  /** Fires with a document's URI when its hints are up to date. */
  readonly onDidUpdate = this.#updated.event;

  constructor(files: WorkspaceFiles, log: vscode.LogOutputChannel) {
    this.#files = files;
    this.#log = log;
    const { workspace } = vscode;
    this.#subscriptions = [
      this.#diagnostics,
      this.#updated,
      workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#schedule(document, pause);
        }
      }),
      workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      workspace.onDidSaveTextDocument((document) => {
        if (document.uri.path.endsWith('/.gitignore')) {
          this.#refresh();
        }
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.#refresh()),
      onDidChangeSettings(() => this.#refresh()),
    ];
    this.#refresh();
  }

  /** The findings of a document, as it is now, that a range touches. */
  findingsIn(document: vscode.TextDocument, range: vscode.Range): readonly Finding[] {
    const findings = this.#findings.get(keyOf(document)) ?? [];
    return findings.filter((finding) => rangeOf(document, finding).intersection(range) !== undefined);
  }

  dispose(): void {
    this.#timers.forEach((timer) => clearTimeout(timer));
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #refresh(): void {
    vscode.workspace.textDocuments.forEach((document) => this.#schedule(document, 0));
  }

  #schedule(document: vscode.TextDocument, delay: number): void {
    if (!schemes.has(document.uri.scheme)) {
      return;
    }
    const key = keyOf(document);
    clearTimeout(this.#timers.get(key));
    // What was found in the text of before points to places that are no longer there.
    this.#findings.delete(key);
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        this.#update(document).catch((error: Error) => this.#log.error(error));
      }, delay),
    );
  }

  #forget(document: vscode.TextDocument): void {
    const key = keyOf(document);
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#findings.delete(key);
    this.#diagnostics.delete(document.uri);
  }

  async #update(document: vscode.TextDocument): Promise<void> {
    const { version } = document;
    const findings = await this.#findOrSkip(document);
    const { diagnosticOf } = await import('./changeTexts.ts');
    // Changed or closed in the meantime: the next update, or none, is what counts.
    if (document.isClosed || document.version !== version || this.#timers.has(keyOf(document))) {
      return;
    }
    const { severity } = settingsOf(document.uri);
    this.#findings.set(keyOf(document), findings);
    this.#diagnostics.set(
      document.uri,
      findings.map((finding) => diagnosticOf(finding.change, rangeOf(document, finding), severity)),
    );
    this.#updated.fire(document.uri);
  }

  /** A document that costs too much gets no hints; the log says so. */
  async #findOrSkip(document: vscode.TextDocument): Promise<readonly Finding[]> {
    try {
      return await this.#find(document);
    } catch (error) {
      this.#log.warn(`No API v5 hints in a document of ${document.getText().length} characters: ${String(error)}`);
      return [];
    }
  }

  async #find(document: vscode.TextDocument): Promise<readonly Finding[]> {
    if (!vscode.workspace.isTrusted || !settingsOf(document.uri).enabled) {
      return [];
    }
    const text = document.getText();
    if (text.length > maxLength) {
      return [];
    }
    const { languageOfPath } = await import('./languages.ts');
    const { recognizeInSlices } = await import('./scan.ts');
    const { languageId } = document;
    const source = {
      text,
      path: vscode.workspace.asRelativePath(document.uri),
      languageId: languageId === 'plaintext' ? languageOfPath(document.uri.path, text) : languageId,
    };
    const { version } = document;
    // A document that is changed meanwhile is read again anyway.
    const isOutdated = (): boolean => document.isClosed || document.version !== version;
    const findings = (await recognizeInSlices(source, maxSteps, isOutdated)).filter(({ tier }) => tier !== 'possible');
    // Git is asked last: for most documents not at all.
    return findings.length > 0 && (await this.#files.isIgnored(document.uri)) ? [] : findings;
  }
}

function keyOf(document: vscode.TextDocument): string {
  return document.uri.toString();
}

/** Where a finding stands in its document. */
export function rangeOf(document: vscode.TextDocument, { start, end }: Pick<Finding, 'start' | 'end'>): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
