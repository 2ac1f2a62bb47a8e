import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { ProjectPlace } from '../accounts/account.ts';
import type { App } from '../app.ts';
import type { Commands } from '../common/commands.ts';
import type { TrackingNode } from './tree.ts';
import type { ErrorTrackingView } from './view.ts';

/** Error tracking as every window has it: its view, whose code is loaded while somebody is signed in, and by its commands. */
export class ErrorTracking implements vscode.Disposable {
  readonly #app: App;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #treeView: vscode.TreeView<TrackingNode>;
  readonly #subscription: vscode.Disposable;
  #loading: Promise<ErrorTrackingView> | undefined;
  #loaded: ErrorTrackingView | undefined;

  constructor(app: App) {
    this.#app = app;
    const { accountInUse, log } = app;
    this.#treeView = vscode.window.createTreeView<TrackingNode>('beacon.errorTracking', {
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (node) => (accountInUse.account ? (await this.#view()).children(node) : []),
        getTreeItem: ({ item }) => item,
        getParent: ({ parent }) => parent,
      },
      showCollapseAll: true,
    });
    const follow = (): void => {
      this.#changed.fire(undefined);
      if (accountInUse.account) {
        this.#view().catch((error: unknown) => log.error(inspect(error)));
      }
    };
    this.#subscription = vscode.Disposable.from(this.#changed, this.#treeView, accountInUse.onDidChange(follow), {
      dispose: () => this.#loaded?.dispose(),
    });
    follow();
  }

  /** Loads the commands whose ids begin with `beacon.errorTracking.`. */
  async load(): Promise<Commands> {
    return (await this.#view()).commands;
  }

  /** Whether a project is shown without being pinned first. */
  async shows(project: ProjectPlace): Promise<boolean> {
    return (await this.#view()).find(project) !== undefined;
  }

  /** Shows a project of the account in use, which is pinned if it is not in the view yet. */
  async show(project: ProjectPlace): Promise<void> {
    await (await this.#view()).show(project);
  }

  /** Says which notification level of a project holds, after it was changed. */
  async reloadLevel(accountId: string, id: number): Promise<void> {
    await this.#loaded?.projects.reloadLevel(accountId, id);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #view(): Promise<ErrorTrackingView> {
    this.#loading ??= import('./view.ts').then(({ ErrorTrackingView: View }) => {
      this.#loaded = new View(this.#app, this.#treeView, () => this.#changed.fire(undefined));
      return this.#loaded;
    });
    return await this.#loading;
  }
}
