import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { ActivityContext } from '../context.ts';
import type { Feed } from '../feed/feed.ts';
import {
  type ActivityNode,
  type DayNode,
  type EventNode,
  FeedNode,
  eventsPerShowMore,
  rowsAbove,
  rowsWithoutFeed,
} from './nodes.ts';

/**
 * Shows the feeds grouped by day; with several feeds, each as a root. A change is one event: the ids of rows stay the same, by which the
 * editor keeps what is selected and open.
 */
export class ActivityTree implements vscode.TreeDataProvider<ActivityNode>, vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #changed = new vscode.EventEmitter<ActivityNode | ActivityNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #roots: readonly FeedNode[] = [];
  #today = '';
  /** What the rows of today last said of their times. */
  #times = '';
  /** How many tasks are under way during which no row may be replaced, and whether rows are to be afterwards. */
  #held = 0;
  #isPending = false;

  constructor(view: ActivityContext) {
    this.#view = view;
    this.#rebuild();
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      view.feeds.onDidChange((feed) => {
        if (feed) {
          this.#update(feed);
        } else {
          this.#rebuild();
          this.#fire(undefined);
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) =>
        change.affectsConfiguration('beacon.activity.authorPictures') ? this.#fire(undefined) : undefined,
      ),
    );
  }

  /** Shows how long ago it is now, and which day is today. */
  updateTimes(): void {
    const now = this.#view.app.clock.date();
    if (now.toDateString() !== this.#today) {
      this.#fire(undefined);
      return;
    }
    // Those of earlier days say the time of day.
    const first = this.#roots.flatMap((root) => {
      const days = root.fetching === 0 ? root.days : [];
      return days.at(root.feed?.isAscending === true ? -1 : 0) ?? [];
    });
    const times = first.flatMap(({ events, limit }) => events.slice(0, limit).map(({ time }) => time)).join();
    if (times !== this.#times) {
      this.#times = times;
      this.#fire(first);
    }
  }

  showMoreOf(day: DayNode): void {
    day.limit += eventsPerShowMore * 5;
    this.#fire(day);
  }

  /**
   * Goes to an event by its id. Changes of the feed wait until the editor is there: they could replace the row on its way.
   *
   * @param focus whether the row gets the focus; it is selected at any rate.
   * @returns when the editor shows the row; or could not, which the log says.
   */
  async reveal(feed: Feed, id: number | undefined, focus = true): Promise<void> {
    const event = this.#reach(feed, id);
    if (!event) {
      return;
    }
    this.#held += 1;
    try {
      await this.#goTo(event, focus);
    } finally {
      this.#held -= 1;
      if (this.#held === 0 && this.#isPending) {
        this.#fire(undefined);
      }
    }
  }

  /** Goes to the row of the feed that was chosen, if it is one of several: it may be below many others. */
  async revealChosen(): Promise<void> {
    const chosen = this.#roots.find(({ shown }) => shown === this.#view.feeds.chosen);
    if (chosen && !this.#isFlat) {
      await this.#goTo(chosen, true);
    }
  }

  /**
   * Goes to a row if the view is visible. The editor cannot do so while it reads the rows again, for example because new events have
   * arrived: then the focus stays where it is, and the log says why.
   */
  async #goTo(row: ActivityNode, focus: boolean): Promise<void> {
    const { treeView, app } = this.#view;
    if (treeView.visible) {
      try {
        await treeView.reveal(row, { select: true, focus });
      } catch (error) {
        app.log.warn(`A row could not be revealed: ${inspect(error)}`);
      }
    }
  }

  async getChildren(node?: ActivityNode): Promise<ActivityNode[]> {
    switch (node?.kind) {
      case undefined:
        // Those that are closed count what is new all the same.
        this.#roots.forEach(({ feed }) => void feed?.open());
        return this.#isFlat ? await this.#below(this.#roots[0], node) : [...this.#roots];
      case 'feed':
        return await this.#below(this.#rootOf(node.feed) ?? node, node);
      case 'day':
      case 'moreDays':
        return node.rows;
      default:
        return [];
    }
  }

  getParent(node: ActivityNode): ActivityNode | undefined {
    if (node.kind === 'feed') {
      return undefined;
    }
    const root = this.#rootOf(node.feed);
    const parent =
      node.kind === 'event'
        ? root?.days.find(({ events }) => events.includes(node))
        : node.kind === 'day'
          ? root?.parentOf(node)
          : undefined;
    return parent ?? (this.#isFlat ? undefined : root);
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    return node.treeItem(vscode.workspace.getConfiguration('beacon.activity').get<unknown>('authorPictures') === true);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ActivityNode): Promise<vscode.TreeItem> {
    if (node.kind === 'event') {
      item.tooltip = await node.tooltip();
    }
    return item;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** With one feed alone its days are the roots. */
  get #isFlat(): boolean {
    return this.#roots.length === 1;
  }

  #rootOf(feed: Feed | undefined): FeedNode | undefined {
    return feed && this.#roots.find((root) => root.feed === feed);
  }

  async #below(root: FeedNode | undefined, node: FeedNode | undefined): Promise<ActivityNode[]> {
    if (!root?.feed) {
      return root ? rowsWithoutFeed() : [];
    }
    const { feed } = root;
    root.fetching += 1;
    await feed.open();
    root.fetching -= 1;
    if (!this.#roots.includes(root)) {
      // Other feeds are shown by now.
      return node ? [] : await this.getChildren();
    }
    root.drawn = pictureOf(feed);
    this.#today = this.#view.app.clock.date().toDateString();
    return [...rowsAbove(feed, this.#isFlat), ...root.rows];
  }

  /** Has the rows of a feed drawn again if they differ from those that the editor has. */
  #update(feed: Feed): void {
    const root = this.#rootOf(feed);
    // What changes while the editor waits for the rows is in the answer.
    if (!root || root.fetching > 0 || (root.drawn.length === 0 && this.#isFlat)) {
      return;
    }
    const picture = pictureOf(feed);
    if (picture.some((part, index) => part !== root.drawn[index])) {
      root.drawn = picture;
      this.#fire(this.#isFlat ? undefined : root);
    }
  }

  #fire(changed: ActivityNode | ActivityNode[] | undefined): void {
    this.#isPending = this.#held > 0;
    if (!this.#isPending) {
      this.#changed.fire(changed);
    }
  }

  /** An event by its id. Its day shows at least as many events from now on: a row that is not there cannot be revealed. */
  #reach(feed: Feed, id: number | undefined): EventNode | undefined {
    for (const day of this.#rootOf(feed)?.days ?? []) {
      const place = day.events.findIndex(({ item }) => item.id === id);
      if (place >= day.limit) {
        day.limit = place + eventsPerShowMore;
        this.#fire(day);
      }
      if (place >= 0) {
        return day.events[place];
      }
    }
    return undefined;
  }

  #rebuild(): void {
    const { feeds } = this.#view;
    const areSeveral = feeds.shown.length > 1;
    this.#roots = feeds.shown.map((shown) => {
      const known = areSeveral === this.#roots.length > 1 ? this.#rootOf(shown.feed) : undefined;
      const root = known ?? new FeedNode(shown, areSeveral);
      root.shown = shown;
      root.isOneOfSeveralAccounts = feeds.hasSeveralAccounts;
      return root;
    });
  }
}

/** All that the rows of a feed are drawn from. */
function pictureOf({ state }: Feed): readonly unknown[] {
  const { shown, projects, reading, error, mutedCount, filteredCount, unreadable, next, loaded } = state;
  return [shown, projects, reading, error, mutedCount, filteredCount, unreadable, next === undefined, loaded];
}
