import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { sandboxAccount } from '../accounts/account.ts';
import type { App } from '../app.ts';
import { eventLink } from './events/targets.ts';
import type { Feed } from './feed/feed.ts';
import { FeedStore } from './feed/feedStore.ts';
import { OpenFeeds, type ShownFeed } from './feed/openFeeds.ts';
import { Projects } from './feed/projects.ts';
import { ReadState } from './feed/readState.ts';
import type { ActivityNode, EventNode } from './tree/nodes.ts';

/** What a command was chosen on: a row of the tree, a feed, the title of the page of an event, or nothing. */
export type Target = ActivityNode | { readonly kind?: never; readonly feed: Feed } | vscode.Uri | undefined;

/** What the parts of the view "Activity" share: the feeds and what is kept about them, and what commands are about. */
export abstract class ActivityContext {
  readonly app: App;
  abstract readonly treeView: vscode.TreeView<ActivityNode>;
  readonly projects: Projects;
  readonly store: FeedStore;
  readonly readState: ReadState;
  readonly feeds: OpenFeeds;
  onPage: EventNode | undefined;
  /** While the editor asks for the rows again, its selection is empty though nobody deselected anything. */
  protected lastSelected: ActivityNode | undefined;

  constructor(app: App) {
    const { accounts, connections, context } = app;
    this.app = app;
    this.projects = new Projects(connections);
    this.store = new FeedStore(
      join(pathOf(context.globalStorageUri), 'activity'),
      () => [...accounts.all.map(({ id }) => id), sandboxAccount.id],
      app,
    );
    this.readState = new ReadState(app);
    this.feeds = new OpenFeeds(this);
  }

  /** The event that a command is about: that of its row or page, else of the selected row. */
  eventOf(target: Target): EventNode | undefined {
    const node = target instanceof vscode.Uri ? this.onPage : (target ?? this.#selected);
    return node?.kind === 'event' ? node : undefined;
  }

  /** The feed that a command is about: that of its row, else of the selected row, else the chosen one. */
  feedOf(target: Target): Feed | undefined {
    // A row may be selected whose feed is no longer shown.
    const selected = this.feeds.all.find((feed) => feed === this.#selected?.feed);
    return (target instanceof vscode.Uri ? undefined : target?.feed) ?? selected ?? this.feeds.chosen?.feed;
  }

  /** The same as it stands in the view. */
  shownOf(target: Target): ShownFeed | undefined {
    const feed = this.feedOf(target);
    return target && 'shown' in target
      ? target.shown
      : (this.feeds.shown.find((shown) => shown.feed === feed) ?? this.feeds.chosen);
  }

  /** The web address of what an event is about, as far as its project is known by now. */
  linkOf({ item, feed }: EventNode): string | undefined {
    const { instanceUrl } = feed.state;
    const projectUrl = this.projects.get(feed.ref.accountId, item.project_id)?.webUrl;
    return instanceUrl === undefined ? undefined : eventLink(item, { instanceUrl, projectUrl });
  }

  get #selected(): ActivityNode | undefined {
    return this.treeView.selection[0] ?? this.lastSelected;
  }
}
