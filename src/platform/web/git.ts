import type * as vscode from 'vscode';

/** Which files git leaves alone: nothing runs git in a browser, so that no file counts as ignored. */
export class GitIgnore {
  async isIgnored(_uri: vscode.Uri): Promise<boolean | undefined> {
    return undefined;
  }

  async ignoredAmong(_uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
    return new Set();
  }
}

/** The files of a folder in which git finds a pattern. @returns undefined: nothing runs git in a browser. */
export async function searchByGit(
  _folder: vscode.Uri,
  _pattern: string,
  _signal: AbortSignal,
): Promise<readonly vscode.Uri[] | undefined> {
  return undefined;
}
