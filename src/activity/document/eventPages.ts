import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope } from '../../accounts/account.ts';
import { accountLabel, pageAccount } from '../../accounts/accountInUse.ts';
import { problemOf, reportFailure } from '../../accounts/problem.ts';
import type { Client } from '../../api/client.ts';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { isSha } from '../../api/grammar.ts';
import type { TargetPlace } from '../../api/targets.ts';
import type { Commands } from '../../common/commands.ts';
import { plainText } from '../../common/inertText.ts';
import { setStatusBarMessage } from '../../common/inertWindow.ts';
import { fullTimeLabel } from '../../common/timeText.ts';
import { Channel } from '../../webviews/channel.ts';
import { SinglePage } from '../../webviews/webview.ts';
import type { ActivityContext } from '../context.ts';
import type { LocalCommits } from '../commands/localCommits.ts';
import { authorDetails, eventLabel, momentOf, rowTexts } from '../events/eventLabel.ts';
import { isGone } from '../events/eventLink.ts';
import { targetOf } from '../events/targets.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import { EventNode } from '../tree/nodes.ts';
import { eventHtml, type EventSurroundings } from './eventHtml.ts';
import {
  eventIdSchema,
  type EventState,
  type FromEventPage,
  fromEventPageSchema,
  type ToEventPage,
} from './messages.ts';

const { t } = vscode.l10n;

/** What the menus of the page know of the event in it: the words of its row. */
const eventContext = 'beacon.activity.event';

/** Shows events as they look, in one page of this window that is used again, like a preview. */
export class EventPages {
  readonly #view: ActivityContext;
  readonly #tree: ActivityTree;
  readonly #pages: SinglePage<EventPage>;
  readonly commands = {
    'beacon.activity.showEventSource': () => this.#showSource(),
    'beacon.activity.showNextEvent': () => this.#step(1),
    'beacon.activity.showPreviousEvent': () => this.#step(-1),
  } satisfies Commands;

  constructor(view: ActivityContext, tree: ActivityTree, localCommits: LocalCommits) {
    this.#view = view;
    this.#tree = tree;
    this.#pages = new SinglePage({
      extensionUri: view.app.context.extensionUri,
      name: 'activityEvent',
      title: t('Event'),
      create: (panel, fill) => new EventPage(panel, fill, view, localCommits),
    });
  }

  /** Shows an event without taking the focus from where it is. */
  async show(node: EventNode): Promise<void> {
    const page = await this.#pages.open({ preserveFocus: true });
    page.show(node);
    await this.markOpened(node);
  }

  /**
   * Goes on with a page that the editor restores, or closes it where its event is not at hand any more.
   *
   * @param kept what the page has kept, which names the event.
   */
  async revive(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const { data } = eventIdSchema.safeParse(kept);
    const { app, feeds } = this.#view;
    await app.workspaceProjects.whenKnown;
    const feed = feeds.all.find(({ id }) => id === data?.feed);
    // What was kept on disk is enough; the view itself asks the instance.
    await feed?.open();
    const item = feed?.state.shown.find(({ id }) => id === data?.event);
    if (feed && item) {
      (await this.#pages.revive(panel)).show(new EventNode(feed, item));
    } else {
      panel.dispose();
    }
  }

  /** Notes that an event is looked at: it alone is read. */
  async markOpened({ item, feed, isNew }: EventNode): Promise<void> {
    await (isNew && this.#view.readState.markOpened(feed.ref.accountId, item.id));
  }

  /** Opens the comment of the event that is shown as it was written. */
  async #showSource(): Promise<void> {
    const content = this.#pages.page?.node?.item.note?.body ?? '';
    if (content !== '') {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
    }
  }

  /** Shows the event after the one that is shown or before it, as the feed has them; after the last one, what is loaded then. */
  async #step(by: 1 | -1): Promise<void> {
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
      await this.show(found);
      await this.#tree.reveal(feed, found.item.id, false);
    } else {
      const sentence = by > 0 ? t('This is the last event of the feed.') : t('This is the first event of the feed.');
      setStatusBarMessage(sentence, 5000);
      page.hint(sentence);
    }
  }
}

class EventPage implements vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #localCommits: LocalCommits;
  readonly #panel: vscode.WebviewPanel;
  readonly #fill: (state: EventState) => void;
  readonly #channel: Channel<FromEventPage, ToEventPage>;
  readonly #subscription: vscode.Disposable;
  #node: EventNode | undefined;
  /** Its place in the feed when it was last there. */
  #index = 0;
  #found: Found = nothingFound;
  #drawn: readonly unknown[] = [];

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
        if (!feed || feed.id === this.#node?.feed.id) {
          this.#follow();
        }
      }),
      view.app.accounts.onDidChange(() => this.#follow()),
    );
  }

  get node(): EventNode | undefined {
    return this.#node;
  }

  show(node: EventNode): void {
    this.#set(node);
    this.#panel.reveal(undefined, true);
  }

  beside(by: number): EventNode | undefined {
    const { feed, item } = this.#node ?? {};
    const shown = feed?.state.shown ?? [];
    const index = shown.findIndex(({ id }) => id === item?.id);
    this.#index = index < 0 ? this.#index : index;
    // Where it is not there any more, such as when it was muted, what came after it has its place.
    const found = shown[index >= 0 || by < 0 ? this.#index + by : this.#index];
    return feed && found && new EventNode(feed, found);
  }

  hint(sentence: string): void {
    this.#channel.post({ type: 'hint', sentence });
  }

  dispose(): void {
    if (this.#view.onPage === this.#node) {
      this.#view.onPage = undefined;
    }
    this.#node = undefined;
    this.#subscription.dispose();
    void vscode.commands.executeCommand('setContext', eventContext, undefined);
  }

  /** Shows what is known of the event by now. It stays when the window uses another account, and goes when its own is signed out. */
  #follow(): void {
    const { app, feeds } = this.#view;
    const node = this.#node;
    if (!node) {
      return;
    }
    if (!pageAccount(node.feed.ref.accountId, app.accounts, app.accountInUse).isSignedIn) {
      this.#panel.dispose();
      return;
    }
    const feed = feeds.all.find(({ id }) => id === node.feed.id);
    const item = feed?.state.shown.find(({ id }) => id === node.item.id);
    const isOther = feed && item && (item !== node.item || feed !== node.feed);
    this.#set(isOther ? new EventNode(feed, item) : node);
  }

  #set(node: EventNode): void {
    const isOther = this.#node?.id !== node.id;
    this.#node = this.#view.onPage = node;
    if (isOther) {
      const target = placeOf(node.item) ? t('Reading what it is about…') : undefined;
      this.#found = { ...nothingFound, target };
      this.beside(0);
      void vscode.commands.executeCommand('setContext', eventContext, node.contextValue());
      void this.#lookAround(node);
    }
    this.#update(node);
  }

  /** Reads what the event is about, once; the commits of a push first in the repositories that are open. */
  async #lookAround(node: EventNode): Promise<void> {
    const found = await (node.item.push_data ? this.#readPush(node, node.item.push_data) : this.#readTarget(node));
    if (this.#node?.id === node.id) {
      this.#found = { ...nothingFound, ...found };
      this.#update(this.#node);
    }
  }

  async #readPush(node: EventNode, { commit_from: from, commit_to: to }: EventPush): Promise<Partial<Found>> {
    const [local, hasGit] = await Promise.all([
      this.#localCommits.read(node),
      this.#localCommits.hasGit().catch(() => false),
    ]);
    const { project_id: project } = node.item;
    if (local.commits.length > 0 || typeof project !== 'number' || !isSha(from) || !isSha(to)) {
      return { ...local, hasGit };
    }
    const read = await this.#read(node, ({ targets }) => targets.compare(project, from, to));
    return typeof read === 'string' ? { target: read, hasGit } : { ...read, hasGit };
  }

  async #readTarget(node: EventNode): Promise<Partial<Found>> {
    const place = placeOf(node.item);
    return { target: place && (await this.#read(node, ({ targets }) => targets.read(place))) };
  }

  async #read<T>({ feed }: EventNode, read: (client: Client) => Promise<T>): Promise<T | string> {
    const { connections, log } = this.#view.app;
    const { accountId } = feed.ref;
    try {
      return await read((await connections.of(accountId)).client);
    } catch (error) {
      log.debug(inspect(error));
      return t('What it is about could not be read: {0}', problemOf(error, accountId).sentence);
    }
  }

  #update(node: EventNode): void {
    const { banner, link, otherAccount } = this.#surroundingsOf(node);
    const drawn = [node, node.facts, node.feed.state.instanceUrl, this.#found, banner, link];
    if (this.#drawn.length > 0 && drawn.every((part, index) => part === this.#drawn[index])) {
      return;
    }
    const show = this.#drawn.length === 0 ? this.#fill : (state: EventState) => this.#channel.post(state);
    this.#drawn = drawn;
    const title = plainText(rowTexts(node.item).label, 60);
    this.#panel.title =
      otherAccount === undefined ? title : t('{0} ({1})', title, accountLabel(node.feed.ref.accountId));
    show(this.#stateOf(node));
  }

  #stateOf(node: EventNode): EventState {
    const { feed, item } = node;
    const created = momentOf(item);
    const time = created && fullTimeLabel(created, vscode.env.language);
    const said = [authorDetails(item), eventLabel(item), time].filter(Boolean).join(', ');
    const html = eventHtml(node, this.#surroundingsOf(node));
    return { type: 'state', id: { feed: feed.id, event: item.id }, html, said };
  }

  #surroundingsOf(node: EventNode): EventSurroundings & { readonly otherAccount: string | undefined } {
    const { accounts, accountInUse } = this.#view.app;
    const { accountId } = node.feed.ref;
    const { isNamed, otherAccount } = pageAccount(accountId, accounts, accountInUse);
    const name = accountLabel(accountId);
    const banner = t('This event is from a feed of {0}; this window uses {1}.', name, otherAccount ?? '');
    return {
      ...this.#found,
      banner: otherAccount === undefined ? undefined : banner,
      otherAccount,
      account: isNamed ? name : undefined,
      isProjectHidden: lacksReadScope(accounts.find(accountId)),
      link: this.#view.linkOf(node),
    };
  }

  async #receive({ type }: FromEventPage): Promise<void> {
    if (type !== 'ready') {
      const command = type === 'showChanges' ? 'showCommits' : 'openInBrowser';
      await vscode.commands.executeCommand(`beacon.activity.${command}`, this.#node);
    } else if (this.#node) {
      this.#channel.post(this.#stateOf(this.#node));
    }
  }
}

type Found = Pick<EventSurroundings, 'target' | 'commits' | 'files' | 'hasGit'>;
const nothingFound: Found = { target: undefined, commits: [], files: [], hasGit: false };

/** Where the API has what an event is about; undefined of what it has no record of, or of what is gone. */
function placeOf(event: EventRecord): TargetPlace | undefined {
  const { type, id, iid } = targetOf(event);
  const [project, group] = [event.project_id ?? undefined, event.group_id ?? undefined];
  const kind = event.push_data || isGone(event) ? undefined : type?.name;
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
