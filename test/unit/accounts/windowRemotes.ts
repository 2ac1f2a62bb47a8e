import * as vscode from 'vscode';
import { parseRemoteUrl } from '../../../src/workspace/remoteUrl.ts';
import type { Remotes, WorkspaceRepository } from '../../../src/workspace/remotes.ts';

/** The remotes of a window, without git: a repository for each list of URLs, in folders `/repositories/0`, `/repositories/1`, … */
export class WindowRemotes implements Remotes {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly whenKnown = Promise.resolve();
  repositories: readonly WorkspaceRepository[] = [];

  readonly hostNameOf = (alias: string): string => alias;

  open(...repositories: readonly (readonly string[])[]): this {
    this.repositories = repositories.map((urls, index) => ({
      folder: vscode.Uri.file(`/repositories/${index}`),
      remotes: urls.flatMap((url) => parseRemoteUrl(url) ?? []),
    }));
    this.#changed.fire();
    return this;
  }
}
