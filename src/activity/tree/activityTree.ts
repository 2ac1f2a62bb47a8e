import * as vscode from 'vscode';
import { messageItem } from '../../accounts/messageRows.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import { type TimeFormat, timeFormats } from '../../common/timeText.ts';
import type { OpenFeed, OpenFeeds, ShownFeed } from '../feed/openFeeds.ts';
import type { Projects } from '../feed/projects.ts';
import { type MessageContext, rowsAbove, rowsBelow, rowsWithoutFeed } from './messageRows.ts';
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
import { dayItem, eventItem, eventTime, eventTooltip, feedItem } from './treeItems.ts';

/** What the tree needs besides the feeds. */
export interface ActivityTreeDeps {
  readonly feeds: Pick<OpenFeeds, 'shown' | 'all' | 'chosen'>;
  readonly projects: Projects;
  readonly clock: Pick<Clock, 'date'>;
  /** Without an account the view is empty, and its welcome content offers to sign in. */
  readonly isSignedIn: () => boolean;
  /** Whether the user has dismissed the note on what feeds of users lack. */
  readonly isNoteRead: () => boolean;
  /** Loads a feed that is shown for the first time. */
  readonly load: (open: OpenFeed) => Promise<void>;
  /** The titles of the commits of a push, the newest first, where a repository has them. */
  readonly commitsOf: (node: EventNode) => Promise<readonly string[]>;
}

/** The rows below a feed, and what to compare them with after a change. */
interface Branch {
  readonly node: FeedNode;
  readonly nodes: FeedNodes | undefined;
  /** The ids and texts of the message rows when they were last shown. */
  messages: string;
}

/** Shows the feeds grouped by day; with several feeds, each as a root. */
export class ActivityTree implements vscode.TreeDataProvider<ActivityNode>, vscode.Disposable {
  readonly #deps: ActivityTreeDeps;
  readonly #changed = new vscode.EventEmitter<ActivityNode | ActivityNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  #branches: readonly Branch[] = [];
  /** The times that rows of events show. */
  readonly #times = new Map<EventNode, string>();
  readonly #subscription: vscode.Disposable;
  #settings = readSettings();

  constructor(deps: ActivityTreeDeps) {
    this.#deps = deps;
    this.#rebuild();
    this.#subscription = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(section)) {
        this.#settings = readSettings();
        this.redraw();
      }
    });
  }

  /** Shows other feeds. */
  rebuild(): void {
    this.#rebuild();
    this.#changed.fire(undefined);
  }

  /** Shows all again, such as after other events are new. */
  redraw(): void {
    this.#branches.forEach(({ nodes }) => nodes?.update(this.#deps.clock.date()));
    this.#changed.fire(undefined);
  }

  /** Shows what a feed holds now: as few rows as possible change, so that the reader's place is kept. */
  update(open: OpenFeed): void {
    const branch = this.#branches.find(({ node }) => node.shown.open === open);
    if (!branch?.nodes) {
      return;
    }
    const { areDaysOther, changed } = branch.nodes.update(this.#deps.clock.date());
    const messages = this.#messagesKey(open);
    const parent = this.#isFlat ? undefined : branch.node;
    if (areDaysOther || messages !== branch.messages) {
      branch.messages = messages;
      this.#changed.fire(parent);
    } else if (changed.length > 0) {
      // Beside its days, a feed's own row counts what is new.
      this.#changed.fire([...changed]);
    }
  }

  /** Shows the names of projects and other facts that came to be known; the events are the same. */
  redrawEvents(open: OpenFeed): void {
    const days = this.#branches.find(({ node }) => node.shown.open === open)?.nodes?.days ?? [];
    if (days.length > 0) {
      this.#changed.fire([...days]);
    }
  }

  /** Shows how long ago it is now, where that reads otherwise than before. */
  updateTimes(): void {
    const context = { now: this.#deps.clock.date(), timeFormat: this.#settings.timeFormat };
    const outdated = [...this.#times].filter(
      ([{ item }, time]) => !isUnrecognized(item) && eventTime(item, context) !== time,
    );
    if (outdated.length > 0) {
      this.#changed.fire(outdated.map(([node]) => node));
    }
  }

  /** Shows more events of a day. */
  showMoreOf(day: DayNode): void {
    day.limit += eventsPerShowMore * 5;
    this.#changed.fire(day);
  }

  async getChildren(node?: ActivityNode): Promise<ActivityNode[]> {
    if (!node && !this.#deps.isSignedIn()) {
      return [];
    }
    if (!node) {
      const [only] = this.#branches;
      return only && this.#isFlat ? this.#below(only) : this.#branches.map((branch) => branch.node);
    }
    switch (node.kind) {
      case 'feed': {
        const branch = this.#branches.find((candidate) => candidate.node === node);
        return branch ? this.#below(branch) : [];
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
    const branch = this.#branches.find(({ node: { shown } }) => node.kind !== 'feed' && shown.open === node.open);
    if (node.kind === 'event') {
      return branch?.nodes?.days.find(({ date }) => date === node.date);
    }
    return node.kind === 'feed' || this.#isFlat ? undefined : branch?.node;
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    const { timeFormat } = this.#settings;
    const context = { projects: this.#deps.projects, now: this.#deps.clock.date(), timeFormat };
    switch (node.kind) {
      case 'feed':
        return feedItem(node, node.shown === this.#deps.feeds.chosen);
      case 'day':
        return dayItem(node, context);
      case 'event':
        if (!isUnrecognized(node.item)) {
          this.#times.set(node, eventTime(node.item, context));
        }
        return eventItem(node, context);
      case 'message':
        return messageItem({ ...node, label: node.command.title, sentence: node.command.tooltip ?? node.description });
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ActivityNode): Promise<vscode.TreeItem> {
    if (node.kind === 'event') {
      const commits = await this.#deps.commitsOf(node);
      item.tooltip = eventTooltip(node, this.#deps.projects, commits, this.#deps.clock.date());
    }
    return item;
  }

  /**
   * The event at a place among all events of a feed, in the order of the rows. Its day shows at least as many events from
   * now on: a row that is not there cannot be revealed.
   */
  reach(open: OpenFeed, index: number): EventNode | undefined {
    const days = this.#branches.find(({ node }) => node.shown.open === open)?.nodes?.days ?? [];
    let place = index;
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

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** With one feed alone its days are the roots. */
  get #isFlat(): boolean {
    return this.#branches.length === 1;
  }

  async #below(branch: Branch): Promise<ActivityNode[]> {
    const { open } = branch.node.shown;
    if (!open || !branch.nodes) {
      return rowsWithoutFeed(branch.node.shown);
    }
    if (!open.state.loaded && open.state.items.length === 0 && open.state.error === undefined) {
      await this.#deps.load(open);
    }
    branch.nodes.update(this.#deps.clock.date());
    branch.messages = this.#messagesKey(open);
    const context = this.#messageContext;
    return [...rowsAbove(open, context), ...branch.nodes.days, ...rowsBelow(open, context)];
  }

  get #messageContext(): MessageContext {
    return { isProblemShown: this.#isFlat, isNoteRead: this.#deps.isNoteRead() };
  }

  #messagesKey(open: OpenFeed): string {
    const context = this.#messageContext;
    const messages = [...rowsAbove(open, context), ...rowsBelow(open, context)];
    return JSON.stringify(
      messages.map(({ id, command: { title, tooltip }, description }) => [id, title, tooltip, description]),
    );
  }

  #rebuild(): void {
    const before = this.#branches;
    this.#times.clear();
    this.#branches = this.#deps.feeds.shown.map((shown) => {
      const known = before.find(({ node }) => isSameBranch(node.shown, shown));
      const nodes = known?.nodes ?? (shown.open && new FeedNodes(shown.open, () => this.#settings.openDays));
      return { node: known?.node.shown === shown ? known.node : feedNode(shown), nodes, messages: '' };
    });
  }
}

const section = 'beacon.activity';

/** What the settings say of the rows. Values that the settings editor would not take count as none. */
function readSettings(): { readonly timeFormat: TimeFormat; readonly openDays: number | undefined } {
  const configuration = vscode.workspace.getConfiguration(section);
  const [format, days] = [configuration.get<unknown>('timeFormat'), configuration.get<unknown>('openDays')];
  return {
    timeFormat: timeFormats.find((known) => known === format) ?? 'automatic',
    openDays: typeof days === 'number' && days >= 0 ? days : undefined,
  };
}

function isSameBranch(one: ShownFeed, other: ShownFeed): boolean {
  return one.open !== undefined && one.open === other.open;
}

function moreRow(day: DayNode): MessageNode {
  const left = day.events.length - day.limit;
  return {
    kind: 'message',
    id: `${day.open.id}/day/${day.date}/more`,
    open: day.open,
    command: {
      command: 'beacon.activity.showMoreOfDay',
      title: left === 1 ? vscode.l10n.t('Show 1 More Event') : vscode.l10n.t('Show {0} More Events', left),
      arguments: [day],
    },
    icon: 'fold-down',
  };
}
