import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import type * as vscode from 'vscode';
import { EventEmitter, Position, Range, type Step, type TextEdit, Uri } from './types.ts';

const languages: Readonly<Record<string, string>> = {
  ...{ '.ts': 'typescript', '.js': 'javascript', '.py': 'python', '.rb': 'ruby', '.go': 'go', '.sh': 'shellscript' },
  ...{ '.md': 'markdown', '.json': 'json', '.yml': 'yaml', '.java': 'java', '.php': 'php', '.cs': 'csharp' },
};
const labels: Readonly<Record<string, string>> = { utf8: 'utf-8', iso88591: 'iso-8859-1' };

export function decode(bytes: Uint8Array, encoding = 'utf8'): string {
  return new TextDecoder(labels[encoding] ?? encoding).decode(bytes);
}

export class Document {
  readonly uri: vscode.Uri;
  readonly languageId: string;
  readonly encoding: string;
  readonly isUntitled: boolean;
  version = 1;
  isDirty = false;
  isClosed = false;
  text: string;
  readonly #saved: EventEmitter<Document>;

  constructor(uri: vscode.Uri, text: string, saved: EventEmitter<Document>, { language = '', encoding = 'utf8' } = {}) {
    [this.uri, this.text, this.#saved, this.encoding] = [uri, text, saved, encoding];
    this.languageId = language || languages[extname(uri.path)] || 'plaintext';
    this.isUntitled = uri.scheme === 'untitled';
  }

  get fileName(): string {
    return this.uri.fsPath;
  }

  get lineCount(): number {
    return this.text.split('\n').length;
  }

  getText(range?: Range): string {
    return range ? this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.text;
  }

  lineAt(place: number | Position): { text: string; range: Range; lineNumber: number } {
    const lineNumber = typeof place === 'number' ? place : place.line;
    const text = (this.text.split('\n')[lineNumber] ?? '').replace(/\r$/, '');
    return { text, lineNumber, range: new Range(lineNumber, 0, lineNumber, text.length) };
  }

  offsetAt({ line, character }: Position): number {
    const lines = this.text.split('\n');
    const before = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
    return Math.min(before + Math.min(character, this.lineAt(line).text.length), this.text.length);
  }

  positionAt(offset: number): Position {
    const before = this.text.slice(0, Math.max(offset, 0)).split('\n');
    return new Position(before.length - 1, (before.at(-1) ?? '').length);
  }

  async save(): Promise<boolean> {
    if (this.uri.scheme === 'file') {
      writeFileSync(this.uri.fsPath, this.text);
      this.isDirty = false;
      this.#saved.fire(this);
    }
    return !this.isUntitled;
  }
}

/** The documents of a window, and the edits of its workspace. */
export class Documents {
  readonly all: Document[] = [];
  readonly opened = new EventEmitter<Document>();
  readonly changed = new EventEmitter<{ document: Document; contentChanges: readonly object[] }>();
  readonly saved = new EventEmitter<Document>();
  readonly closed = new EventEmitter<Document>();
  /** What gives the texts of addresses that are no files, by their scheme. */
  readonly providers = new Map<string, vscode.TextDocumentContentProvider>();
  /** Whether the user accepts what a preview lists. */
  readonly #accepts: (labels: readonly string[]) => Promise<boolean>;
  #untitled = 0;

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
      const uri = Uri.from({ scheme: 'untitled', path: `Untitled-${(this.#untitled += 1)}` });
      return this.#add(new Document(uri, given.content ?? '', this.saved, { language: given.language ?? '' }));
    }
    const uri = typeof given === 'string' ? Uri.file(given) : given;
    const known = this.find(uri);
    if (known && (options.encoding ?? known.encoding) === known.encoding) {
      return known;
    }
    const provider = this.providers.get(uri.scheme);
    const token = { isCancellationRequested: false } as vscode.CancellationToken;
    const text = provider
      ? ((await provider.provideTextDocumentContent(uri, token)) ?? '')
      : decode(readFileSync(uri.fsPath), options.encoding);
    return this.find(uri) ?? this.#add(new Document(uri, text, this.saved, options));
  }

  close(document: Document): void {
    this.all.splice(this.all.indexOf(document), 1);
    document.isClosed = true;
    this.closed.fire(document);
  }

  /** Replaces parts of a text, as one change. */
  change(document: Document, edits: readonly TextEdit[], isDirty = true): void {
    const contentChanges = edits
      .map(({ range, newText }, order) => ({
        range,
        rangeOffset: document.offsetAt(range.start),
        text: newText,
        order,
      }))
      .toSorted((one, other) => other.rangeOffset - one.rangeOffset || other.order - one.order);
    for (const { range, rangeOffset, text } of contentChanges) {
      document.text = document.text.slice(0, rangeOffset) + text + document.text.slice(document.offsetAt(range.end));
    }
    document.version += 1;
    document.isDirty = isDirty;
    this.changed.fire({ document, contentChanges });
  }

  /** Does all steps of an edit, after the user has seen those that are to be confirmed. */
  async apply(steps: readonly Step[]): Promise<boolean> {
    const versions = (): string =>
      this.all
        .filter(({ uri }) => steps.some((step) => step.uri.toString() === uri.toString()))
        .map(({ version }) => version)
        .join();
    const before = versions();
    if (
      steps.some(({ options }) => options['needsConfirmation'] === true) &&
      !(await this.#accepts(
        steps
          .filter(({ edit }) => edit)
          .map(({ options }) =>
            Object.values(options)
              .filter((one) => typeof one === 'string')
              .join(' · '),
          ),
      ))
    ) {
      return false;
    }
    if (versions() !== before) {
      // What has changed during the preview is a conflict.
      return false;
    }
    for (const { uri, options } of steps.filter(({ edit }) => !edit)) {
      if (!existsSync(uri.fsPath) || options['overwrite'] === true) {
        mkdirSync(dirname(uri.fsPath), { recursive: true });
        writeFileSync(uri.fsPath, (options['contents'] as Uint8Array | undefined) ?? '');
      } else if (options['ignoreIfExists'] !== true) {
        return false;
      }
    }
    const edits = Map.groupBy(
      steps.filter(({ edit }) => edit),
      ({ uri }) => uri.toString(),
    );
    for (const [uri, ofFile] of edits) {
      this.change(
        await this.open(Uri.parse(uri)),
        ofFile.flatMap(({ edit }) => edit ?? []),
      );
    }
    return true;
  }

  #add(document: Document): Document {
    this.all.push(document);
    this.opened.fire(document);
    return document;
  }
}
