import * as vscode from 'vscode';
import type { AccountStore } from '../../accounts/accountStore.ts';
import { messageItem } from '../../accounts/messageRows.ts';
import type { WorkspaceProjects } from '../../accounts/workspaceProjects.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import { revealRow } from '../../common/trees.ts';
import type { LocalCommits } from '../commands/localCommits.ts';
import type { Feed } from '../feed/feed.ts';
import type { OpenFeeds } from '../feed/openFeeds.ts';
import { rowsAbove, rowsBelow, rowsWithoutFeed } from './messageRows.ts';
import {
  type ActivityNode,
  type DayNode,
  type EventNode,
  eventsPerShowMore,
  feedNode,
  type FeedNode,
  FeedNodes,
  type MessageNode,
} from './nodes.ts';
import {
  accessContext,
  dayItem,
  eventItem,
  eventTime,
  eventTooltip,
  feedItem,
  feedRow,
  type ItemContext,
} from './treeItems.ts';

/** What the tree depends on. */
export interface ActivityTreeDeps {
  readonly feeds: Pick<OpenFeeds, 'shown' | 'chosen' | 'hasSeveralAccounts' | 'onDidChange'>;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'onDidChange'>;
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly clock: Pick<Clock, 'date'>;
  readonly view: Pick<vscode.TreeView<ActivityNode>, 'visible' | 'reveal'>;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
  /** Loads what looks up more about events. */
  readonly commands: () => Promise<{ readonly localCommits: Pick<LocalCommits, 'titles'> }>;
}

/** The rows below a feed, and what to compare them with after a change. */
interface Branch {
  node: FeedNode;
  readonly nodes: FeedNodes | undefined;
  /** Whether the editor has these rows, so that it has to be notified of changes. */
  isShown: boolean;
  /** The ids and texts of the message rows when they were last shown. */
  messages: string;
  /** What the feed's own row showed last; undefined if the editor does not have that row. */
  row: string | undefined;
}

/**
 * Shows the feeds grouped by day; with several feeds, each as a root. After a change of a feed the editor is notified of the
 * rows in which its state differs from the one that was last shown, so that the user's place is kept: nothing else is asked for
 * again, and nothing at all that the editor is still waiting for.
 */
export class ActivityTree implements vscode.TreeDataProvider<ActivityNode>, vscode.Disposable {
  readonly #deps: ActivityTreeDeps;
  readonly #changed = new vscode.EventEmitter<ActivityNode | ActivityNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #subscriptions: vscode.Disposable[];
  /** The times that rows of events show. */
  readonly #times = new WeakMap<EventNode, string>();
  #branches: readonly Branch[] = [];
  #hasPictures = readPictures();
  /** The projects whose repositories are open in this window, by account and path. */
  #openProjects: readonly string[];
  /** What the menus of rows depend on: what the token of each account may do. */
  #access: string;
  /** How many tasks are under way during which no row may be replaced, and whether all rows are to be afterwards. */
  #held = 0;
  #isAllOther = false;
  /** How often the editor waits for the rows at the top. */
  #waiting = 0;
  /** Resolves when other feeds are shown. */
  #rebuilt = Promise.withResolvers<void>();

  constructor(deps: ActivityTreeDeps) {
    this.#deps = deps;
    this.#openProjects = this.#readOpenProjects();
    this.#access = this.#readAccess();
    this.#rebuild();
    this.#subscriptions = [
      deps.feeds.onDidChange((feed) => {
        if (feed) {
          this.#branches
            .filter(({ node: { shown } }) => shown.feed === feed || shown.whole === feed)
            .forEach((branch) => this.#showChanges(branch));
        } else {
          this.#rebuild();
          this.#showAll();
        }
      }),
      deps.workspaceProjects.onDidChange(() => {
        const before = this.#openProjects;
        this.#openProjects = this.#readOpenProjects();
        if (before.join('\n') !== this.#openProjects.join('\n')) {
          this.#showAll();
        }
      }),
      deps.accounts.onDidChange(() => {
        const before = this.#access;
        this.#access = this.#readAccess();
        if (before !== this.#access) {
          this.#showAll();
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('beacon.activity.authorPictures')) {
          this.#hasPictures = readPictures();
          this.#showAll();
        }
      }),
    ];
  }

  /** Shows how long ago it is now, where that reads otherwise than before, and which day is today. */
  updateTimes(): void {
    this.#branches.forEach((branch) => this.#showChanges(branch));
    const context = this.#context;
    const outdated = this.#branches
      .flatMap(({ nodes }) => nodes?.days ?? [])
      .flatMap(({ events, limit }) => events.slice(0, limit))
      .filter((node) => {
        const time = this.#times.get(node);
        return time !== undefined && !isUnrecognized(node.item) && eventTime(node.item, context) !== time;
      });
    if (outdated.length > 0 && this.#held === 0) {
      this.#changed.fire(outdated);
    }
  }

  /** Shows more events of a day. */
  showMoreOf(day: DayNode): void {
    day.limit += eventsPerShowMore * 5;
    this.#changed.fire(day);
  }

  /**
   * Goes to an event, by its place among all events that a feed shows, or its key. Changes of the feed wait until the editor
   * is there: they could replace the row on its way.
   *
   * @param focus whether the row gets the focus; it is selected at any rate.
   * @returns when the editor shows the row; or could not, which the log says.
   */
  async reveal(feed: Feed, place: number | string, focus = true): Promise<void> {
    const event = this.#reach(feed, place);
    if (!event) {
      return;
    }
    this.#held += 1;
    try {
      await revealRow(this.#deps.view, event, this.#deps.log, focus);
    } finally {
      this.#held -= 1;
      this.#release();
    }
  }

  /** Goes to the row of the feed that was chosen, if it is one of several: it may be below many others. */
  async revealChosen(): Promise<void> {
    const { feeds, view, log } = this.#deps;
    const chosen = this.#branches.find(({ node }) => node.shown === feeds.chosen);
    if (chosen && !this.#isFlat) {
      await revealRow(view, chosen.node, log);
    }
  }

  async getChildren(node?: ActivityNode): Promise<ActivityNode[]> {
    if (!node) {
      const [only] = this.#branches;
      return only && this.#isFlat ? this.#below(only, node) : this.#branches.map((branch) => branch.node);
    }
    switch (node.kind) {
      case 'feed': {
        const branch = this.#branches.find((candidate) => candidate.node === node);
        return branch ? this.#below(branch, node) : [];
      }
      case 'day':
        return node.events.length > node.limit
          ? [...node.events.slice(0, node.limit), moreRow(node)]
          : [...node.events];
      default:
        return [];
    }
  }

  getParent(node: ActivityNode): ActivityNode | undefined {
    const branch = this.#branches.find(({ node: { shown } }) => node.kind !== 'feed' && shown.feed === node.feed);
    if (node.kind === 'event') {
      return branch?.nodes?.days.find(({ date }) => date === node.date);
    }
    return node.kind === 'feed' || this.#isFlat ? undefined : branch?.node;
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    const context = this.#context;
    switch (node.kind) {
      case 'feed':
        this.#branches
          .filter((branch) => branch.node === node)
          .forEach((branch) => (branch.row = feedRow(node, context)));
        return feedItem(node, context, node.shown === this.#deps.feeds.chosen);
      case 'day':
        return dayItem(node, context);
      case 'event':
        this.#times.set(node, isUnrecognized(node.item) ? '' : eventTime(node.item, context));
        return eventItem(node, context);
      case 'message':
        return messageItem({ ...node, label: node.command.title, sentence: node.command.tooltip ?? node.description });
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ActivityNode): Promise<vscode.TreeItem> {
    if (node.kind === 'event') {
      const { accounts, clock, commands } = this.#deps;
      const { localCommits } = await commands();
      item.tooltip = eventTooltip(node, await localCommits.titles(node), clock.date(), accounts);
    }
    return item;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  get #context(): ItemContext {
    return {
      now: this.#deps.clock.date(),
      authorPictures: this.#hasPictures,
      accounts: this.#deps.accounts,
      hasSeveralAccounts: this.#deps.feeds.hasSeveralAccounts,
      isOpen: (accountId, path) => this.#openProjects.includes(`${accountId} ${path}`),
    };
  }

  #readOpenProjects(): readonly string[] {
    return this.#deps.workspaceProjects.all.map(({ accountId, path }) => `${accountId} ${path}`);
  }

  #readAccess(): string {
    const { accounts } = this.#deps;
    return JSON.stringify(accounts.all.map(({ id }) => [id, ...accessContext(id, accounts)]));
  }

  /** With one feed alone its days are the roots. */
  get #isFlat(): boolean {
    return this.#branches.length === 1;
  }

  async #below(branch: Branch, node: ActivityNode | undefined): Promise<ActivityNode[]> {
    const { feed } = branch.node.shown;
    if (!feed || !branch.nodes) {
      return rowsWithoutFeed(branch.node.shown);
    }
    const rebuilt = this.#rebuilt;
    // What changes meanwhile is in the answer.
    branch.isShown = false;
    this.#waiting += node ? 0 : 1;
    // Under a filter, the badge counts what the rows do not have.
    void branch.node.shown.whole?.open();
    await Promise.race([feed.open(), rebuilt.promise]);
    this.#waiting -= node ? 0 : 1;
    if (rebuilt !== this.#rebuilt) {
      return await this.getChildren(node);
    }
    branch.isShown = true;
    branch.messages = this.#messagesKey(feed, branch.node.shown.whole);
    branch.nodes.update(this.#deps.clock.date());
    return [...rowsAbove(feed, branch.node.shown.whole, this.#isFlat), ...branch.nodes.days, ...rowsBelow(feed)];
  }

  /** Notifies the editor of the rows that differ from those that it has. */
  #showChanges(branch: Branch): void {
    const { node, nodes, messages, row, isShown } = branch;
    const { feed } = node.shown;
    if (!feed || !nodes || this.#held > 0) {
      return;
    }
    const isRowOther = !this.#isFlat && row !== undefined && row !== feedRow(node, this.#context);
    if (!isShown) {
      if (isRowOther) {
        this.#changed.fire(node);
      }
      return;
    }
    branch.messages = this.#messagesKey(feed, branch.node.shown.whole);
    const { areDaysOther, days, events } = nodes.update(this.#deps.clock.date());
    if (areDaysOther || messages !== branch.messages || isRowOther) {
      this.#changed.fire(this.#isFlat ? undefined : node);
      return;
    }
    // A row that the editor does not have is not outdated. Where it would draw very many one by one, it draws their days.
    const outdated = events.filter((event) => this.#times.has(event));
    const rows =
      outdated.length > eventsPerShowMore
        ? nodes.days.filter(({ date }) => outdated.some((event) => event.date === date))
        : outdated;
    if (days.length + rows.length > 0) {
      this.#changed.fire([...days, ...rows]);
    }
  }

  #messagesKey(feed: Feed, whole: Feed | undefined): string {
    return JSON.stringify(
      [...rowsAbove(feed, whole, this.#isFlat), ...rowsBelow(feed)].map(
        ({ id, command: { title, tooltip }, description }) => [id, title, tooltip, description],
      ),
    );
  }

  #showAll(): void {
    this.#isAllOther = true;
    this.#release();
  }

  #release(): void {
    if (this.#held > 0) {
      return;
    }
    if (this.#isAllOther) {
      this.#isAllOther = false;
      if (this.#waiting === 0) {
        this.#changed.fire(undefined);
      }
    } else {
      this.#branches.forEach((branch) => this.#showChanges(branch));
    }
  }

  /** An event by its place or key. Its day shows at least as many events from now on: a row that is not there cannot be revealed. */
  #reach(feed: Feed, wanted: number | string): EventNode | undefined {
    const days = this.#branches.find(({ node }) => node.shown.feed === feed)?.nodes?.days ?? [];
    let place =
      typeof wanted === 'number' ? wanted : days.flatMap(({ events }) => events).findIndex(({ key }) => key === wanted);
    for (const day of days) {
      const event = day.events[place];
      if (event) {
        if (place >= day.limit) {
          day.limit = place + eventsPerShowMore;
          this.#changed.fire(day);
        }
        return event;
      }
      place -= day.events.length;
    }
    return undefined;
  }

  #rebuild(): void {
    this.#rebuilt.resolve();
    this.#rebuilt = Promise.withResolvers();
    const before = this.#branches;
    const { shown: feeds } = this.#deps.feeds;
    // With several feeds one day of each is open, so that the next feed is in sight.
    const openDays = feeds.length > 1 ? 1 : undefined;
    const haveSameDays = feeds.length > 1 === before.length > 1;
    this.#branches = feeds.map((shown) => {
      const known = before.find(({ node }) => shown.feed !== undefined && node.shown.feed === shown.feed);
      const node = known?.node.shown === shown ? known.node : feedNode(shown);
      if (known && haveSameDays) {
        // The editor asks for all rows again.
        return Object.assign(known, { node, isShown: false, row: undefined });
      }
      const nodes = shown.feed && new FeedNodes(shown.feed, openDays);
      return { node, nodes, isShown: false, messages: '', row: undefined };
    });
  }
}

function readPictures(): boolean {
  return vscode.workspace.getConfiguration('beacon.activity').get<unknown>('authorPictures') === true;
}

function moreRow(day: DayNode): MessageNode {
  const left = day.events.length - day.limit;
  return {
    kind: 'message',
    id: `${day.feed.id}/day/${day.date}/more`,
    feed: day.feed,
    command: {
      command: 'beacon.activity.showMoreOfDay',
      title: left === 1 ? vscode.l10n.t('Show 1 More Event') : vscode.l10n.t('Show {0} More Events', left),
      arguments: [day],
    },
    icon: 'fold-down',
  };
}
