import * as vscode from 'vscode';
import { isBelow } from '../common/paths.ts';
import { projectPathOf } from '../workspace/remoteUrl.ts';
import type { Remotes, WorkspaceRepository } from '../workspace/remotes.ts';
import type { AccountInUse } from './accountInUse.ts';
import type { AccountStore } from './accountStore.ts';

/** A project on an instance whose repository is open in this window. */
export interface WorkspaceProject {
  /** The account that the project is read with. */
  readonly accountId: string;
  /** The full path on the instance, such as `group/subgroup/project`. */
  readonly path: string;
  /** The root of the repository. */
  readonly folder: vscode.Uri;
  /** Whether the repository is that of its wiki, or of the wiki of a group with that path. */
  readonly isWiki?: boolean;
}

/** The projects that belong to the repositories of this window, by their remotes. Requests nothing. */
export class WorkspaceProjects implements vscode.Disposable {
  readonly #remotes: Remotes;
  readonly #store: AccountStore;
  readonly #inUse: AccountInUse;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #known = '';

  /** Fires when `all` or `current` has changed. */
  readonly onDidChange = this.#changed.event;

  constructor(remotes: Remotes, store: AccountStore, inUse: AccountInUse) {
    this.#remotes = remotes;
    this.#store = store;
    this.#inUse = inUse;
    this.#known = this.#stateKey();
    const update = (): void => this.#update();
    this.#subscription = vscode.Disposable.from(
      remotes.onDidChange(update),
      store.onDidChange(update),
      inUse.onDidChange(update),
      vscode.window.onDidChangeActiveTextEditor(update),
    );
  }

  /** Resolves once those are known that were open with the window. */
  get whenKnown(): Promise<void> {
    return this.#remotes.whenKnown;
  }

  /** One project after the other, without repeats; of a repository with several remotes the one that the branch follows first. */
  get all(): readonly WorkspaceProject[] {
    const projects = new Map<string, WorkspaceProject>();
    for (const project of this.#remotes.repositories.flatMap((repository) => this.#projectsOf(repository))) {
      const key = `${project.accountId}\n${project.path}`;
      projects.set(key, projects.get(key) ?? project);
    }
    return [...projects.values()];
  }

  /** The project of the file that is being edited; otherwise the first. */
  get current(): WorkspaceProject | undefined {
    const { all } = this;
    const file = vscode.window.activeTextEditor?.document.uri;
    const containing = all.filter(({ folder }) => file !== undefined && isBelow(folder, file));
    // A submodule lies within another repository: the innermost is meant.
    return containing.sort((one, other) => other.folder.path.length - one.folder.path.length)[0] ?? all[0];
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #projectsOf({ folder, remotes }: WorkspaceRepository): WorkspaceProject[] {
    const { account } = this.#inUse;
    // Where several accounts reach a project, the one in use does.
    const accounts = [...this.#store.all.filter(({ id }) => id === account?.id), ...this.#store.all];
    return remotes.flatMap((remote) => {
      for (const { id, instanceUrl } of accounts) {
        const path = projectPathOf(remote, instanceUrl, this.#remotes.hostNameOf);
        if (path !== undefined) {
          return [{ accountId: id, path, folder, isWiki: remote.path.endsWith('.wiki') }];
        }
      }
      return [];
    });
  }

  #stateKey(): string {
    return JSON.stringify([this.all, this.current]);
  }

  #update(): void {
    const state = this.#stateKey();
    if (state !== this.#known) {
      this.#known = state;
      this.#changed.fire();
    }
  }
}
