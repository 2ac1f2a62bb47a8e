import * as vscode from 'vscode';

/** What is used of version 1 of the API of the editor's own Git extension. */
export interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
  /** Git itself. */
  readonly git: { readonly path: string };
  readonly repositories: readonly GitRepository[];
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The editor's Git extension once it knows the repositories; undefined where it is off, as in a workspace that is not trusted. */
export async function findGit(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined;
  }
  const exports = await extension.activate();
  if (!exports.enabled) {
    return undefined;
  }
  const api = exports.getAPI(1);
  if (api.state !== 'initialized') {
    // The repositories of the workspace's folders are not known before.
    await new Promise<void>((resolve) => {
      const subscription = api.onDidChangeState(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
  return api;
}
