import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { eventCommands } from './commands/eventCommands.ts';
import { feedCommands } from './commands/feedCommands.ts';
import { filterCommands } from './commands/filterCommands.ts';
import { LocalCommits } from './commands/localCommits.ts';
import { readCommands } from './commands/readCommands.ts';
import { summaryCommands } from './commands/summary.ts';
import { ActivityContext, type Target } from './context.ts';
import { EventPages } from './document/eventPages.ts';
import type { FeedChoice } from './feed/feedRef.ts';
import { Polling } from './feed/polling.ts';
import { Header, NewsNotifier } from './header.ts';
import { insightsPages } from './insights/insightsPanel.ts';
import { ActivityTree } from './tree/activityTree.ts';
import { markNewEvents } from './tree/eventNode.ts';
import type { ActivityNode } from './tree/nodes.ts';

/** How often rows say how long ago it is now, in milliseconds. */
const timesInterval = 30_000;

/** The view "Activity" of a window with its commands and pages: rows, header and polling, which show what the feeds hold. */
export class Activity extends ActivityContext {
  readonly tree: ActivityTree;
  readonly treeView: vscode.TreeView<ActivityNode>;
  readonly polling: Polling;
  readonly header: Header;
  readonly commands: CommandsOf<'activity'>;
  readonly pages;
  readonly #subscription: vscode.Disposable;

  constructor(
    app: App,
    showIn = (treeDataProvider: ActivityTree): vscode.TreeView<ActivityNode> =>
      vscode.window.createTreeView('beacon.activity', { treeDataProvider }),
  ) {
    super(app);
    this.header = new Header(this);
    const localCommits = new LocalCommits(this);
    const tree = (this.tree = new ActivityTree(this, localCommits));
    const treeView = (this.treeView = showIn(tree));
    const polling = (this.polling = new Polling(this, new NewsNotifier(this)));
    const events = new EventPages(this, tree, localCommits);
    const insights = insightsPages(this);
    this.pages = {
      activityEvent: (panel: vscode.WebviewPanel, kept: unknown) => events.revive(panel, kept),
      activityInsights: (panel: vscode.WebviewPanel, kept: unknown) => insights.revive(panel, kept),
    };
    this.commands = {
      ...summaryCommands(this),
      ...filterCommands(this),
      ...feedCommands(this, tree, polling),
      ...events.commands,
      ...readCommands(this),
      ...eventCommands(this, events, localCommits),
      'beacon.activity.showInsights': async (target?: Target) => {
        const feed = this.feedOf(target);
        await (feed ? insights.show(feed.ref) : app.connections.current());
      },
    };
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
      this.feeds.onDidChange((feed) => {
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

  async show(choice: FeedChoice): Promise<void> {
    await this.feeds.choose(choice);
    await vscode.commands.executeCommand('beacon.activity.focus');
  }

  override dispose(): void {
    this.#subscription.dispose();
    super.dispose();
  }
}
