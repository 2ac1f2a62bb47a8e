import { execFileSync } from 'node:child_process';
import type * as vscode from 'vscode';
import type { Editor } from '../editor/editor.ts';
import { EventEmitter } from '../editor/types.ts';

/** A repository as its user knows it. */
export interface RepositoryChoice {
  readonly folder: vscode.Uri;
  /** The addresses of its remotes, by their names. */
  readonly remotes: Readonly<Record<string, string>>;
  /** The remote that the current branch follows. */
  readonly follows?: string;
}

/** The Git extension of a window: it has the repositories that a test opens, and asks git about their commits. */
export class Repositories {
  readonly #opened = new EventEmitter<object>();
  readonly #closed = new EventEmitter<object>();
  readonly #repositories: { readonly rootUri: vscode.Uri }[] = [];

  constructor(editor: Editor) {
    const repositories = this.#repositories;
    const api = {
      ...{ state: 'initialized', git: { path: 'git' }, repositories },
      onDidChangeState: new EventEmitter<never>().event,
      onDidOpenRepository: this.#opened.event,
      onDidCloseRepository: this.#closed.event,
      getRepository: ({ path }: vscode.Uri) =>
        repositories.find(({ rootUri }) => path === rootUri.path || path.startsWith(`${rootUri.path}/`)) ?? null,
      toGitUri: (uri: vscode.Uri, ref: string) =>
        uri.with({ scheme: 'git', query: JSON.stringify({ path: uri.fsPath, ref }) }),
    };
    const exports = { enabled: true, getAPI: () => api };
    const extension = { id: 'vscode.git', packageJSON: {}, isActive: true, activate: async () => exports };
    editor.extensions.push(extension as unknown as vscode.Extension<unknown>);
  }

  open({ folder, remotes, follows }: RepositoryChoice): void {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: folder.fsPath, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const read = (...args: readonly string[]) =>
      git('log', '--format=%H%x00%P%x00%B%x01', ...args)
        .split('\x01\n')
        .filter(Boolean)
        .map((text) => text.split('\0'))
        .map(([hash = '', parents = '', message = '']) => ({ hash, message, parents: parents.split(' ') }));
    const repository = {
      rootUri: folder,
      state: {
        HEAD: { name: 'main', ...(follows === undefined ? {} : { upstream: { remote: follows } }) },
        remotes: Object.entries(remotes).map(([name, fetchUrl]) => ({ name, fetchUrl })),
        onDidChange: new EventEmitter<void>().event,
      },
      getConfigs: async () => [],
      getCommit: async (ref: string) => read('-1', ref)[0],
      log: async ({ range, maxEntries }: { range: string; maxEntries: number }) => read(`-${maxEntries}`, range),
      diffBetween: async () => [],
      fetch: async () => undefined,
    };
    this.#repositories.push(repository);
    this.#opened.fire(repository);
  }

  /** Closes all that are open. */
  close(): void {
    this.#repositories.splice(0).forEach((one) => this.#closed.fire(one));
  }
}
