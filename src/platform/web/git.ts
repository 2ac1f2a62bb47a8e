import type * as vscode from 'vscode';

// Nothing runs git in a browser.

/** Whether git ignores a file: it is not known. */
export async function isIgnored(_uri: vscode.Uri): Promise<boolean | undefined> {
  return undefined;
}

/** The files among those given that git ignores: none. */
export async function ignoredAmong(_uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
  return new Set();
}

/** The files of a folder in which git finds a pattern: they are not known. */
export async function searchByGit(_folder: vscode.Uri, _pattern: string): Promise<readonly vscode.Uri[] | undefined> {
  return undefined;
}
