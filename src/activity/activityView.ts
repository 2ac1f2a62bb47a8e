import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { loadOnce } from '../common/commands.ts';
import type { activityCommands } from './commands/activityCommands.ts';
import { ActivityContext } from './context.ts';
import { Polling } from './feed/polling.ts';
import { Header, NewsNotifier } from './header.ts';
import { ActivityTree } from './tree/activityTree.ts';
import { markNewEvents } from './tree/eventNode.ts';
import type { ActivityNode } from './tree/nodes.ts';

/** How often rows say how long ago it is now, in milliseconds. */
const timesInterval = 30_000;

/** The view "Activity" of a window: rows, header and polling, which show what the feeds hold. */
export class ActivityView extends ActivityContext {
  readonly tree: ActivityTree;
  readonly polling: Polling;
  readonly header: Header;
  /** Loads what a user does with the view. */
  readonly commands: () => Promise<ReturnType<typeof activityCommands>>;
  readonly #subscription: vscode.Disposable;

  constructor(app: App, treeView: vscode.TreeView<ActivityNode>) {
    super(app, treeView);
    this.header = new Header(this);
    this.commands = loadOnce(async () => {
      const loaded = await import('./commands/activityCommands.ts');
      return loaded.activityCommands(this, tree, polling);
    });
    const tree = (this.tree = new ActivityTree(this, async (node) => (await this.commands()).detailsOf(node)));
    const polling = (this.polling = new Polling(this, new NewsNotifier(this)));
    const updateTimes = (): void => {
      if (treeView.visible) {
        tree.updateTimes();
        this.header.update();
      }
    };
    const times = setInterval(updateTimes, timesInterval);
    this.#subscription = vscode.Disposable.from(
      tree,
      polling,
      markNewEvents(),
      { dispose: () => clearInterval(times) },
      app.accounts.onDidChange(() => this.header.update()),
      this.feeds.onDidChange((feed) => {
        this.header.update();
        if (!feed) {
          polling.update();
        }
      }),
      treeView.onDidChangeVisibility(() => {
        updateTimes();
        polling.update();
      }),
      vscode.window.onDidChangeWindowState(() => polling.update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('beacon.activity')) {
          polling.update();
        }
      }),
    );
    this.header.update();
  }

  override dispose(): void {
    this.#subscription.dispose();
    super.dispose();
  }
}
