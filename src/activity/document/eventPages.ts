import * as vscode from 'vscode';
import { lacksReadScope } from '../../accounts/account.ts';
import { type AccountInUse, accountLabel, pageAccount } from '../../accounts/accountInUse.ts';
import type { AccountStore } from '../../accounts/accountStore.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';
import type { Commands } from '../../common/commands.ts';
import { plainText } from '../../common/inertText.ts';
import { setStatusBarMessage } from '../../common/inertWindow.ts';
import type { LoadedTree } from '../../common/trees.ts';
import { Channel } from '../../webviews/channel.ts';
import { SinglePage } from '../../webviews/webview.ts';
import type { EventDocuments } from '../commands/eventDocuments.ts';
import type { LocalCommits } from '../commands/localCommits.ts';
import { rowTexts } from '../events/eventLabel.ts';
import type { Feed } from '../feed/feed.ts';
import { isNew } from '../feed/feedState.ts';
import type { OpenFeeds } from '../feed/openFeeds.ts';
import type { ReadState } from '../feed/readState.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import { type ActivityNode, type EventNode, FeedNodes } from '../tree/nodes.ts';
import { eventContextValue } from '../tree/treeItems.ts';
import type { Target } from '../viewContext.ts';
import { type EventSurroundings, eventState } from './eventState.ts';
import {
  type EventId,
  eventIdSchema,
  type EventState,
  type FromEventPage,
  fromEventPageSchema,
  type ToEventPage,
} from './messages.ts';

/** What the page of an event depends on. */
export interface EventPagesDeps {
  readonly extensionUri: vscode.Uri;
  readonly feeds: Pick<OpenFeeds, 'all' | 'onDidChange'>;
  readonly accounts: Pick<AccountStore, 'all' | 'onDidChange'>;
  readonly accountInUse: Pick<AccountInUse, 'account' | 'state'>;
  readonly readState: Pick<ReadState, 'markOpened'>;
  readonly tree: LoadedTree<ActivityNode, ActivityTree>;
  readonly clock: Pick<Clock, 'date'>;
  readonly documents: EventDocuments;
  readonly localCommits: LocalCommits;
  readonly linkOf: (node: EventNode) => string | undefined;
  readonly showChanges: (node: EventNode) => Promise<void>;
  readonly openInBrowser: (node: EventNode) => Promise<void>;
  /** May show the problem; a page that sends what it should not is one. */
  readonly onError: (error: unknown) => void;
}

/** Shows events as they look, in one page of this window that is used again, like a preview. */
export class EventPages {
  readonly #deps: EventPagesDeps;
  readonly #pages: SinglePage<EventPage>;

  readonly commands = {
    'beacon.activity.showNextEvent': () => this.step(1),
    'beacon.activity.showPreviousEvent': () => this.step(-1),
    'beacon.activity.showEventSource': () => this.showSource(),
  } satisfies Commands;

  constructor(deps: EventPagesDeps) {
    this.#deps = deps;
    this.#pages = new SinglePage({
      extensionUri: deps.extensionUri,
      name: 'activityEvent',
      title: vscode.l10n.t('Event'),
      create: (panel, fill) => new EventPage(panel, fill, deps),
    });
  }

  /** The event of the page, if there is one. */
  get node(): EventNode | undefined {
    return this.#pages.page?.node;
  }

  /** What a command is about that comes with the address of the page, as those in the title of its tab do: the event in it. */
  targetOf(target: Target | vscode.Uri): Target {
    return target instanceof vscode.Uri ? this.node : target;
  }

  /** Shows an event without taking the focus from where it is. */
  async show(node: EventNode): Promise<void> {
    (await this.#pages.open({ preserveFocus: true })).show(node);
    await this.markOpened(node);
  }

  /**
   * Goes on with a page that the editor restores.
   *
   * @param kept what the page has kept, which names the event.
   */
  async revive(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const id = eventIdSchema.safeParse(kept);
    const page = await this.#pages.revive(panel);
    page.find(id.success ? id.data : { feed: '', key: '' });
    // What was kept on disk is enough; the view itself asks the instance.
    await this.#deps.feeds.all.find((feed) => id.success && feed.id === id.data.feed)?.open();
  }

  /** Shows the event after the one that is shown or before it, as the view has them; after the last one, what is loaded then. */
  async step(by: 1 | -1): Promise<void> {
    const { page } = this.#pages;
    const feed = page?.node?.feed;
    if (!page || !feed) {
      return;
    }
    const isOpen = this.#deps.feeds.all.includes(feed);
    let found = page.beside(by);
    if (!found && by > 0 && isOpen && !feed.state.complete) {
      await feed.loadMore();
      found = page.beside(by);
    }
    if (found) {
      page.show(found);
      await this.#deps.tree.rows?.reveal(feed, found.key, false);
      await this.markOpened(found);
    } else {
      const sentence =
        by > 0
          ? vscode.l10n.t('This is the last event of the feed.')
          : vscode.l10n.t('This is the first event of the feed.');
      setStatusBarMessage(sentence, 5000);
      page.hint(sentence);
    }
  }

  /** Marks an event as read, it alone. */
  async markOpened({ item, feed }: EventNode): Promise<void> {
    if (!isUnrecognized(item) && isNew(feed.state.reading, item)) {
      await this.#deps.readState.markOpened(feed.ref.accountId, item.id);
    }
  }

  /** Shows the event of the page as Markdown, its comment as it was written. */
  async showSource(): Promise<void> {
    const { node } = this;
    if (node) {
      const document = await vscode.workspace.openTextDocument(this.#deps.documents.uriOf(node));
      await vscode.window.showTextDocument(document, { preview: true });
    }
  }
}

/** The page of an event in an editor tab. */
class EventPage implements vscode.Disposable {
  readonly #deps: EventPagesDeps;
  readonly #panel: vscode.WebviewPanel;
  readonly #fill: (state: EventState) => void;
  readonly #channel: Channel<FromEventPage, ToEventPage>;
  readonly #subscriptions: vscode.Disposable;
  /** The event that is wanted, which may not be loaded. */
  #id: EventId = { feed: '', key: '' };
  #node: EventNode | undefined;
  /** The feed that is followed, and its events as the view orders them. */
  #feed: Feed | undefined;
  #nodes: FeedNodes | undefined;
  /** Its place in the feed when it was last there. */
  #index = 0;
  #surroundings: Pick<EventSurroundings, 'commits' | 'hasGit'> = { commits: [], hasGit: false };
  #shown = '';

  constructor(panel: vscode.WebviewPanel, fill: (state: EventState) => void, deps: EventPagesDeps) {
    this.#panel = panel;
    this.#fill = fill;
    this.#deps = deps;
    this.#channel = new Channel(panel.webview, fromEventPageSchema, (message) => this.#receive(message), deps.onError);
    this.#subscriptions = vscode.Disposable.from(
      this.#channel,
      deps.feeds.onDidChange((feed) => {
        if (!feed || feed.id === this.#id.feed) {
          this.#follow();
        }
      }),
      deps.accounts.onDidChange(() => this.#follow()),
    );
  }

  /** The event that is shown, also when its feed does not have it any more. */
  get node(): EventNode | undefined {
    return this.#node;
  }

  show(node: EventNode): void {
    this.#set(node);
    this.#panel.reveal(undefined, true);
    void this.#lookAround(node);
  }

  /** Shows an event as soon as it is loaded. */
  find(id: EventId): void {
    this.#id = id;
    this.#follow();
    this.#update();
  }

  /** The event that many places after the one that is shown. */
  beside(by: number): EventNode | undefined {
    const events = this.#events();
    const index = this.#node ? events.findIndex(({ key }) => key === this.#node?.key) : -1;
    if (index >= 0) {
      this.#index = index;
    }
    // Where it is not there any more, such as when it was muted, what came after it has its place.
    return events[index >= 0 || by < 0 ? this.#index + by : this.#index];
  }

  /** Has a sentence read out. */
  hint(sentence: string): void {
    this.#channel.post({ type: 'hint', sentence });
  }

  dispose(): void {
    this.#subscriptions.dispose();
    void vscode.commands.executeCommand('setContext', eventContext, undefined);
  }

  #events(): readonly EventNode[] {
    this.#nodes?.update(this.#deps.clock.date());
    return this.#nodes?.days.flatMap(({ events }) => events) ?? [];
  }

  /** Shows what is known of the event by now. It stays when the window uses another account, and goes when its own is signed out. */
  #follow(): void {
    const { accounts, accountInUse, feeds } = this.#deps;
    if (this.#node && !pageAccount(this.#node.feed.ref.accountId, accounts, accountInUse).isSignedIn) {
      this.#panel.dispose();
      return;
    }
    const feed = feeds.all.find(({ id }) => id === this.#id.feed);
    if (feed) {
      this.#use(feed);
    }
    const node = feed && this.#events().find(({ key }) => key === this.#id.key);
    if (node && node !== this.#node) {
      this.#set(node);
      void this.#lookAround(node);
    } else if (this.#node) {
      this.#update();
    }
  }

  #set(node: EventNode): void {
    this.#use(node.feed);
    const isOther = this.#node?.key !== node.key || this.#node.feed.id !== node.feed.id;
    this.#node = node;
    this.#id = { feed: node.feed.id, key: node.key };
    if (isOther) {
      this.#surroundings = { commits: [], hasGit: false };
      this.beside(0);
      void vscode.commands.executeCommand('setContext', eventContext, eventContextValue(node));
    }
    this.#update();
  }

  #use(feed: Feed): void {
    if (this.#feed !== feed) {
      this.#feed = feed;
      this.#nodes = new FeedNodes(feed);
    }
  }

  /** Looks for the commits of a push in the repositories that are open. */
  async #lookAround(node: EventNode): Promise<void> {
    if (isUnrecognized(node.item) || !node.item.push_data) {
      return;
    }
    const { localCommits } = this.#deps;
    const [commits, hasGit] = await Promise.all([
      localCommits.titles(node).catch(() => []),
      localCommits.hasGit().catch(() => false),
    ]);
    if (this.#node === node) {
      this.#surroundings = { commits, hasGit };
      this.#update();
    }
  }

  /** Fills the page the first time, and sends what has changed from then on. */
  #update(): void {
    const state = this.#state();
    const text = JSON.stringify(state);
    if (text === this.#shown) {
      return;
    }
    const isFirst = this.#shown === '';
    this.#shown = text;
    const item = this.#node?.item;
    const title = plainText(item && !isUnrecognized(item) ? rowTexts(item).label : state.title.text, 60);
    this.#panel.title =
      this.#node && state.banner !== undefined
        ? vscode.l10n.t('{0} ({1})', title, accountLabel(this.#node.feed.ref.accountId))
        : title;
    if (isFirst) {
      this.#fill(state);
    } else {
      this.#channel.post(state);
    }
  }

  #state(): EventState {
    const node = this.#node;
    if (node) {
      const { accounts, accountInUse, linkOf } = this.#deps;
      const { accountId } = node.feed.ref;
      const { isNamed, otherAccount } = pageAccount(accountId, accounts, accountInUse);
      const name = accountLabel(accountId);
      const account = isNamed ? name : undefined;
      const isProjectHidden = lacksReadScope(accounts.all.find(({ id }) => id === accountId));
      const banner =
        otherAccount === undefined
          ? undefined
          : vscode.l10n.t('This event is from a feed of the account {0}; the window works as {1}.', name, otherAccount);
      return {
        ...eventState(node, { ...this.#surroundings, account, isProjectHidden, link: linkOf(node) }),
        banner,
      };
    }
    const problem = vscode.l10n.t('This event is not loaded. Choose it in the Activity view again.');
    return {
      type: 'state',
      id: this.#id,
      title: { text: vscode.l10n.t('Event'), link: undefined },
      problem,
      notes: [],
    };
  }

  async #receive(message: FromEventPage): Promise<void> {
    if (message.type === 'ready') {
      this.#channel.post(this.#state());
      return;
    }
    const node = this.#node;
    switch (message.action) {
      case 'showActivity':
        await vscode.commands.executeCommand('beacon.activity.focus');
        return;
      case 'showChanges':
        await (node && this.#deps.showChanges(node));
        return;
      case 'openInBrowser':
        await (node && this.#deps.openInBrowser(node));
    }
  }
}

/** What the menus of the page know of the event in it: the words of its row. */
const eventContext = 'beacon.activity.event';
