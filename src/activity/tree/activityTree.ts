import * as vscode from 'vscode';
import { revealRow } from '../../common/trees.ts';
import type { LocalCommits } from '../commands/localCommits.ts';
import type { ActivityContext } from '../context.ts';
import type { Feed } from '../feed/feed.ts';
import type { FeedState } from '../feed/merge.ts';
import type { ShownFeed } from '../feed/openFeeds.ts';
import { accessContext, type EventNode, type Look } from './eventNode.ts';
import { rowsAbove, rowsBelow, rowsWithoutFeed } from './messageRows.ts';
import { type ActivityNode, type DayNode, eventsPerShowMore, FeedDays, FeedNode } from './nodes.ts';

/** The rows of a feed. */
class Branch {
  readonly node: FeedNode;
  readonly days: FeedDays | undefined;
  /** How often the editor waits for these rows: what changes meanwhile is in the answer. */
  fetching = 0;
  /** What the editor got last. */
  drawn: readonly unknown[] = [];

  constructor(shown: ShownFeed, days: FeedDays | undefined) {
    this.node = new FeedNode(shown);
    this.days = days;
  }

  get feed(): Feed | undefined {
    return this.node.shown.feed;
  }
}

/**
 * Shows the feeds grouped by day; with several feeds, each as a root. A change is one event: the ids of rows stay the same, by which the
 * editor keeps what is selected and open.
 */
export class ActivityTree implements vscode.TreeDataProvider<ActivityNode>, vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #localCommits: LocalCommits;
  readonly #changed = new vscode.EventEmitter<ActivityNode | ActivityNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #branches: readonly Branch[] = [];
  /** What all rows depend on besides the feeds. */
  #surroundings: string;
  #today = '';
  /** What the rows of today last said of their times. */
  #times = '';
  /** How many tasks are under way during which no row may be replaced, and whether rows are to be afterwards. */
  #held = 0;
  #isPending = false;

  constructor(view: ActivityContext, localCommits: LocalCommits) {
    this.#view = view;
    this.#localCommits = localCommits;
    this.#surroundings = this.#readSurroundings();
    this.#rebuild();
    const compare = (): void => {
      const surroundings = this.#readSurroundings();
      if (surroundings !== this.#surroundings) {
        this.#surroundings = surroundings;
        this.#fire(undefined);
      }
    };
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
      view.app.accounts.onDidChange(compare),
      vscode.workspace.onDidChangeConfiguration(compare),
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
    const first = this.#branches.flatMap(({ days, feed, fetching }) =>
      days && fetching === 0 ? ((feed?.isAscending === true ? days.at(now).at(-1) : days.at(now)[0]) ?? []) : [],
    );
    const times = first.flatMap(({ events, limit }) => events.slice(0, limit).map((node) => node.time(now))).join();
    if (times !== this.#times) {
      this.#times = times;
      this.#fire(first);
    }
  }

  /** Shows more events of a day. */
  showMoreOf(day: DayNode): void {
    day.limit += eventsPerShowMore * 5;
    this.#fire(day);
  }

  /**
   * Goes to an event, by its place among all events that a feed shows, or its id. Changes of the feed wait until the editor
   * is there: they could replace the row on its way.
   *
   * @param focus whether the row gets the focus; it is selected at any rate.
   * @returns when the editor shows the row; or could not, which the log says.
   */
  async reveal(feed: Feed, wanted: { readonly place: number } | { readonly id: number }, focus = true): Promise<void> {
    const event = this.#reach(feed, wanted);
    if (!event) {
      return;
    }
    this.#held += 1;
    try {
      await revealRow(this.#view.treeView, event, this.#view.app.log, focus);
    } finally {
      this.#held -= 1;
      if (this.#held === 0 && this.#isPending) {
        this.#fire(undefined);
      }
    }
  }

  /** Goes to the row of the feed that was chosen, if it is one of several: it may be below many others. */
  async revealChosen(): Promise<void> {
    const chosen = this.#branches.find(({ node }) => node.shown === this.#view.feeds.chosen);
    if (chosen && !this.#isFlat) {
      await revealRow(this.#view.treeView, chosen.node, this.#view.app.log);
    }
  }

  async getChildren(node?: ActivityNode): Promise<ActivityNode[]> {
    switch (node?.kind) {
      case undefined: {
        const [only] = this.#branches;
        return only && this.#isFlat ? await this.#below(only, node) : this.#branches.map((branch) => branch.node);
      }
      case 'feed': {
        const branch = this.#branchOf(node);
        return branch ? await this.#below(branch, node) : [];
      }
      case 'day':
        return node.rows;
      default:
        return [];
    }
  }

  getParent(node: ActivityNode): ActivityNode | undefined {
    if (node.kind === 'feed') {
      return undefined;
    }
    const branch = this.#branches.find(({ feed }) => feed === node.feed);
    const day = node.kind === 'event' ? this.#daysOf(branch).find(({ events }) => events.includes(node)) : undefined;
    return day ?? (this.#isFlat ? undefined : branch?.node);
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    return node.treeItem(this.#look);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ActivityNode): Promise<vscode.TreeItem> {
    if (node.kind === 'event') {
      item.tooltip = node.tooltip(this.#look, (await this.#localCommits.read(node)).commits);
    }
    return item;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  get #look(): Look {
    const { app, feeds } = this.#view;
    const { hasSeveralAccounts } = feeds;
    return { now: app.clock.date(), accounts: app.accounts, authorPictures: readPictures(), hasSeveralAccounts };
  }

  #readSurroundings(): string {
    const { accounts } = this.#view.app;
    return JSON.stringify([accounts.all.map(({ id }) => [id, ...accessContext(id, accounts)]), readPictures()]);
  }

  /** With one feed alone its days are the roots. */
  get #isFlat(): boolean {
    return this.#branches.length === 1;
  }

  #branchOf({ shown }: FeedNode): Branch | undefined {
    return this.#branches.find(({ node }) =>
      shown.feed ? node.shown.feed === shown.feed : node.shown.choice.kind === shown.choice.kind,
    );
  }

  #daysOf(branch: Branch | undefined): readonly DayNode[] {
    return branch?.days?.at(this.#view.app.clock.date()) ?? [];
  }

  async #below(branch: Branch, node: FeedNode | undefined): Promise<ActivityNode[]> {
    const { feed } = branch;
    if (!feed) {
      return rowsWithoutFeed(branch.node.shown);
    }
    branch.fetching += 1;
    await feed.open();
    branch.fetching -= 1;
    if (!this.#branches.includes(branch)) {
      // Other feeds are shown by now.
      return await this.getChildren(node);
    }
    branch.drawn = this.#pictureOf(branch, feed.state);
    this.#today = this.#view.app.clock.date().toDateString();
    return [...rowsAbove(feed, this.#isFlat), ...this.#daysOf(branch), ...rowsBelow(feed)];
  }

  /** All that the rows of a feed are drawn from. */
  #pictureOf({ node }: Branch, { shown, projects, reading }: FeedState): readonly unknown[] {
    const { feed } = node.shown;
    const rows = feed ? [...rowsAbove(feed, this.#isFlat), ...rowsBelow(feed)] : [];
    const messages = rows.map(({ id, command: { title, tooltip }, description }) => [id, title, tooltip, description]);
    return [shown, projects, reading, JSON.stringify(messages)];
  }

  /** Has the rows of a feed drawn again if they differ from those that the editor has. */
  #update(feed: Feed): void {
    const branch = this.#branches.find((candidate) => candidate.feed === feed);
    const isSeen = branch && (branch.drawn.length > 0 || !this.#isFlat);
    if (!isSeen || branch.fetching > 0) {
      return;
    }
    const picture = this.#pictureOf(branch, feed.state);
    if (picture.some((part, index) => part !== branch.drawn[index])) {
      branch.drawn = picture;
      this.#fire(this.#isFlat ? undefined : branch.node);
    }
  }

  #fire(changed: ActivityNode | ActivityNode[] | undefined): void {
    this.#isPending = this.#held > 0;
    if (!this.#isPending) {
      this.#changed.fire(changed);
    }
  }

  /** An event by its place or id. Its day shows at least as many events from now on: a row that is not there cannot be revealed. */
  #reach(feed: Feed, wanted: { readonly place: number } | { readonly id: number }): EventNode | undefined {
    const days = this.#daysOf(this.#branches.find((branch) => branch.feed === feed));
    let place =
      'place' in wanted
        ? wanted.place
        : days.flatMap(({ events }) => events).findIndex(({ item }) => item.id === wanted.id);
    for (const day of days) {
      const event = day.events[place];
      if (event) {
        if (place >= day.limit) {
          day.limit = place + eventsPerShowMore;
          this.#fire(day);
        }
        return event;
      }
      place -= day.events.length;
    }
    return undefined;
  }

  #rebuild(): void {
    const before = this.#branches;
    const { shown: feeds } = this.#view.feeds;
    const isSame = feeds.length > 1 === before.length > 1;
    this.#branches = feeds.map((shown) => {
      const known = isSame ? before.find(({ feed }) => feed !== undefined && feed === shown.feed) : undefined;
      // With several feeds one day of each is open, so that the next feed is in sight.
      const days = shown.feed && new FeedDays(shown.feed, feeds.length > 1 ? 1 : Infinity);
      return new Branch(shown, known?.days ?? days);
    });
  }
}

function readPictures(): boolean {
  return vscode.workspace.getConfiguration('beacon.activity').get<unknown>('authorPictures') === true;
}
