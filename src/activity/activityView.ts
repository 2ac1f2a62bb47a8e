import { join, pathOf } from '#platform/storage.ts';
import * as vscode from 'vscode';
import { sandboxAccount } from '../accounts/account.ts';
import { type AccountInUse, accountName } from '../accounts/accountInUse.ts';
import type { AccountStore } from '../accounts/accountStore.ts';
import type { Connections } from '../accounts/connections.ts';
import type { WorkspaceProjects } from '../accounts/workspaceProjects.ts';
import { systemClock } from '../common/clock.ts';
import { type Commands, loadOnce } from '../common/commands.ts';
import { withProgress } from '../common/inertWindow.ts';
import { type LoadedTree, revealRow } from '../common/trees.ts';
import { contextKeysOf, headerOf, NewDecorations } from './activityHeader.ts';
import type { activityCommands } from './commands/activityCommands.ts';
import { type FeedChoice, firstChoice, type FeedContext } from './feed/feed.ts';
import { FeedLoader } from './feed/feedLoader.ts';
import { FeedStore } from './feed/feedStore.ts';
import { FilterMemory } from './feed/filterMemory.ts';
import { LivePolling } from './feed/livePolling.ts';
import { NewsNotifier } from './feed/newsNotifier.ts';
import { FeedChoices, OpenFeed, OpenFeeds } from './feed/openFeeds.ts';
import { Projects } from './feed/projects.ts';
import { Mutes, ReadState } from './feed/readState.ts';
import type { ActivityTree } from './tree/activityTree.ts';
import type { ActivityNode, DayNode } from './tree/nodes.ts';
import { type Target, ViewContext } from './viewContext.ts';

const viewId = 'beacon.activity';
const onlyNewKey = 'activity.onlyNew';
const noteReadKey = 'activity.noteRead';
/** How often rows say how long ago it is now, in milliseconds. */
const timesInterval = 30_000;

/** What the view is built from. */
export interface ActivityViewDeps {
  readonly accounts: AccountStore;
  readonly accountInUse: AccountInUse;
  readonly connections: Connections;
  readonly workspaceProjects: Pick<WorkspaceProjects, 'all' | 'current' | 'onDidChange'>;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  /** A folder that all windows share. */
  readonly storageUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
}

/** The view "Activity": builds its services and connects them. */
export class ActivityView implements vscode.Disposable {
  readonly #deps: ActivityViewDeps;
  readonly #projects: Projects;
  readonly #readState: ReadState;
  readonly #mutes: Mutes;
  readonly #feeds: OpenFeeds;
  readonly #loader: FeedLoader;
  readonly #choices: FeedChoices;
  readonly #tree: LoadedTree<ActivityNode, ActivityTree>;
  readonly #view: vscode.TreeView<ActivityNode>;
  readonly #polling: LivePolling;
  readonly #subscriptions: vscode.Disposable[];
  readonly #loadCommands: () => Promise<ReturnType<typeof activityCommands>>;
  /** Loads the commands whose ids begin with `beacon.activity.`. */
  readonly load: () => Promise<Commands>;

  /** @param tree shows what `createTree` makes. */
  constructor(
    deps: ActivityViewDeps,
    tree: LoadedTree<ActivityNode, ActivityTree>,
    view: vscode.TreeView<ActivityNode>,
  ) {
    this.#deps = deps;
    this.#tree = tree;
    this.#view = view;
    const { accountInUse, connections, globalState, workspaceState, workspaceProjects, log } = deps;
    const clock = systemClock;
    const store = new FeedStore(join(pathOf(deps.storageUri), 'activity'), {
      note: (sentence) => log.warn(sentence),
      isKept: (accountId) => this.#accountIds.includes(accountId),
    });
    const filters = new FilterMemory(globalState);
    this.#readState = new ReadState(globalState);
    this.#mutes = new Mutes(globalState);
    this.#projects = new Projects(async (accountId) => (await connections.of(accountId)).client);
    const feedContext = (): FeedContext => ({
      accountId: accountInUse.account?.id,
      workspaceProject: workspaceProjects.current,
    });
    const choices = new FeedChoices(workspaceState, globalState, () =>
      firstChoice(feedContext(), vscode.workspace.getConfiguration('beacon.activity').get('defaultFeed')),
    );
    this.#choices = choices;
    this.#feeds = new OpenFeeds(
      choices,
      filters,
      feedContext,
      (feed, filter) =>
        new OpenFeed(feed, filter, {
          connect: (accountId) => connections.of(accountId),
          today: () => ({ now: clock.date(), language: vscode.env.language }),
          reading: this.#reading(),
        }),
    );
    this.#loader = new FeedLoader({
      projects: this.#projects,
      readState: this.#readState,
      store,
      clock,
      log,
      withProgress: (task) => withProgress({ location: { viewId } }, task),
      onChange: (open, what) => this.#show(open, what),
    });
    const notifier = new NewsNotifier(this.#readState, () => this.#view.visible);
    this.#polling = new LivePolling({
      feeds: this.#feeds,
      loader: this.#loader,
      store,
      clock,
      isFocused: () => vscode.window.state.focused,
      isVisible: () => this.#view.visible,
      isNotifying: () => notifier.isOn,
      onNews: (open) => void notifier.notify(open).catch((error: Error) => log.error(error)),
    });
    const context = new ViewContext(this.#feeds, this.#view);
    const setOnlyNew = (onlyNew: boolean): Promise<void> => this.#remember(workspaceState, onlyNewKey, onlyNew);
    const loaded = loadOnce(async () => {
      const { activityCommands } = await import('./commands/activityCommands.ts');
      return activityCommands({
        ...{ connections, workspaceProjects, choices, filters, feedContext, context, clock },
        ...{ feeds: this.#feeds, projects: this.#projects, readState: this.#readState, mutes: this.#mutes },
        showAll: () => setOnlyNew(false),
      });
    });
    this.#loadCommands = loaded;
    this.load = async () => ({
      ...(await loaded()).commands,
      'beacon.activity.showOnlyNew': () => setOnlyNew(true),
      'beacon.activity.showRead': () => setOnlyNew(false),
      'beacon.activity.refresh': (target?: Target) => this.refresh(target && context.open(target)),
      'beacon.activity.loadMore': (target?: Target) => this.loadMore(context.open(target)),
      'beacon.activity.showMoreOfDay': (day?: DayNode) => day && this.#tree.rows?.showMoreOf(day),
      'beacon.activity.dismissNote': () => this.#remember(globalState, noteReadKey, true),
    });
    const times = setInterval(() => this.#updateTimes(), timesInterval);
    this.#subscriptions = [
      choices,
      filters,
      this.#readState,
      this.#mutes,
      this.#feeds,
      new NewDecorations(),
      this.#polling,
      this.#loader,
      { dispose: () => clearInterval(times) },
      accountInUse.onDidChange(() => this.#feeds.reopen()),
      deps.accounts.onDidChange(() => void store.keepOnly(this.#accountIds)),
      workspaceProjects.onDidChange(() => this.#feeds.update()),
      this.#feeds.onDidChange(() => this.#restart()),
      this.#readState.onDidChange(() => this.#redraw()),
      this.#mutes.onDidChange(() => this.#redraw()),
      this.#view.onDidChangeVisibility(() => this.#start()),
      vscode.window.onDidChangeWindowState(() => this.#polling.update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('beacon.activity')) {
          this.#feeds.update();
          this.#polling.update();
        }
      }),
    ];
    this.#start();
  }

  /** Loads and builds the rows. */
  async createTree(): Promise<ActivityTree> {
    const { ActivityTree } = await import('./tree/activityTree.ts');
    const { accountInUse, globalState } = this.#deps;
    return new ActivityTree({
      feeds: this.#feeds,
      projects: this.#projects,
      clock: systemClock,
      isSignedIn: () => accountInUse.account !== undefined,
      isNoteRead: () => globalState.get(noteReadKey, false),
      load: (open) => this.#open(open),
      commitsOf: async (node) => (await this.#loadCommands()).localCommits.titles(node),
    });
  }

  /** The text of an event that is shown as a document. */
  async documentText(uri: vscode.Uri): Promise<string> {
    return (await this.#loadCommands()).documents.provideTextDocumentContent(uri);
  }

  /**
   * Loads what is new: in a feed, or in all that are shown. A failure shows in the view.
   *
   * @throws SignedOutError if there is no account, UndecidedAccountError if it is not chosen yet.
   */
  async refresh(only?: OpenFeed): Promise<void> {
    const feeds = only ? [only] : this.#feeds.all;
    if (!this.#deps.accountInUse.account) {
      await this.#deps.connections.current();
    }
    this.#projects.expire();
    this.#polling.restart();
    await Promise.all(feeds.map((open) => this.#loader.refresh(open)));
  }

  /**
   * Loads the next page of older events and goes to the first of them. A failure shows in the view.
   *
   * @throws SignedOutError if there is no account, UndecidedAccountError if it is not chosen yet.
   */
  async loadMore(open: OpenFeed | undefined): Promise<void> {
    if (!open) {
      await this.#deps.connections.current();
      return;
    }
    const { length } = open.shown;
    await this.#loader.loadMore(open);
    const first = this.#tree.rows?.reach(open, length);
    if (first) {
      await revealRow(this.#view, first, this.#deps.log);
    }
  }

  /** Chooses a feed and brings it into view. */
  async show(choice: FeedChoice): Promise<void> {
    await this.#choices.choose(choice);
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #accountIds(): string[] {
    return [...this.#deps.accounts.all.map(({ id }) => id), sandboxAccount.id];
  }

  get #onlyNew(): boolean {
    return this.#deps.workspaceState.get(onlyNewKey, false);
  }

  /** What decides which events are shown; asked each time, because it changes. */
  #reading() {
    const [readState, mutes, isOnlyNew] = [this.#readState, this.#mutes, () => this.#onlyNew];
    return {
      isNew: readState.isNew.bind(readState),
      muted: mutes.test.bind(mutes),
      get onlyNew() {
        return isOnlyNew();
      },
    };
  }

  async #remember(memento: vscode.Memento, key: string, value: boolean): Promise<void> {
    await memento.update(key, value);
    this.#redraw();
  }

  /** Follows what is seen. The editor asks the tree for its rows, and so for the feeds, when the view is seen. */
  #start(): void {
    this.#polling.update();
    this.#showHeader();
    this.#updateTimes();
  }

  /**
   * Shows what is kept of a feed, and then what the instance says, unless that ended the editor's process the last time.
   * Resolves as soon as there is something to show.
   */
  async #open(open: OpenFeed): Promise<void> {
    if (await this.#loader.wasInterrupted(open)) {
      return;
    }
    await this.#loader.restore(open);
    const refreshing = this.#loader.refresh(open);
    if (open.state.items.length === 0) {
      await refreshing;
    }
  }

  #restart(): void {
    this.#tree.rows?.rebuild();
    this.#start();
  }

  #redraw(): void {
    this.#feeds.all.forEach((open) => open.invalidate());
    this.#tree.rows?.redraw();
    this.#showHeader();
  }

  #show(open: OpenFeed, what: 'events' | 'projects'): void {
    if (what === 'events') {
      this.#tree.rows?.update(open);
    } else {
      this.#tree.rows?.redrawEvents(open);
    }
    this.#showHeader();
  }

  #updateTimes(): void {
    if (this.#view.visible) {
      this.#tree.rows?.updateTimes();
      this.#showHeader();
    }
  }

  #showHeader(): void {
    const { accounts, accountInUse } = this.#deps;
    const { account } = accountInUse;
    const facts = {
      feeds: this.#feeds,
      readState: this.#readState,
      onlyNew: this.#onlyNew,
      account: accounts.all.length > 1 || account?.kind === 'sandbox' ? accountName(account) : undefined,
      now: systemClock.date(),
    };
    const { description, message, badge } = headerOf(facts);
    this.#view.description = description ?? '';
    this.#view.message = message ?? '';
    this.#view.badge = badge;
    for (const [key, value] of Object.entries(contextKeysOf(facts))) {
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
