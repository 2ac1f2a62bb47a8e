import * as vscode from 'vscode';
import { type Dsn, findDsns } from '../dsn.ts';
import type { DsnStates } from './dsnStates.ts';
import { describeDsn } from './dsnWords.ts';

/** Says what the DSN under the pointer is: its project, its key, and whether a program that uses it is heard. */
export class DsnHover implements vscode.HoverProvider {
  readonly #states: DsnStates;

  constructor(states: DsnStates) {
    this.#states = states;
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = dsnAt(document, position);
    if (!found) {
      return undefined;
    }
    const { dsn, range } = found;
    const [state, right] = await Promise.all([
      this.#states.of(dsn),
      this.#states.rightProjectFor(document.uri, dsn).catch(() => undefined),
    ]);
    const text = new vscode.MarkdownString();
    describeDsn(dsn, state, right).forEach((sentence, index) => {
      text.appendMarkdown(index === 0 ? '' : '\n\n').appendText(sentence);
    });
    return new vscode.Hover(text, range);
  }
}

/** The DSN at a place of a document. Looks at its line alone, and at no line that is longer than a person reads. */
function dsnAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): { readonly dsn: Dsn; readonly range: vscode.Range } | undefined {
  const { text } = document.lineAt(position);
  if (text.length > 10_000) {
    return undefined;
  }
  for (const { dsn, offset } of findDsns(text)) {
    const range = new vscode.Range(position.line, offset, position.line, offset + dsn.text.length);
    if (range.contains(position)) {
      return { dsn, range };
    }
  }
  return undefined;
}
