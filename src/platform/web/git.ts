import type * as vscode from 'vscode';

// Nothing runs git in a browser.

export async function isIgnored(_uri: vscode.Uri): Promise<boolean | undefined> {
  return undefined;
}

export async function ignoredAmong(_uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
  return new Set();
}

export async function searchByGit(_folder: vscode.Uri, _pattern: string): Promise<readonly vscode.Uri[] | undefined> {
  return undefined;
}
