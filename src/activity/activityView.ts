import * as vscode from 'vscode';
import type { App } from '../app.ts';
import { activityCommands } from './commands/activityCommands.ts';
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
  readonly treeView: vscode.TreeView<ActivityNode>;
  readonly polling: Polling;
  readonly header: Header;
  /** What a user does with the view. */
  readonly actions: ReturnType<typeof activityCommands>;
  readonly #subscription: vscode.Disposable;

  /** @param showIn shows the rows in a view of the editor. */
  constructor(app: App, showIn: (tree: ActivityTree) => vscode.TreeView<ActivityNode>) {
    super(app);
    const { feeds } = this;
    const notifier = new NewsNotifier(this);
    this.header = new Header(this);
    const tree = (this.tree = new ActivityTree(this, (node) => this.actions.detailsOf(node)));
    const treeView = (this.treeView = showIn(tree));
    const polling = (this.polling = new Polling({
      clock: app.clock,
      get feeds() {
        return feeds.all;
      },
      get isFocused() {
        return vscode.window.state.focused;
      },
      get isViewVisible() {
        return treeView.visible;
      },
      get isNotifying() {
        return notifier.isOn;
      },
      notify: (feed) => notifier.notify(feed),
    }));
    this.actions = activityCommands(this, tree, polling);
    const updateTimes = (): void => {
      if (treeView.visible) {
        tree.updateTimes();
        this.header.update();
      }
    };
    const times = setInterval(updateTimes, timesInterval);
    this.#subscription = vscode.Disposable.from(
      treeView,
      tree,
      polling,
      markNewEvents(),
      { dispose: () => clearInterval(times) },
      app.accounts.onDidChange(() => this.header.update()),
      feeds.onDidChange((feed) => {
        this.header.update();
        if (!feed) {
          polling.update();
        }
      }),
      treeView.onDidChangeSelection(({ selection }) => this.select(selection[0])),
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
