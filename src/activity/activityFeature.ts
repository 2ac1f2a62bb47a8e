import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type Commands, LazyService } from '../common/commands.ts';
import { LoadedTree } from '../common/trees.ts';
import type { ActivityView, ActivityViewDeps } from './activityView.ts';
import { eventScheme } from './events/eventKind.ts';
import type { FeedChoice } from './feed/feedRef.ts';
import type { ActivityTree } from './tree/activityTree.ts';
import type { ActivityNode } from './tree/nodes.ts';

/** The view "Activity" as every window has it. Its code is loaded while somebody is signed in, and by its commands. */
export class ActivityFeature implements vscode.Disposable {
  readonly #view: LazyService<ActivityView>;
  readonly #subscription: vscode.Disposable;

  constructor(deps: ActivityViewDeps) {
    const { accountInUse, log } = deps;
    const isSignedIn = (): boolean => accountInUse.state !== 'none';
    const { onDidChange } = accountInUse;
    const tree = new LoadedTree<ActivityNode, ActivityTree>(async () => (await this.#view.load()).createTree(), {
      isMet: isSignedIn,
      onDidChange,
    });
    const treeView = vscode.window.createTreeView('beacon.activity', { treeDataProvider: tree });
    this.#view = new LazyService(async () => {
      const { ActivityView } = await import('./activityView.ts');
      return new ActivityView(deps, tree, treeView);
    });
    // What is new is polled for, counted and announced without the view being seen.
    const follow = (): void => {
      if (isSignedIn()) {
        this.#view.load().catch((error: unknown) => log.error(inspect(error)));
      }
    };
    this.#subscription = vscode.Disposable.from(
      this.#view,
      tree,
      treeView,
      vscode.workspace.registerTextDocumentContentProvider(eventScheme, {
        provideTextDocumentContent: async (uri) => (await this.#commands()).documents.provideTextDocumentContent(uri),
      }),
      ...(['activityEvent', 'activityInsights'] as const).map((name) =>
        vscode.window.registerWebviewPanelSerializer(`beacon.${name}`, {
          deserializeWebviewPanel: async (panel, kept: unknown) => (await this.#commands()).revive[name](panel, kept),
        }),
      ),
      onDidChange(follow),
    );
    follow();
  }

  /** Loads the commands whose ids begin with `beacon.activity.`. */
  async load(): Promise<Commands> {
    return (await this.#commands()).commands;
  }

  /** Chooses a feed and brings it into view. */
  async show(choice: FeedChoice): Promise<void> {
    await (await this.#view.load()).choices.choose(choice);
    await vscode.commands.executeCommand('beacon.activity.focus');
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #commands(): ReturnType<ActivityView['commands']> {
    return (await this.#view.load()).commands();
  }
}
