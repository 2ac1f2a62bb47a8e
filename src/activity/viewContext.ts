import type * as vscode from 'vscode';
import type { OpenFeed, OpenFeeds, ShownFeed } from './feed/openFeeds.ts';
import type { ActivityNode, EventNode } from './tree/nodes.ts';

/** What a command was chosen on: a row of the tree, a feed, or nothing where it was chosen elsewhere. */
export type Target = ActivityNode | { readonly kind?: never; readonly open: OpenFeed } | undefined;

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
  open(target: Target): OpenFeed | undefined {
    return openOf(target) ?? openOf(this.#selectedOfShown) ?? this.#feeds.chosen?.open;
  }

  /** The feed of a command as it stands in the view. */
  shown(target: Target): ShownFeed | undefined {
    if (target?.kind === 'feed') {
      return target.shown;
    }
    const open = this.open(target);
    return this.#feeds.shown.find((shown) => shown.open === open) ?? this.#feeds.chosen;
  }

  /** While the editor asks for the rows again, its `selection` is empty though nobody deselected anything. */
  get #selected(): ActivityNode | undefined {
    return this.#view.selection[0] ?? this.#lastSelected;
  }

  /** A row may be selected whose feed is no longer shown. */
  get #selectedOfShown(): ActivityNode | undefined {
    const node = this.#selected;
    const open = openOf(node);
    return open && this.#feeds.all.includes(open) ? node : undefined;
  }
}

function openOf(target: Target): OpenFeed | undefined {
  return target?.kind === 'feed' ? target.shown.open : target?.open;
}
