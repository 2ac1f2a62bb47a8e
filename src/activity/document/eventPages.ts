import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { lacksReadScope } from '../../accounts/account.ts';
import { accountLabel } from '../../accounts/accountInUse.ts';
import { problemOf, reportFailure } from '../../accounts/problem.ts';
import type { Client } from '../../api/client.ts';
import type { EventPush, EventRecord } from '../../api/events.ts';
import { isSha } from '../../api/grammar.ts';
import { targetPath } from '../../api/targets.ts';
import type { ApiPath } from '../../api/url.ts';
import type { Commands } from '../../common/commands.ts';
import { plainText } from '../../common/inertText.ts';
import { setStatusBarMessage } from '../../common/inertWindow.ts';
import { type Shown, SinglePage } from '../../webviews/webview.ts';
import { findGit } from '../../workspace/gitExtension.ts';
import type { ActivityContext } from '../context.ts';
import { rowTexts } from '../events/eventLabel.ts';
import { isGone, targetOf } from '../events/targets.ts';
import type { ActivityTree } from '../tree/activityTree.ts';
import { EventNode } from '../tree/nodes.ts';
import {
  eventHtml,
  eventIdSchema,
  type EventState,
  type EventSurroundings,
  type FromEventPage,
  fromEventPageSchema,
  type ToEventPage,
} from './eventHtml.ts';
import type { renderMarkdown } from './markdown.ts';

const { t } = vscode.l10n;

/** What the menus of the page know of the event in it: the words of its row. */
const eventContext = 'beacon.activity.event';

export type EventPages = ReturnType<typeof eventPages>;

/** Shows events as they look, in one page of this window that is used again, like a preview. */
export function eventPages(view: ActivityContext, tree: ActivityTree) {
  const { app, feeds, readState } = view;
  const pages = new SinglePage<EventPage, FromEventPage, ToEventPage>({
    extensionUri: app.context.extensionUri,
    name: 'activityEvent',
    title: t('Event'),
    schema: fromEventPageSchema,
    create: (shown) => new EventPage(shown, view),
    onError: (error) => reportFailure(error, app.log),
  });

  /** Shows an event without taking the focus from where it is. */
  async function show(node: EventNode): Promise<void> {
    const { renderMarkdown } = await import('./markdown.ts');
    const page = await pages.open({ preserveFocus: true });
    page.show(node, renderMarkdown);
    await markOpened(node);
  }

  /**
   * Goes on with a page that the editor restores, or closes it where its event is not at hand any more.
   *
   * @param kept what the page has kept, which names the event.
   */
  async function revive(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const { data } = eventIdSchema().safeParse(kept);
    await app.workspaceProjects.whenKnown;
    const feed = feeds.all.find(({ id }) => id === data?.feed);
    // What was kept on disk is enough; the view itself asks the instance.
    await feed?.open();
    const item = feed?.state.shown.find(({ id }) => id === data?.event);
    if (feed && item) {
      const { renderMarkdown } = await import('./markdown.ts');
      (await pages.revive(panel)).show(new EventNode(feed, item), renderMarkdown);
    } else {
      panel.dispose();
    }
  }

  /** Notes that an event is looked at: it alone is read. */
  async function markOpened({ item, feed, isNew }: EventNode): Promise<void> {
    await (isNew && readState.markOpened(feed.ref.accountId, item.id));
  }

  /**
   * Shows the event after the one that is shown or before it, as the feed has them; after the last one, what is loaded then.
   *
   * @param from `view` if the view has the focus, which then goes on to the row of the event.
   */
  async function step(by: 1 | -1, from: unknown): Promise<void> {
    const { page } = pages;
    const feed = page?.node?.feed;
    if (!page || !feed) {
      return;
    }
    let found = page.beside(by);
    if (!found && by > 0 && feeds.all.includes(feed) && !feed.state.complete) {
      await feed.loadMore();
      found = page.beside(by);
    }
    if (found) {
      await show(found);
      await tree.reveal(feed, found.item.id, from === 'view');
    } else {
      const sentence = by > 0 ? t('This is the last event of the feed.') : t('This is the first event of the feed.');
      setStatusBarMessage(sentence, 5000);
      page.hint(sentence);
    }
  }

  const commands = {
    /** Opens the comment of the event that is shown as it was written. */
    'beacon.activity.showEventSource': async () => {
      const content = pages.page?.node?.item.note?.body ?? '';
      if (content !== '') {
        const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
        await vscode.window.showTextDocument(document);
      }
    },
    'beacon.activity.showNextEvent': (from?: unknown) => step(1, from),
    'beacon.activity.showPreviousEvent': (from?: unknown) => step(-1, from),
  } satisfies Commands;
  return { show, revive, markOpened, commands };
}

class EventPage implements vscode.Disposable {
  readonly #view: ActivityContext;
  readonly #shown: Shown<ToEventPage>;
  readonly #subscription: vscode.Disposable;
  #node: EventNode | undefined;
  /** Its place in the feed when it was last there. */
  #index = 0;
  #found: Found = nothingFound;
  #hasFailed = false;
  #drawn: readonly unknown[] = [];
  #render: typeof renderMarkdown = () => '';

  constructor(shown: Shown<ToEventPage>, view: ActivityContext) {
    this.#shown = shown;
    this.#view = view;
    this.#subscription = vscode.Disposable.from(
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

  show(node: EventNode, render: typeof renderMarkdown): void {
    this.#render = render;
    // What could not be read is read once more.
    this.#node = this.#hasFailed ? undefined : this.#node;
    this.#set(node);
    this.#shown.panel.reveal(undefined, true);
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
    this.#shown.post({ type: 'hint', sentence });
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
    if (!app.accountInUse.ofPage(node.feed.ref.accountId).isSignedIn) {
      this.#shown.panel.dispose();
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
      const target = pathOf(node.item) ? t('Reading what it is about…') : undefined;
      this.#found = { ...nothingFound, target };
      this.#hasFailed = false;
      this.beside(0);
      void vscode.commands.executeCommand('setContext', eventContext, node.contextValue);
      void this.#lookAround(node);
    }
    this.#update(node);
  }

  /** Reads what the event is about, once. */
  async #lookAround(node: EventNode): Promise<void> {
    const found = await (node.item.push_data ? this.#readPush(node, node.item.push_data) : this.#readTarget(node));
    if (this.#node?.id === node.id) {
      this.#found = { ...nothingFound, ...found };
      this.#hasFailed = typeof found.target === 'string';
      this.#update(this.#node);
    }
  }

  async #readPush(node: EventNode, { commit_from: from, commit_to: to }: EventPush): Promise<Partial<Found>> {
    const hasGit = (await findGit().catch(() => undefined)) !== undefined;
    const { project_id: project } = node.item;
    if (typeof project !== 'number' || !isSha(from) || !isSha(to)) {
      return { hasGit };
    }
    const read = await this.#read(node, ({ targets }) => targets.compare(project, from, to));
    return typeof read === 'string' ? { target: read, hasGit } : { ...read, hasGit };
  }

  async #readTarget(node: EventNode): Promise<Partial<Found>> {
    const path = pathOf(node.item);
    return { target: path && (await this.#read(node, ({ targets }) => targets.read(path))) };
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
    const show = this.#drawn.length === 0 ? this.#shown.fill : this.#shown.post;
    this.#drawn = drawn;
    const title = plainText(rowTexts(node.item).label, 60);
    this.#shown.panel.title =
      otherAccount === undefined ? title : t('{0} ({1})', title, accountLabel(node.feed.ref.accountId));
    show(this.#stateOf(node));
  }

  #stateOf(node: EventNode): EventState {
    const { feed, item } = node;
    const html = eventHtml(node, this.#surroundingsOf(node));
    return { type: 'state', id: { feed: feed.id, event: item.id }, html, said: node.sentence };
  }

  #surroundingsOf(node: EventNode): EventSurroundings & { readonly otherAccount: string | undefined } {
    const { accounts, accountInUse } = this.#view.app;
    const { accountId } = node.feed.ref;
    const { account, otherAccount } = accountInUse.ofPage(accountId);
    const name = accountLabel(accountId);
    const banner = t('This event is from a feed of {0}; this window uses {1}.', name, otherAccount ?? '');
    return {
      ...this.#found,
      render: this.#render,
      banner: otherAccount === undefined ? undefined : banner,
      otherAccount,
      account,
      isProjectHidden: lacksReadScope(accounts.find(accountId)),
      link: this.#view.linkOf(node),
    };
  }

  async receive({ type }: FromEventPage): Promise<void> {
    const node = this.#node;
    if (!node) {
      // It was closed meanwhile; without an event, commands are about the selected row.
    } else if (type === 'switchAccount') {
      await vscode.commands.executeCommand('beacon.accounts', node.feed.ref.accountId);
    } else if (type === 'ready') {
      this.#shown.post(this.#stateOf(node));
    } else {
      const command = type === 'showChanges' ? 'showCommits' : 'openInBrowser';
      await vscode.commands.executeCommand(`beacon.activity.${command}`, node);
    }
  }
}

type Found = Pick<EventSurroundings, 'target' | 'commits' | 'files' | 'hasGit'>;
const nothingFound: Found = { target: undefined, commits: [], files: [], hasGit: false };

/** Where the API has what an event is about; undefined of what it has no record of, or of what is gone. */
function pathOf(event: EventRecord): ApiPath | undefined {
  const { type, id, iid } = targetOf(event);
  const known = { project: event.project_id, group: event.group_id, id, iid };
  return !type || event.push_data || isGone(event) ? undefined : targetPath(type.name, known);
}
