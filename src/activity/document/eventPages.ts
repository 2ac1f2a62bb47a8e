import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope } from '../../accounts/account.ts';
import { accountLabel, pageAccount } from '../../accounts/accountInUse.ts';
import { problemOf, reportFailure } from '../../accounts/problem.ts';
import type { EventRecord } from '../../api/events.ts';
import type { TargetPlace } from '../../api/targets.ts';
import type { Commands } from '../../common/commands.ts';
import { plainText } from '../../common/inertText.ts';
import { setStatusBarMessage } from '../../common/inertWindow.ts';
import { ReportDocuments } from '../../common/reportDocuments.ts';
import { fullTimeLabel } from '../../common/timeText.ts';
import { Channel } from '../../webviews/channel.ts';
import { SinglePage } from '../../webviews/webview.ts';
import type { LocalCommits } from '../commands/localCommits.ts';
import type { ActivityContext, Target } from '../context.ts';
import { authorDetails, authorName, eventLabel, momentOf, rowTexts } from '../events/eventLabel.ts';
import { targetOf } from '../events/targets.ts';
import type { Feed } from '../feed/feed.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import type { EventNode } from '../tree/eventNode.ts';
import { FeedDays } from '../tree/nodes.ts';
import { eventHtml, type EventSurroundings, missingHtml } from './eventHtml.ts';
import {
  type EventId,
  eventIdSchema,
  type EventState,
  type FromEventPage,
  fromEventPageSchema,
  type ToEventPage,
} from './messages.ts';

/** What the menus of the page know of the event in it: the words of its row. */
const eventContext = 'beacon.activity.event';

/** Shows events as they look, in one page of this window that is used again, like a preview. */
export class EventPages {
  readonly #view: ActivityContext;
  readonly #tree: ActivityTree;
  readonly #pages: SinglePage<EventPage>;
  #sources: ReportDocuments | undefined;

  readonly commands = {
    'beacon.activity.showNextEvent': () => this.step(1),
    'beacon.activity.showPreviousEvent': () => this.step(-1),
    'beacon.activity.showEventSource': () => this.showSource(),
  } satisfies Commands;

  constructor(view: ActivityContext, tree: ActivityTree, localCommits: LocalCommits) {
    this.#view = view;
    this.#tree = tree;
    this.#pages = new SinglePage({
      extensionUri: view.app.context.extensionUri,
      name: 'activityEvent',
      title: vscode.l10n.t('Event'),
      create: (panel, fill) => new EventPage(panel, fill, view, localCommits),
    });
  }

  /** What a command is about that comes with the address of the page, as those in the title of its tab do: the event in it. */
  targetOf(target: Target | vscode.Uri): Target {
    return target instanceof vscode.Uri ? this.#pages.page?.node : target;
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
    const { data } = eventIdSchema.safeParse(kept);
    const page = await this.#pages.revive(panel);
    page.find(data ?? { feed: '', event: 0 });
    // What was kept on disk is enough; the view itself asks the instance.
    await this.#view.feeds.all.find(({ id }) => id === data?.feed)?.open();
  }

  /** Shows the event after the one that is shown or before it, as the view has them; after the last one, what is loaded then. */
  async step(by: 1 | -1): Promise<void> {
    const { page } = this.#pages;
    const feed = page?.node?.feed;
    if (!page || !feed) {
      return;
    }
    let found = page.beside(by);
    if (!found && by > 0 && this.#view.feeds.all.includes(feed) && !feed.state.complete) {
      await feed.loadMore();
      found = page.beside(by);
    }
    if (found) {
      page.show(found);
      await this.#tree.reveal(feed, { id: found.item.id }, false);
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

  /** Notes that an event is looked at: it alone is read. */
  async markOpened({ item, feed, isNew }: EventNode): Promise<void> {
    if (isNew) {
      await this.#view.readState.markOpened(feed.ref.accountId, item.id);
    }
  }

  /** Shows the comment of the page as it was written, or else the sentence of the event. */
  async showSource(): Promise<void> {
    const node = this.#pages.page?.node;
    if (node) {
      this.#sources ??= new ReportDocuments('beacon-event');
      const { item } = node;
      const name = plainText(
        rowTexts(item)
          .label.replaceAll(/[/\\?#%:]+/g, ' ')
          .trim(),
        60,
      );
      await this.#sources.show(name, item.note?.body ?? eventLabel(item, authorName(item)));
    }
  }
}

/** The page of an event in an editor tab. */
class EventPage implements vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #localCommits: LocalCommits;
  readonly #panel: vscode.WebviewPanel;
  readonly #fill: (state: EventState) => void;
  readonly #channel: Channel<FromEventPage, ToEventPage>;
  readonly #subscription: vscode.Disposable;
  /** The event that is wanted, which may not be loaded. */
  #id: EventId = { feed: '', event: 0 };
  #node: EventNode | undefined;
  /** The feed that is followed, and its events as the view orders them. */
  #feed: Feed | undefined;
  #days: FeedDays | undefined;
  /** Its place in the feed when it was last there. */
  #index = 0;
  #found: Pick<EventSurroundings, 'target' | 'commits' | 'files' | 'hasGit'> = nothingFound;
  #shown = '';

  constructor(
    panel: vscode.WebviewPanel,
    fill: (state: EventState) => void,
    view: ActivityContext,
    localCommits: LocalCommits,
  ) {
    this.#panel = panel;
    this.#fill = fill;
    this.#view = view;
    this.#localCommits = localCommits;
    this.#channel = new Channel(
      panel.webview,
      fromEventPageSchema,
      (message) => this.#receive(message),
      (error) => reportFailure(error, view.app.log),
    );
    this.#subscription = vscode.Disposable.from(
      this.#channel,
      view.feeds.onDidChange((feed) => {
        if (!feed || feed.id === this.#id.feed) {
          this.#follow();
        }
      }),
      view.app.accounts.onDidChange(() => this.#follow()),
    );
  }

  /** The event that is shown, also when its feed does not have it any more. */
  get node(): EventNode | undefined {
    return this.#node;
  }

  show(node: EventNode): void {
    this.#set(node);
    this.#panel.reveal(undefined, true);
  }

  /** Shows an event as soon as it is loaded. */
  find(id: EventId): void {
    this.#id = id;
    this.#follow();
    this.#update();
  }

  /** The event that many places after the one that is shown. */
  beside(by: number): EventNode | undefined {
    const events = this.#events;
    const index = events.findIndex(({ item }) => item.id === this.#node?.item.id);
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
    this.#node = undefined;
    this.#subscription.dispose();
    void vscode.commands.executeCommand('setContext', eventContext, undefined);
  }

  get #events(): readonly EventNode[] {
    return this.#days?.at(this.#view.app.clock.date()).flatMap(({ events }) => events) ?? [];
  }

  /** Shows what is known of the event by now. It stays when the window uses another account, and goes when its own is signed out. */
  #follow(): void {
    const { app, feeds } = this.#view;
    if (this.#node && !pageAccount(this.#node.feed.ref.accountId, app.accounts, app.accountInUse).isSignedIn) {
      this.#panel.dispose();
      return;
    }
    const feed = feeds.all.find(({ id }) => id === this.#id.feed);
    if (feed) {
      this.#use(feed);
    }
    const node = feed && this.#events.find(({ item }) => item.id === this.#id.event);
    if (node && node !== this.#node) {
      this.#set(node);
    } else if (this.#node) {
      this.#update();
    }
  }

  #set(node: EventNode): void {
    this.#use(node.feed);
    const isOther = this.#node?.id !== node.id;
    this.#node = node;
    this.#id = { feed: node.feed.id, event: node.item.id };
    if (isOther) {
      this.#found = { ...nothingFound, target: placeOf(node.item) ? 'reading' : undefined };
      this.beside(0);
      void vscode.commands.executeCommand('setContext', eventContext, node.contextValue());
      void this.#lookAround(node);
    }
    this.#update();
  }

  #use(feed: Feed): void {
    if (this.#feed !== feed) {
      this.#feed = feed;
      this.#days = new FeedDays(feed);
    }
  }

  /** Reads what the event is about, once, and looks for the commits of a push in the repositories that are open. */
  async #lookAround(node: EventNode): Promise<void> {
    const isPush = Boolean(node.item.push_data);
    const [target, commits, files, hasGit] = await Promise.all([
      this.#readTarget(node),
      isPush ? this.#localCommits.titles(node).catch(() => []) : [],
      isPush ? this.#localCommits.files(node).catch(() => []) : [],
      isPush ? this.#localCommits.hasGit().catch(() => false) : false,
    ]);
    if (this.#node?.id === node.id) {
      this.#found = { target, commits, files, hasGit };
      this.#update();
    }
  }

  async #readTarget({ item, feed }: EventNode): Promise<EventSurroundings['target']> {
    const place = placeOf(item);
    const { connections, log } = this.#view.app;
    const { accountId } = feed.ref;
    try {
      return place && (await (await connections.of(accountId)).client.targets.read(place));
    } catch (error) {
      log.debug(inspect(error));
      return { problem: problemOf(error, accountId).sentence };
    }
  }

  /** Fills the page the first time, and sends what has changed from then on. */
  #update(): void {
    const state = this.#state;
    const text = JSON.stringify(state);
    if (text === this.#shown) {
      return;
    }
    const isFirst = this.#shown === '';
    this.#shown = text;
    const title = this.#node ? plainText(rowTexts(this.#node.item).label, 60) : vscode.l10n.t('Event');
    const { accountId } = this.#node?.feed.ref ?? {};
    this.#panel.title =
      accountId !== undefined && this.#otherAccount(accountId) !== undefined
        ? vscode.l10n.t('{0} ({1})', title, accountLabel(accountId))
        : title;
    if (isFirst) {
      this.#fill(state);
    } else {
      this.#channel.post(state);
    }
  }

  #otherAccount(accountId: string): string | undefined {
    const { accounts, accountInUse } = this.#view.app;
    return pageAccount(accountId, accounts, accountInUse).otherAccount;
  }

  get #state(): EventState {
    const node = this.#node;
    if (!node) {
      return { type: 'state', id: this.#id, html: missingHtml(), said: '' };
    }
    const { accounts, accountInUse } = this.#view.app;
    const { accountId } = node.feed.ref;
    const { isNamed, otherAccount } = pageAccount(accountId, accounts, accountInUse);
    const name = accountLabel(accountId);
    const created = momentOf(node.item);
    const said = [
      authorDetails(node.item),
      eventLabel(node.item),
      created && fullTimeLabel(created, vscode.env.language),
    ];
    const html = eventHtml(node, {
      ...this.#found,
      banner:
        otherAccount === undefined
          ? undefined
          : vscode.l10n.t('This event is from a feed of the account {0}; the window uses {1}.', name, otherAccount),
      account: isNamed ? name : undefined,
      isProjectHidden: lacksReadScope(accounts.all.find(({ id }) => id === accountId)),
      link: this.#view.linkOf(node),
    });
    return { type: 'state', id: this.#id, html, said: said.filter(Boolean).join(', ') };
  }

  async #receive(message: FromEventPage): Promise<void> {
    if (message.type === 'ready') {
      this.#channel.post(this.#state);
      return;
    }
    switch (message.action) {
      case 'showActivity':
        await vscode.commands.executeCommand('beacon.activity.focus');
        return;
      case 'showChanges':
        await vscode.commands.executeCommand('beacon.activity.showCommits', this.#node);
        return;
      case 'openInBrowser':
        await vscode.commands.executeCommand('beacon.activity.openInBrowser', this.#node);
    }
  }
}

const nothingFound = { target: undefined, commits: [], files: [], hasGit: false } as const;

/** Where the API has what an event is about; undefined of what it has no record of, or of what is gone. */
function placeOf(event: EventRecord): TargetPlace | undefined {
  const { type, id, iid } = targetOf(event);
  const [project, group] = [event.project_id ?? undefined, event.group_id ?? undefined];
  const isGone = event.action_name === 'destroyed' || event.action_name === 'deleted';
  const kind = event.push_data || isGone ? undefined : type?.name;
  if ((kind === 'issue' || kind === 'merge_request') && project !== undefined && iid !== undefined) {
    return { kind, project, iid };
  }
  if (kind === 'milestone' && project !== undefined && id !== undefined) {
    return { kind, project, id };
  }
  if (kind === 'snippet' && id !== undefined) {
    return { kind, project, id };
  }
  return kind === 'epic' && group !== undefined && iid !== undefined ? { kind, group, iid } : undefined;
}
