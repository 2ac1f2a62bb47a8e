import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import { commonSentence, problemOf } from '../accounts/problem.ts';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { timeAgo } from '../common/dates.ts';
import { eventCommands } from './commands/eventCommands.ts';
import { feedCommands } from './commands/feedCommands.ts';
import { filterCommands } from './commands/filterCommands.ts';
import { summaryCommands } from './commands/summary.ts';
import { ActivityContext, type Target } from './context.ts';
import { eventPages } from './document/eventPages.ts';
import { newEventsLabel } from './events/eventLabel.ts';
import { type FeedChoice, feedLabel, feedLabelAmong } from './feed/feedRef.ts';
import { Polling } from './feed/polling.ts';
import { insightsPages } from './insights/insightsPanel.ts';
import { ActivityTree } from './tree/activityTree.ts';
import { type ActivityNode, factsOf, markNewEvents } from './tree/nodes.ts';

const { t } = vscode.l10n;

/** How often rows say how long ago it is now, in milliseconds. */
const timesInterval = 30_000;

/**
 * The view "Activity" of a window with its commands and pages: the rows, and around them which feed and filter they show, how old they
 * are, and how many are new.
 */
export class Activity extends ActivityContext implements vscode.Disposable {
  readonly tree: ActivityTree;
  readonly treeView: vscode.TreeView<ActivityNode>;
  readonly polling: Polling;
  readonly commands: CommandsOf<'activity'>;
  readonly pages;
  readonly #keys = new Map<string, boolean>();
  readonly #subscription: vscode.Disposable;

  constructor(
    app: App,
    showIn = (treeDataProvider: ActivityTree): vscode.TreeView<ActivityNode> =>
      vscode.window.createTreeView('beacon.activity', { treeDataProvider }),
  ) {
    super(app);
    const { accounts, connections } = app;
    const tree = (this.tree = new ActivityTree(this));
    const treeView = (this.treeView = showIn(tree));
    const polling = (this.polling = new Polling(this));
    const events = eventPages(this, tree);
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
      ...eventCommands(this, events),
      'beacon.activity.showInsights': async (target?: Target) => {
        const feed = this.feedOf(target);
        await (feed ? insights.show(feed.ref) : connections.current());
      },
    };
    const updateTimes = (): void => {
      if (treeView.visible) {
        tree.updateTimes();
        this.updateHeader();
      }
    };
    const times = setInterval(updateTimes, timesInterval);
    this.#subscription = vscode.Disposable.from(
      this.readState,
      this.feeds,
      treeView,
      tree,
      polling,
      markNewEvents(),
      { dispose: () => clearInterval(times) },
      accounts.onDidChange(() => void this.store.forget()),
      this.feeds.onDidChange((feed) => {
        this.updateHeader();
        if (!feed) {
          polling.update();
        }
      }),
      treeView.onDidChangeSelection(({ selection }) => (this.lastSelected = selection[0])),
      treeView.onDidChangeVisibility(() => {
        updateTimes();
        polling.update();
      }),
      vscode.window.onDidChangeWindowState(() => polling.update()),
      vscode.workspace.onDidChangeConfiguration((change) =>
        change.affectsConfiguration('beacon.activity') ? polling.update() : undefined,
      ),
    );
    this.updateHeader();
  }

  async show(choice: FeedChoice): Promise<void> {
    await this.feeds.choose(choice);
    await vscode.commands.executeCommand('beacon.activity.focus');
  }

  updateHeader(): void {
    const { feeds, treeView, readState } = this;
    const description = this.#description;
    const message = commonSentence(
      feeds.shown.map(({ feed }) => (feed?.state.error ? problemOf(feed.state.error, feed.ref.accountId) : undefined)),
    );
    // The editor would draw what is the same again.
    if (treeView.description !== description) {
      treeView.description = description;
    }
    if (treeView.message !== message) {
      treeView.message = message;
    }
    treeView.badge = this.#badge;
    const keys = {
      hasNew: feeds.all.some(({ state }) => state.newItems.length > 0),
      onlyNew: readState.onlyNew,
      hasMutes: readState.mutes.all.length > 0,
      // Of several feeds the menus of the rows say which one is meant.
      several: feeds.shown.length > 1,
      pinned: feeds.chosen?.isPinned === true,
    };
    for (const [key, value] of Object.entries(keys)) {
      if (this.#keys.get(key) !== value) {
        this.#keys.set(key, value);
        void vscode.commands.executeCommand('setContext', `beacon.activity.${key}`, value);
      }
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  get #description(): string {
    const { feeds, readState, app } = this;
    const { accounts, accountInUse } = app;
    const { account } = accountInUse;
    const only = feeds.shown.length === 1 ? feeds.shown[0] : undefined;
    const feed = only?.feed;
    const isOfOther = feeds.all.some(({ ref }) => ref.accountId !== account?.id);
    // Where the feeds are of several accounts, each row names its own.
    const isNamed = !feeds.hasSeveralAccounts && (accounts.all.length > 1 || account?.kind === 'sandbox' || isOfOther);
    const shown = [only && feedLabel(feed?.ref ?? only.choice), only?.isPinned === true && t('pinned')];
    // That of the workspace's project may be read by another account than the one in use.
    const ofAccount = isNamed && account && accountLabel((feed ?? feeds.all[0])?.ref.accountId ?? account.id);
    const { checkedAt, items = [], loaded, error } = feed?.state ?? {};
    // How old remembered events are that the instance has not confirmed.
    const isOld = checkedAt !== undefined && items.length > 0 && (loaded === false || error !== undefined);
    const parts = [
      // A narrow view cuts the end. The status bar names the account of the window where there are several, but no other.
      ...(isOfOther ? [ofAccount, ...shown] : [...shown, ofAccount]),
      feeds.shown.length > 0 && readState.onlyNew && t('unread only'),
      isOld && t('updated {0}', timeAgo(checkedAt, app.clock.date(), vscode.env.language)),
      ...(feed ? factsOf(feed) : []),
    ];
    return parts.filter(Boolean).join(' · ');
  }

  /** Counts an event once that is in several feeds; the rows of these say how many each has. */
  get #badge(): vscode.ViewBadge | undefined {
    const { feeds, app } = this;
    const counted = feeds.all.filter(({ state }) => state.reading.counts && state.newItems.length > 0);
    const all = counted.flatMap(({ ref, state }) => state.newItems.map(({ id }) => `${ref.accountId}/${id}`));
    const { size: value } = new Set(all);
    const names = counted.map(({ ref }) => feedLabelAmong(ref, app.accountInUse)).join(', ');
    return value === 0 ? undefined : { value, tooltip: newEventsLabel(value, names) };
  }
}
