import * as vscode from 'vscode';
import { MementoList } from '../../common/mementoList.ts';
import type { Connection } from '../../accounts/connections.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { plainText } from '../../common/inertText.ts';
import { choiceId, type Feed, type FeedChoice, feedId, feedOf, pagesOf, readChoice, type FeedContext } from './feed.ts';
import { type FeedFilter, filterId, isEmptyFilter, passes, requestFilter, type Today } from './filter.ts';
import type { FilterMemory } from './filterMemory.ts';
import { type FeedItem, type FeedState, LoadedFeed } from './loadedFeed.ts';

/** The name of a feed or of a choice of one. */
export function feedLabel(feed: Feed | FeedChoice): string {
  switch (feed.kind) {
    case 'mine':
      return vscode.l10n.t('My Activity');
    case 'allProjects':
      return vscode.l10n.t('All My Projects');
    case 'workspaceProject':
      return vscode.l10n.t('Workspace Project');
    case 'project':
      return plainText(feed.path);
    case 'user':
      return plainText(feed.name);
  }
}

/** The id of the codicon that stands for a feed or a choice of one. */
export function feedIcon({ kind }: Feed | FeedChoice): string {
  return feedIcons[kind];
}

const feedIcons = {
  mine: 'account',
  allProjects: 'repo-clone',
  workspaceProject: 'root-folder',
  project: 'repo',
  user: 'person',
} as const;

const chosenKey = 'activity.feed';
const pinnedKey = 'activity.pinnedFeeds';
const recentKey = 'activity.recentFeeds';
/** So many feeds are remembered that were chosen before. */
const mostRecent = 6;

/** The feeds that a user wants to see: the one chosen in this window, and those pinned in all windows. */
export class FeedChoices implements vscode.Disposable {
  readonly #workspaceState: vscode.Memento;
  readonly #globalState: vscode.Memento;
  readonly #pinned: MementoList<FeedChoice>;
  readonly #first: () => FeedChoice;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  /** @param first what is shown until something is chosen in this window. */
  constructor(workspaceState: vscode.Memento, globalState: vscode.Memento, first: () => FeedChoice) {
    this.#first = first;
    this.#workspaceState = workspaceState;
    this.#globalState = globalState;
    this.#pinned = new MementoList(globalState, pinnedKey, readChoice);
  }

  /** The choice of this window. */
  get chosen(): FeedChoice {
    return readChoice(this.#workspaceState.get(chosenKey)) ?? this.#first();
  }

  get pinned(): readonly FeedChoice[] {
    return this.#pinned.all;
  }

  /** Those chosen last, in any window, the latest first. */
  get recent(): readonly FeedChoice[] {
    return readChoices(this.#globalState.get(recentKey));
  }

  /** All that is to be seen: the pinned feeds in their order, then the chosen one if it is none of them. */
  get all(): readonly FeedChoice[] {
    const { chosen, pinned } = this;
    return this.isPinned(chosen) ? pinned : [...pinned, chosen];
  }

  isPinned(choice: FeedChoice): boolean {
    return this.pinned.some((pinned) => choiceId(pinned) === choiceId(choice));
  }

  async choose(choice: FeedChoice): Promise<void> {
    const others = this.recent.filter((recent) => choiceId(recent) !== choiceId(choice));
    await this.#globalState.update(recentKey, [choice, ...others].slice(0, mostRecent));
    await this.#workspaceState.update(chosenKey, choice);
    this.#changed.fire();
  }

  async pin(choice: FeedChoice): Promise<void> {
    if (!this.isPinned(choice)) {
      await this.#pinned.update((all) => [...all, choice]);
      this.#changed.fire();
    }
  }

  async unpin(choice: FeedChoice): Promise<void> {
    await this.#pinned.update((all) => all.filter((pinned) => choiceId(pinned) !== choiceId(choice)));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function readChoices(remembered: unknown): FeedChoice[] {
  return (Array.isArray(remembered) ? remembered : []).flatMap((choice) => readChoice(choice) ?? []);
}

const eventsPerPage = 50;

/** What decides, besides the filter, which of a feed's events are shown, and which of them are new. */
export interface Reading {
  isNew(feedId: string, item: FeedItem): boolean;
  /** A test for events of an account that are left out. */
  muted(accountId: string): (item: FeedItem) => boolean;
  readonly onlyNew: boolean;
}

/** What an open feed depends on. */
export interface OpenFeedDeps {
  readonly connect: (accountId: string) => Promise<Connection>;
  readonly reading: Reading;
  readonly today: () => Today;
}

/** A feed with a filter as it is open in the view: its events, and those of them that are shown. */
export class OpenFeed {
  readonly feed: Feed;
  /** Names the feed, whatever its filter. */
  readonly id: string;
  readonly filter: FeedFilter;
  readonly loaded: LoadedFeed;
  readonly #deps: OpenFeedDeps;
  #view: { readonly of: readonly FeedItem[]; readonly shown: readonly FeedItem[]; readonly muted: number } | undefined;
  #instanceUrl: string | undefined;

  constructor(feed: Feed, filter: FeedFilter, deps: OpenFeedDeps) {
    this.feed = feed;
    this.id = feedId(feed);
    this.filter = filter;
    this.#deps = deps;
    this.loaded = new LoadedFeed({
      ascending: filter.order === 'asc',
      clock: { date: () => deps.today().now },
      isShown: (item) => passes(filter, deps.today())(item),
      request: async ({ from, etag, signal }) => {
        const { client, instanceUrl } = await deps.connect(feed.accountId);
        this.#instanceUrl = instanceUrl;
        const asked = requestFilter(filter, deps.today());
        const page = await pagesOf(client, feed, asked, { from, etag, signal, perPage: eventsPerPage }).next();
        return page.value ?? { items: [], next: undefined, etag: undefined, notModified: false };
      },
    });
  }

  get state(): FeedState {
    return this.loaded.state;
  }

  /** The web address of the instance, without a slash at its end; undefined before it was first asked. */
  get instanceUrl(): string | undefined {
    return this.#instanceUrl?.replace(/(?<!\/)\/+$/, '');
  }

  /** Says where the instance is before it is asked, as it was remembered. */
  restoreInstanceUrl(url: string): void {
    this.#instanceUrl ??= url;
  }

  /** The events that are shown, in the order of the instance. */
  get shown(): readonly FeedItem[] {
    return this.#current.shown;
  }

  /** How many of the loaded events pass the filter and are muted. */
  get mutedCount(): number {
    return this.#current.muted;
  }

  /** The events that are shown, or would be if read ones were, and are new. */
  get newItems(): readonly FeedItem[] {
    return this.shown.filter((item) => this.isNew(item));
  }

  isNew(item: FeedItem): boolean {
    return this.#deps.reading.isNew(this.id, item);
  }

  /** Whether a filter or "only new" may be why events are not shown. */
  get isNarrowed(): boolean {
    return this.#deps.reading.onlyNew || !isEmptyFilter(this.filter);
  }

  /** The ids of the projects of the loaded events. */
  get projectIds(): number[] {
    return [...new Set(this.state.items.flatMap((item) => (isUnrecognized(item) ? [] : (item.project_id ?? []))))];
  }

  /** Has what is shown worked out again, because what is muted or read has changed. */
  invalidate(): void {
    this.#view = undefined;
  }

  get #current() {
    const { items } = this.state;
    if (this.#view?.of !== items) {
      const { reading, today } = this.#deps;
      const isMuted = reading.muted(this.feed.accountId);
      const passing = items.filter(passes(this.filter, today()));
      const heard = passing.filter((item) => !isMuted(item));
      const shown = reading.onlyNew ? heard.filter((item) => this.isNew(item)) : heard;
      this.#view = { of: items, shown, muted: passing.length - heard.length };
    }
    return this.#view;
  }
}

/** A choice as it stands in the view. */
export interface ShownFeed {
  readonly choice: FeedChoice;
  readonly isPinned: boolean;
  /** Undefined where the choice stands for no feed, such as without a project in this workspace. */
  readonly open: OpenFeed | undefined;
}

/** The feeds that are to be seen. Those that stay the same when something changes stay open, with all that they have loaded. */
export class OpenFeeds implements vscode.Disposable {
  readonly #choices: FeedChoices;
  readonly #filters: FilterMemory;
  readonly #context: () => FeedContext;
  readonly #open: (feed: Feed, filter: FeedFilter) => OpenFeed;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];
  #shown: readonly ShownFeed[] = [];

  /** Fires when other feeds are shown, or the same with other filters. */
  readonly onDidChange = this.#changed.event;

  /** @param open opens a feed with a filter, without loading anything. */
  constructor(
    choices: FeedChoices,
    filters: FilterMemory,
    context: () => FeedContext,
    open: (feed: Feed, filter: FeedFilter) => OpenFeed,
  ) {
    this.#choices = choices;
    this.#filters = filters;
    this.#context = context;
    this.#open = open;
    this.#shown = this.#update();
    const update = (): void => this.update();
    this.#subscriptions = [this.#changed, choices.onDidChange(update), filters.onDidChange(update)];
  }

  /** In the order of the view. One feed is in it only once, even if several choices stand for it. */
  get shown(): readonly ShownFeed[] {
    return this.#shown;
  }

  get all(): readonly OpenFeed[] {
    return this.#shown.flatMap(({ open }) => open ?? []);
  }

  /** The feed that was chosen in this window. */
  get chosen(): ShownFeed | undefined {
    const id = choiceId(this.#choices.chosen);
    return this.#shown.find(({ choice }) => choiceId(choice) === id) ?? this.#shown.at(-1);
  }

  /** To be called after a change of the context. */
  update(): void {
    this.#shown = this.#update();
    this.#changed.fire();
  }

  /** Opens all feeds again, such as with another token: what they had loaded is dropped. */
  reopen(): void {
    this.all.forEach((open) => open.loaded.cancel());
    this.#shown = [];
    this.update();
  }

  dispose(): void {
    this.all.forEach((open) => open.loaded.cancel());
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #update(): ShownFeed[] {
    const before = this.all;
    const context = this.#context();
    const kept: OpenFeed[] = [];
    const shown = this.#choices.all.flatMap((choice): ShownFeed[] => {
      const feed = feedOf(choice, context);
      const isPinned = this.#choices.isPinned(choice);
      if (!feed) {
        return [{ choice, isPinned, open: undefined }];
      }
      const id = feedId(feed);
      if (kept.some((open) => open.id === id)) {
        return [];
      }
      const filter = this.#filters.of(id);
      const open =
        before.find((known) => known.id === id && filterId(known.filter) === filterId(filter)) ??
        this.#open(feed, filter);
      kept.push(open);
      return [{ choice, isPinned, open }];
    });
    before.filter((open) => !kept.includes(open)).forEach((open) => open.loaded.cancel());
    return shown;
  }
}
