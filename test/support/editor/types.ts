import { AsyncLocalStorage } from 'node:async_hooks';
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) as unknown as typeof vscode.Uri;

/** An enumeration of the editor whose first value has this number. */
const numbered = <T>(first: number, ...names: readonly (keyof T)[]): T =>
  Object.fromEntries(names.map((name, index) => [name, first + index])) as T;

export const ViewColumn = { Active: -1, One: 1 } as typeof vscode.ViewColumn;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as typeof vscode.FileType;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as typeof vscode.QuickPickItemKind;
export const ProgressLocation = { Window: 10, Notification: 15 } as typeof vscode.ProgressLocation;
export const InputBoxValidationSeverity = numbered<typeof vscode.InputBoxValidationSeverity>(
  1,
  'Info',
  'Warning',
  'Error',
);
export const DiagnosticSeverity = numbered<typeof vscode.DiagnosticSeverity>(
  0,
  'Error',
  'Warning',
  'Information',
  'Hint',
);
export const DiagnosticTag = numbered<typeof vscode.DiagnosticTag>(1, 'Unnecessary', 'Deprecated');
export const TreeItemCollapsibleState = numbered<typeof vscode.TreeItemCollapsibleState>(
  0,
  'None',
  'Collapsed',
  'Expanded',
);
export const TreeItemCheckboxState = numbered<typeof vscode.TreeItemCheckboxState>(0, 'Unchecked', 'Checked');
export const ConfigurationTarget = numbered<typeof vscode.ConfigurationTarget>(
  1,
  'Global',
  'Workspace',
  'WorkspaceFolder',
);
export const UIKind = numbered<typeof vscode.UIKind>(1, 'Desktop', 'Web');
export const QuickInputButtons = { Back: { iconPath: { id: 'quick-input-back' } } };

export class Disposable {
  #dispose: (() => unknown) | undefined;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  static from(...all: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }

  dispose(): void {
    const dispose = this.#dispose;
    this.#dispose = undefined;
    dispose?.();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();

  readonly event = (listener: (event: T) => unknown, thisArg?: unknown, disposables?: Disposable[]): Disposable => {
    // A listener belongs to the window that it was added in, whoever fires: windows share what is stored.
    const call = AsyncLocalStorage.bind((event: T): unknown => listener.call(thisArg, event));
    this.#listeners.add(call);
    const subscription = new Disposable(() => this.#listeners.delete(call));
    disposables?.push(subscription);
    return subscription;
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        // The others hear of it all the same, and the test fails.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<undefined>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    if (!this.token.isCancellationRequested) {
      this.token.isCancellationRequested = true;
      // Who asks later is told at once.
      this.token.onCancellationRequested = (listener) => {
        const late = setTimeout(listener, 0, undefined);
        return new Disposable(() => clearTimeout(late));
      };
      this.#cancelled.fire(undefined);
    }
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class CancellationError extends Error {
  override readonly name = 'Canceled';
}

export class FileSystemError extends Error {
  readonly code: string;

  constructor(message: string, code = 'Unknown') {
    super(message);
    this.code = code;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    if (line < 0 || character < 0) {
      throw new Error('illegal argument: a position begins at 0');
    }
    [this.line, this.character] = [line, character];
  }

  isAfter(other: Position): boolean {
    return this.line > other.line || (this.line === other.line && this.character > other.character);
  }

  isBefore(other: Position): boolean {
    return other.isAfter(this);
  }

  isEqual(other: Position): boolean {
    return !this.isAfter(other) && !this.isBefore(other);
  }

  translate(lines = 0, characters = 0): Position {
    return new Position(this.line + lines, this.character + characters);
  }
}

/** Where something begins and ends: two positions, or the numbers of both. */
type Ends = readonly [Position, Position] | readonly [number, number, number, number];

function positionsOf(ends: Ends): readonly [Position, Position] {
  return ends.length === 2 ? ends : [new Position(ends[0], ends[1]), new Position(ends[2], ends[3])];
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(...ends: Ends) {
    const [one, other] = positionsOf(ends);
    [this.start, this.end] = one.isAfter(other) ? [other, one] : [one, other];
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }

  contains(other: Position | Range): boolean {
    return 'start' in other
      ? this.contains(other.start) && this.contains(other.end)
      : !this.start.isAfter(other) && !this.end.isBefore(other);
  }

  isEqual({ start, end }: Range): boolean {
    return this.start.isEqual(start) && this.end.isEqual(end);
  }

  intersection({ start, end }: Range): Range | undefined {
    const [from, to] = [this.start.isAfter(start) ? this.start : start, this.end.isBefore(end) ? this.end : end];
    return from.isAfter(to) ? undefined : new Range(from, to);
  }

  with(start = this.start, end = this.end): Range {
    return new Range(start, end);
  }
}

export class Selection extends Range {
  readonly anchor: Position;
  readonly active: Position;

  constructor(...ends: Ends) {
    super(...ends);
    [this.anchor, this.active] = positionsOf(ends);
  }
}

export class MarkdownString {
  value: string;
  isTrusted?: boolean;

  constructor(value = '') {
    this.value = value;
  }

  appendText(text: string): this {
    const escaped = text
      .replaceAll(/[\\`*_{}[\]()#+\-!~]/g, String.raw`\$&`)
      .replaceAll(/[ \t]+/g, (blanks) => '&nbsp;'.repeat(blanks.length));
    return this.appendMarkdown(escaped.replaceAll('>', String.raw`\>`).replaceAll('\n', '\n\n'));
  }

  appendMarkdown(markdown: string): this {
    this.value += markdown;
    return this;
  }

  appendCodeblock(code: string, language = ''): this {
    return this.appendMarkdown(`\n\`\`\`${language}\n${code}\n\`\`\`\n`);
  }
}

/** A kind of code action, or of what is dropped. */
class Kind {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  append(...parts: readonly string[]): Kind {
    return new Kind([this.value, ...parts].filter(Boolean).join('.'));
  }
}

export const CodeActionKind = { QuickFix: new Kind('quickfix') };
export const DocumentDropOrPasteEditKind = { Empty: new Kind('') };

/** Makes a class whose instances hold what their constructor gets under these names. */
function holding<T extends object>(...names: readonly string[]): new (...values: readonly unknown[]) => T {
  return function hold(this: T, ...values: readonly unknown[]) {
    values.forEach((value, index) => Reflect.set(this, names[index] ?? '', value));
  } as unknown as new (...values: readonly unknown[]) => T;
}

export const ThemeColor = holding<vscode.ThemeColor>('id');
export const ThemeIcon = holding<vscode.ThemeIcon>('id', 'color');
export const Hover = holding<vscode.Hover>('contents', 'range');
export const CodeAction = holding<vscode.CodeAction>('title', 'kind');
export const CodeLens = holding<vscode.CodeLens>('range', 'command');
export const FileDecoration = holding<vscode.FileDecoration>('badge', 'tooltip', 'color');
export const DocumentDropEdit = holding<vscode.DocumentDropEdit>('insertText', 'title', 'kind');
export const LanguageModelTextPart = holding<vscode.LanguageModelTextPart>('value');
export const LanguageModelToolResult = holding<vscode.LanguageModelToolResult>('content');
export const RelativePattern = holding<vscode.RelativePattern>('baseUri', 'pattern');
export const TabInputText = holding<vscode.TabInputText>('uri');
export const TabInputCustom = holding<vscode.TabInputCustom>('uri', 'viewType');
export const TabInputWebview = holding<vscode.TabInputWebview>('viewType');

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: vscode.DiagnosticSeverity;

  constructor(range: Range, message: string, severity: vscode.DiagnosticSeverity = DiagnosticSeverity.Error) {
    [this.range, this.message, this.severity] = [range, message, severity];
  }
}

export class TreeItem {
  readonly collapsibleState: vscode.TreeItemCollapsibleState;

  constructor(
    given: string | object,
    collapsibleState: vscode.TreeItemCollapsibleState = TreeItemCollapsibleState.None,
  ) {
    Object.assign(this, given instanceof URI ? { resourceUri: given } : { label: given });
    this.collapsibleState = collapsibleState;
  }
}

export class TextEdit {
  readonly range: Range;
  readonly newText: string;

  constructor(range: Range, newText: string) {
    [this.range, this.newText] = [range, newText];
  }

  static replace(range: Range, newText: string): TextEdit {
    return new TextEdit(range, newText);
  }
}

/** What is done to a file: it is created, or its text is edited. */
export interface Step {
  readonly uri: vscode.Uri;
  readonly edit?: TextEdit;
  readonly options: Readonly<Record<string, unknown>>;
}

export class WorkspaceEdit {
  steps: Step[] = [];

  createFile(uri: vscode.Uri, options: Step['options'] = {}, metadata: Step['options'] = {}): void {
    this.steps.push({ uri, options: { ...options, ...metadata } });
  }

  replace(uri: vscode.Uri, range: Range, newText: string, options: Step['options'] = {}): void {
    this.steps.push({ uri, edit: new TextEdit(range, newText), options });
  }

  insert(uri: vscode.Uri, position: Position, newText: string, options?: Step['options']): void {
    this.replace(uri, new Range(position, position), newText, options);
  }

  set(uri: vscode.Uri, edits: readonly TextEdit[]): void {
    this.steps = this.steps.filter((step) => !step.edit || step.uri.toString() !== uri.toString());
    edits.forEach(({ range, newText }) => this.replace(uri, range, newText));
  }

  get(uri: vscode.Uri): TextEdit[] {
    return this.steps.flatMap((step) => (step.uri.toString() === uri.toString() ? (step.edit ?? []) : []));
  }

  entries(): [vscode.Uri, TextEdit[]][] {
    const edited = new Map(this.steps.filter(({ edit }) => edit).map(({ uri }) => [uri.toString(), uri]));
    return [...edited.values()].map((uri) => [uri, this.get(uri)]);
  }
}
