import type * as vscode from 'vscode';

/** A log that keeps its lines. */
export function listeningLog(lines: string[]): vscode.LogOutputChannel {
  const level =
    (name: string) =>
    (message: unknown): void =>
      void lines.push(`${name}: ${String(message)}`);
  return Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error'].map((name) => [name, level(name)]),
  ) as unknown as vscode.LogOutputChannel;
}
