import type * as vscode from 'vscode';
import type { Feed } from './feed/feed.ts';
import type { OpenFeeds, ShownFeed } from './feed/openFeeds.ts';
import type { ActivityNode, EventNode } from './tree/nodes.ts';

/** What a command was chosen on: a row of the tree, a feed, or nothing where it was chosen elsewhere. */
export type Target = ActivityNode | { readonly kind?: never; readonly feed: Feed } | undefined;

/** Finds what commands are about: what they were chosen on, else the selected row, else the chosen feed. */
export class ViewContext {
  readonly #feeds: OpenFeeds;
  readonly #view: Pick<vscode.TreeView<ActivityNode>, 'selection'>;
  #lastSelected: ActivityNode | undefined;

  constructor(feeds: OpenFeeds, view: Pick<vscode.TreeView<ActivityNode>, 'selection' | 'onDidChangeSelection'>) {
    this.#feeds = feeds;
    this.#view = view;
    view.onDidChangeSelection(({ selection }) => (this.#lastSelected = selection[0]));
  }

  /** The event of a command. */
  event(target: Target): EventNode | undefined {
    const node = target ?? this.#selected;
    return node?.kind === 'event' ? node : undefined;
  }

  /** The feed of a command. */
  feed(target: Target): Feed | undefined {
    return feedOf(target) ?? feedOf(this.#selectedOfShown) ?? this.#feeds.chosen?.feed;
  }

  /** The feed of a command as it stands in the view. */
  shown(target: Target): ShownFeed | undefined {
    if (target?.kind === 'feed') {
      return target.shown;
    }
    const feed = this.feed(target);
    return this.#feeds.shown.find((shown) => shown.feed === feed) ?? this.#feeds.chosen;
  }

  /** While the editor asks for the rows again, its `selection` is empty though nobody deselected anything. */
  get #selected(): ActivityNode | undefined {
    return this.#view.selection[0] ?? this.#lastSelected;
  }

  /** A row may be selected whose feed is no longer shown. */
  get #selectedOfShown(): ActivityNode | undefined {
    const node = this.#selected;
    const feed = feedOf(node);
    return feed && this.#feeds.all.includes(feed) ? node : undefined;
  }
}

function feedOf(target: Target): Feed | undefined {
  return target?.kind === 'feed' ? target.shown.feed : target?.feed;
}
