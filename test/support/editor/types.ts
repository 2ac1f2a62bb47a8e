import { AsyncLocalStorage } from 'node:async_hooks';
import { Disposable } from 'jest-mock-vscode/dist/vscode/extHostTypes.js';
import { MarkdownString as Markdown } from 'jest-mock-vscode/dist/vscode/MarkdownString.js';
import type * as vscode from 'vscode';
import { URI, Utils } from 'vscode-uri';

export { CodeAction } from 'jest-mock-vscode/dist/vscode/CodeAction.js';
export { FileSystemError } from 'jest-mock-vscode/dist/vscode/FileSystemError.js';
export { FileType } from 'jest-mock-vscode/dist/vscode/FileType.js';
export { WorkspaceEdit } from 'jest-mock-vscode/dist/vscode/WorkspaceEdit.js';
// These are taken from the source of the editor.
export {
  CodeActionKind,
  ConfigurationTarget,
  Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  Disposable,
  Position,
  ProgressLocation,
  Range,
  Selection,
  TextEdit,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  ViewColumn,
} from 'jest-mock-vscode/dist/vscode/extHostTypes.js';

export const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) as unknown as typeof vscode.Uri;
const severities = { Info: 1, Warning: 2, Error: 3 };
export const InputBoxValidationSeverity = severities as unknown as typeof vscode.InputBoxValidationSeverity;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as unknown as typeof vscode.QuickPickItemKind;
export const QuickInputButtons = { Back: {} };

export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();

  readonly event = (listener: (event: T) => unknown): Disposable => {
    // A listener belongs to the window that it was added in, whoever fires: windows share what is stored.
    const call = AsyncLocalStorage.bind(listener);
    this.#listeners.add(call);
    return new Disposable(() => this.#listeners.delete(call));
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

export class MarkdownString extends Markdown {
  override appendText(text: string): this {
    const escaped = text
      .replaceAll(/[\\`*_{}[\]()#+\-!~>]/g, String.raw`\$&`)
      .replaceAll(/[ \t]+/g, (blanks) => '&nbsp;'.repeat(blanks.length));
    this.value += escaped.replaceAll('\n', '\n\n');
    return this;
  }
}

/** Makes a class whose instances hold what their constructor gets under these names. */
function holding<T extends object>(...names: readonly string[]): new (...values: readonly unknown[]) => T {
  return function hold(this: T, ...values: readonly unknown[]) {
    values.forEach((value, index) => Reflect.set(this, names[index] ?? '', value));
  } as unknown as new (...values: readonly unknown[]) => T;
}

export const Hover = holding<vscode.Hover>('contents', 'range');
export const DataTransferItem = holding<vscode.DataTransferItem>('value');
export const LanguageModelTextPart = holding<vscode.LanguageModelTextPart>('value');
export const LanguageModelToolResult = holding<vscode.LanguageModelToolResult>('content');
export const RelativePattern = holding<vscode.RelativePattern>('baseUri', 'pattern');
export const TabInputWebview = holding<vscode.TabInputWebview>('viewType');
