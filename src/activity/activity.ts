import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { type Commands, LazyService } from '../common/commands.ts';
import { LoadedTree } from '../common/trees.ts';
import type { ActivityView } from './activityView.ts';
import type { FeedChoice } from './feed/feedRef.ts';
import type { ActivityTree } from './tree/activityTree.ts';
import type { ActivityNode } from './tree/nodes.ts';

/** What rows run when they are clicked, and no menu offers. */
const ofRows = ['showEvent', 'loadMore', 'refreshFeed', 'showMoreOfDay'];
const pages = ['activityEvent', 'activityInsights'] as const;

/** The view "Activity" as every window has it. Its code is loaded while somebody is signed in, and by its commands. */
export class Activity implements vscode.Disposable {
  readonly #view: LazyService<ActivityView>;
  readonly #subscription: vscode.Disposable;

  constructor(app: App) {
    const { accountInUse, log } = app;
    const isSignedIn = (): boolean => accountInUse.state !== 'none';
    const rows = new LoadedTree<ActivityNode, ActivityTree>(async () => (await this.#view.load()).tree, {
      isMet: isSignedIn,
      onDidChange: accountInUse.onDidChange,
    });
    const treeView = vscode.window.createTreeView('beacon.activity', { treeDataProvider: rows });
    this.#view = new LazyService(async () => {
      const { ActivityView } = await import('./activityView.ts');
      return new ActivityView(app, treeView);
    });
    // What is new is polled for, counted and announced without the view being seen.
    const follow = (): void => {
      if (isSignedIn()) {
        this.#view.load().catch((error: unknown) => log.error(inspect(error)));
      }
    };
    this.#subscription = vscode.Disposable.from(
      this.#view,
      rows,
      treeView,
      ...pages.map((name) =>
        vscode.window.registerWebviewPanelSerializer(`beacon.${name}`, {
          deserializeWebviewPanel: async (panel, kept: unknown) =>
            (await (await this.#view.load()).commands()).revive[name](panel, kept),
        }),
      ),
      ...ofRows.map((name) =>
        vscode.commands.registerCommand(`beacon.activity.${name}`, async (...args: never[]) => {
          try {
            await (await this.load())[`beacon.activity.${name}`]?.(...args);
          } catch (error) {
            const { reportFailure } = await import('../accounts/problem.ts');
            reportFailure(error, log);
          }
        }),
      ),
      accountInUse.onDidChange(follow),
    );
    follow();
  }

  /** Loads the commands whose ids begin with `beacon.activity.`. */
  async load(): Promise<Commands> {
    return (await (await this.#view.load()).commands()).commands;
  }

  /** Chooses a feed and brings it into view. */
  async show(choice: FeedChoice): Promise<void> {
    await (await this.#view.load()).choices.choose(choice);
    await vscode.commands.executeCommand('beacon.activity.focus');
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
