import * as vscode from 'vscode';

/** Stands in for functions of the editor's window; gives what puts them back. */
export function replaced(functions: Readonly<Record<string, unknown>>): vscode.Disposable {
  const before = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(vscode.window, name)]));
  Object.assign(vscode.window, functions);
  return { dispose: () => void Object.assign(vscode.window, before) };
}
