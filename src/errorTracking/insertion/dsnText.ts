import type * as vscode from 'vscode';
import { defaultVariable, envLine, isEnvFile, isShellScript } from './envFile.ts';

/** What to write for a DSN at a place of a document: a variable where an env file has none on the line yet. */
export function textAt(document: vscode.TextDocument, position: vscode.Position, dsn: string): string {
  const before = document.lineAt(position).text.slice(0, position.character);
  const { path } = document.uri;
  if (!isEnvFile(path) || !/^\s*(?:export\s+)?$/.test(before)) {
    return dsn;
  }
  const line = envLine(defaultVariable, dsn);
  return isShellScript(path) && before.trim() === '' ? `export ${line}` : line;
}
