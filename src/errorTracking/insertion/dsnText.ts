import type * as vscode from 'vscode';
import { defaultVariable, envLine, isEnvFile } from './envFile.ts';

/** What to write for a DSN at a place of a document: a variable where an env file has none on the line yet. */
export function textAt(document: vscode.TextDocument, position: vscode.Position, dsn: string): string {
  const before = document.lineAt(position).text.slice(0, position.character);
  return isEnvFile(document.uri.path) && before.trim() === '' ? envLine(defaultVariable, dsn) : dsn;
}
