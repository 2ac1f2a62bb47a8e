import type * as vscode from 'vscode';
import type { Editor } from '../editor/editor.ts';
import { EventEmitter } from '../editor/types.ts';

/** A repository as its user knows it. */
export interface RepositoryChoice {
  readonly folder: vscode.Uri;
  /** The addresses of its remotes, by their names. */
  readonly remotes: Readonly<Record<string, string>>;
}

const never = new EventEmitter<never>().event;

/** The Git extension of a window: it has the repositories that a test opens, without what git knows of them. */
export class Repositories {
  readonly #opened = new EventEmitter<object>();
  readonly #repositories: { readonly rootUri: vscode.Uri }[] = [];

  constructor(editor: Editor) {
    const repositories = this.#repositories;
    const api = {
      ...{ state: 'initialized', git: { path: 'git' }, repositories },
      ...{ onDidChangeState: never, onDidOpenRepository: this.#opened.event, onDidCloseRepository: never },
    };
    const exports = { enabled: true, getAPI: () => api };
    const extension = { id: 'vscode.git', packageJSON: {}, isActive: true, activate: async () => exports };
    editor.extensions.push(extension as unknown as vscode.Extension<unknown>);
  }

  open({ folder, remotes }: RepositoryChoice): void {
    const repository = {
      rootUri: folder,
      state: {
        HEAD: { name: 'main' },
        remotes: Object.entries(remotes).map(([name, fetchUrl]) => ({ name, fetchUrl })),
        onDidChange: never,
      },
      getConfigs: async () => [],
    };
    this.#repositories.push(repository);
    this.#opened.fire(repository);
  }
}
