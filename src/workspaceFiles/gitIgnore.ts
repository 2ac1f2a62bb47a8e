import * as vscode from 'vscode';

/** What is used of version 1 of the API of the editor's own Git extension. */
interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<'uninitialized' | 'initialized'>;
  getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitRepository {
  /** The paths among those given that the repository ignores. */
  checkIgnore(paths: string[]): Promise<Set<string>>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/**
 * Which files git leaves alone, by the editor's Git extension. Where that is off, as it is in a workspace that is not
 * trusted, nothing is run and no file counts as ignored.
 */
export class GitIgnore {
  /**
   * The files among those given that git ignores. A tracked file is never ignored.
   *
   * @returns their URIs as strings.
   */
  async ignoredAmong(uris: readonly vscode.Uri[]): Promise<ReadonlySet<string>> {
    const git = await this.#git();
    const groups = new Map<GitRepository, vscode.Uri[]>();
    for (const uri of uris) {
      const repository = uri.scheme === 'file' ? git?.getRepository(uri) : undefined;
      if (repository) {
        groups.set(repository, [...(groups.get(repository) ?? []), uri]);
      }
    }
    const ignored = new Set<string>();
    for (const [repository, members] of groups) {
      // Git that fails must not keep a feature from the files.
      const paths = await repository.checkIgnore(members.map(({ fsPath }) => fsPath)).catch(() => new Set<string>());
      for (const uri of members) {
        if (paths.has(uri.fsPath)) {
          ignored.add(uri.toString());
        }
      }
    }
    return ignored;
  }

  async #git(): Promise<GitApi | undefined> {
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
}
