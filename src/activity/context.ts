import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { sandboxAccount } from '../accounts/account.ts';
import type { App } from '../app.ts';
import { eventLink } from './events/eventLink.ts';
import type { Feed } from './feed/feed.ts';
import { FeedStore } from './feed/feedStore.ts';
import { OpenFeeds, type ShownFeed } from './feed/openFeeds.ts';
import { Projects } from './feed/projects.ts';
import { Mutes, ReadState } from './feed/readState.ts';
import type { EventNode } from './tree/eventNode.ts';
import type { ActivityNode } from './tree/nodes.ts';

/** What a command was chosen on: a row of the tree, a feed, the title of the page of an event, or nothing. */
export type Target = ActivityNode | { readonly kind?: never; readonly feed: Feed } | vscode.Uri | undefined;

/** What the parts of the view "Activity" share: the feeds and what is kept about them, and what commands are about. */
export abstract class ActivityContext implements vscode.Disposable {
  readonly app: App;
  abstract readonly treeView: vscode.TreeView<ActivityNode>;
  readonly projects: Projects;
  readonly store: FeedStore;
  readonly readState: ReadState;
  readonly mutes: Mutes;
  readonly feeds: OpenFeeds;
  onPage: EventNode | undefined;
  readonly #subscriptions: readonly vscode.Disposable[];
  /** While the editor asks for the rows again, its selection is empty though nobody deselected anything. */
  #lastSelected: ActivityNode | undefined;

  constructor(app: App) {
    const { accounts, connections, globalState, workspaceState, log, context } = app;
    const accountIds = (): string[] => [...accounts.all.map(({ id }) => id), sandboxAccount.id];
    this.app = app;
    this.projects = new Projects(connections);
    this.store = new FeedStore(
      join(pathOf(context.globalStorageUri), 'activity'),
      (sentence) => log.warn(sentence),
      (accountId) => accountIds().includes(accountId),
    );
    this.readState = new ReadState(globalState, workspaceState);
    this.mutes = new Mutes(globalState);
    this.feeds = new OpenFeeds(this);
    this.#subscriptions = [
      this.readState,
      this.mutes,
      this.feeds,
      accounts.onDidChange(() => void this.store.keepOnly(accountIds())),
    ];
  }

  /** The event that a command is about: that of its row or page, else of the selected row. */
  eventOf(target: Target): EventNode | undefined {
    const node = target instanceof vscode.Uri ? this.onPage : (target ?? this.#selected);
    return node?.kind === 'event' ? node : undefined;
  }

  /** The feed that a command is about: that of its row, else of the selected row, else the chosen one. */
  feedOf(target: Target): Feed | undefined {
    const ofSelected = feedOf(this.#selected);
    // A row may be selected whose feed is no longer shown.
    return feedOf(target) ?? this.feeds.all.find((feed) => feed === ofSelected) ?? this.feeds.chosen?.feed;
  }

  /** The same as it stands in the view. */
  shownOf(target: Target): ShownFeed | undefined {
    if (isRow(target) && target.kind === 'feed') {
      return target.shown;
    }
    const feed = this.feedOf(target);
    return this.feeds.shown.find((shown) => shown.feed === feed) ?? this.feeds.chosen;
  }

  /** The web address of what an event is about, as far as its project is known by now. */
  linkOf({ item, feed }: EventNode): string | undefined {
    const { instanceUrl } = feed.state;
    const projectUrl = this.projects.get(feed.ref.accountId, item.project_id)?.webUrl;
    return instanceUrl === undefined ? undefined : eventLink(item, { instanceUrl, projectUrl });
  }

  dispose(): void {
    this.#subscriptions.forEach((subscription) => void subscription.dispose());
  }

  protected select(node: ActivityNode | undefined): void {
    this.#lastSelected = node;
  }

  get #selected(): ActivityNode | undefined {
    return this.treeView.selection[0] ?? this.#lastSelected;
  }
}

function feedOf(target: Target): Feed | undefined {
  return !isRow(target) ? undefined : target.kind === 'feed' ? target.shown.feed : target.feed;
}

function isRow(target: Target): target is Exclude<Target, vscode.Uri | undefined> {
  return Boolean(target) && !(target instanceof vscode.Uri);
}
