import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import type * as vscode from 'vscode';
import { TextDocument } from 'vscode-languageserver-textdocument';
import * as types from './types.ts';

/** The languages of files that tests open. */
const languages: Readonly<Record<string, string>> = {
  ...{ '.ts': 'typescript', '.js': 'javascript', '.py': 'python', '.rb': 'ruby', '.go': 'go', '.sh': 'shellscript' },
  ...{ '.md': 'markdown', '.json': 'json', '.yml': 'yaml', '.java': 'java', '.php': 'php', '.cs': 'csharp' },
};

export function decode(bytes: Uint8Array, encoding?: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

interface DocumentOptions {
  readonly language?: string;
  readonly encoding?: string;
}

export class Document {
  readonly uri: vscode.Uri;
  encoding: string;
  readonly isUntitled: boolean;
  readonly saved: types.EventEmitter<Document>;
  isDirty = false;
  #text: TextDocument;

  constructor(uri: vscode.Uri, text: string, saved: types.EventEmitter<Document>, options: DocumentOptions) {
    const { encoding = 'utf8', language = languages[extname(uri.path)] ?? 'plaintext' } = options;
    [this.uri, this.saved, this.encoding, this.isUntitled] = [uri, saved, encoding, uri.scheme === 'untitled'];
    this.#text = TextDocument.create(uri.toString(), language, 1, text);
  }

  get text(): string {
    return this.#text.getText();
  }

  get languageId(): string {
    return this.#text.languageId;
  }

  get version(): number {
    return this.#text.version;
  }

  get lineCount(): number {
    return this.#text.lineCount;
  }

  getText(range?: vscode.Range): string {
    return this.#text.getText(range);
  }

  lineAt(place: number | types.Position): { text: string; range: types.Range; lineNumber: number } {
    const lineNumber = typeof place === 'number' ? place : place.line;
    const text = this.getText(new types.Range(lineNumber, 0, lineNumber + 1, 0)).replace(/\r?\n$/, '');
    return { text, lineNumber, range: new types.Range(lineNumber, 0, lineNumber, text.length) };
  }

  offsetAt(position: types.Position): number {
    return this.#text.offsetAt(position);
  }

  positionAt(offset: number): types.Position {
    const { line, character } = this.#text.positionAt(offset);
    return new types.Position(line, character);
  }

  change(edits: readonly vscode.TextEdit[]): void {
    const text = TextDocument.applyEdits(this.#text, [...edits]);
    this.#text = TextDocument.update(this.#text, [{ text }], this.version + 1);
  }

  /** Writes a file, in UTF-8 or with a byte for each character. */
  async save(): Promise<boolean> {
    writeFileSync(this.uri.fsPath, this.text, this.encoding === 'utf8' ? 'utf8' : 'latin1');
    this.isDirty = false;
    this.saved.fire(this);
    return true;
  }
}

/** The documents of a window, and the edits of its workspace. */
export class Documents {
  readonly all: Document[] = [];
  readonly opened = new types.EventEmitter<Document>();
  readonly changed = new types.EventEmitter<{ document: Document; contentChanges: readonly object[] }>();
  readonly saved = new types.EventEmitter<Document>();
  readonly #providers = new Map<string, vscode.TextDocumentContentProvider>();
  /** Whether the user accepts what a preview lists. */
  readonly #accepts: (labels: readonly string[]) => Promise<boolean>;

  constructor(accepts: (labels: readonly string[]) => Promise<boolean>) {
    this.#accepts = accepts;
  }

  find(uri: vscode.Uri): Document | undefined {
    return this.all.find((one) => one.uri.toString() === uri.toString());
  }

  async open(
    given: vscode.Uri | string | { language?: string; content?: string } = {},
    options: { encoding?: string } = {},
  ): Promise<Document> {
    if (typeof given === 'object' && !('scheme' in given)) {
      const uri = types.Uri.from({ scheme: 'untitled', path: `Untitled-${this.all.length + 1}` });
      return this.#add(new Document(uri, given.content ?? '', this.saved, given));
    }
    const uri = typeof given === 'string' ? types.Uri.file(given) : given;
    const known = this.find(uri);
    if (known && options.encoding === undefined) {
      return known;
    }
    const text = this.#providers.has(uri.scheme)
      ? await this.#provided(uri)
      : decode(readFileSync(uri.fsPath), options.encoding);
    const document = this.find(uri);
    if (document && options.encoding !== undefined) {
      document.encoding = options.encoding;
      this.replaceAll(document, text, false);
    }
    return document ?? this.#add(new Document(uri, text, this.saved, options));
  }

  /** Takes the texts of addresses that are no files from a provider. */
  provide(scheme: string, provider: vscode.TextDocumentContentProvider): types.Disposable {
    this.#providers.set(scheme, provider);
    return new types.Disposable(() => this.#providers.delete(scheme));
  }

  replaceAll(document: Document, text: string, isDirty: boolean): void {
    this.#change(document, [{ range: new types.Range(0, 0, document.lineCount, 0), newText: text }], isDirty);
  }

  /** Does all steps of an edit, after the user has seen those that are to be confirmed. */
  async apply(edit: types.WorkspaceEdit): Promise<boolean> {
    const steps = edit._allEntries() as readonly Step[];
    const versions = () => JSON.stringify(edit.entries().map(([uri]) => this.find(uri)?.version));
    const before = versions();
    const edits = steps.filter((step) => step.edit);
    const labels = edits.map(({ metadata }) => [metadata?.label, metadata?.description].filter(Boolean).join(' · '));
    const isAsked = steps.some(({ metadata }) => metadata?.needsConfirmation);
    if ((isAsked && !(await this.#accepts(labels))) || versions() !== before) {
      // What has changed during the preview is a conflict.
      return false;
    }
    for (const { to, options } of steps) {
      if (to && !existsSync(to.fsPath)) {
        writeFileSync(to.fsPath, options?.contents ?? '');
      } else if (to && options?.ignoreIfExists !== true) {
        return false;
      }
    }
    for (const [uri, ofFile] of edit.entries()) {
      this.#change(await this.open(uri), ofFile, true);
    }
    return true;
  }

  #change(document: Document, contentChanges: readonly vscode.TextEdit[], isDirty: boolean): void {
    document.change(contentChanges);
    document.isDirty = isDirty;
    this.changed.fire({ document, contentChanges });
  }

  async #provided(uri: vscode.Uri): Promise<string> {
    const { token } = new types.CancellationTokenSource();
    return (await this.#providers.get(uri.scheme)?.provideTextDocumentContent(uri, token)) as string;
  }

  #add(document: Document): Document {
    this.all.push(document);
    this.opened.fire(document);
    return document;
  }
}

/** What an edit does to a file: creates it, or changes its text. */
interface Step {
  readonly to?: vscode.Uri;
  readonly options?: { readonly ignoreIfExists?: boolean; readonly contents?: Uint8Array };
  readonly edit?: vscode.TextEdit;
  readonly metadata?: vscode.WorkspaceEditEntryMetadata;
}
