import { inspect } from '#platform/runtime.ts';
import type * as vscode from 'vscode';
import type { Connections } from '../../accounts/connections.ts';
import type { Client } from '../../api/client.ts';
import type { EventFilter, EventRecord } from '../../api/events.ts';
import type { ListOptions, PageLink, Pages } from '../../api/pagination.ts';
import type { Clock } from '../../common/clock.ts';
import { type FeedRef, feedId } from './feedRef.ts';
import * as reduce from './feedState.ts';
import type { FeedPage, FeedState, Reading } from './feedState.ts';
import type { FeedStore, SavedFeedKey } from './feedStore.ts';
import { type FeedFilter, filterId, isEmptyFilter, passes, requestFilter, type Today } from './filter.ts';
import type { Projects } from './projects.ts';
import type { Mutes, ReadState } from './readState.ts';

const eventsPerPage = 50;
/** How many pages one load requests at most. */
const mostPagesPerLoad = 10;

/** The pages of a feed. */
export function pagesOf(client: Client, feed: FeedRef, filter: EventFilter, options: ListOptions): Pages<EventRecord> {
  switch (feed.kind) {
    case 'mine':
      return client.events.mine(filter, options);
    case 'allProjects':
      return client.events.mine({ ...filter, scope: 'all' }, options);
    case 'project':
      return client.events.ofProject(feed.id ?? feed.path, filter, options);
    case 'user':
      return client.events.ofUser(feed.id, filter, options);
  }
}

/** What feeds depend on. */
export interface FeedDeps {
  readonly connections: Pick<Connections, 'of'>;
  readonly projects: Projects;
  readonly readState: Pick<ReadState, 'of' | 'openedOf' | 'begin' | 'onDidChange'>;
  readonly mutes: Pick<Mutes, 'all' | 'of' | 'onDidChange'>;
  /** The username of an account whose own events are not new; undefined if they are. */
  readonly ownName: (accountId: string) => string | undefined;
  readonly store: FeedStore;
  readonly clock: Pick<Clock, 'date'>;
  /** A BCP 47 tag, by which relative days in filters are read. */
  readonly language: string;
  /** Shows progress while a task runs. */
  readonly showProgress: <T>(task: () => Promise<T>) => Promise<T>;
  readonly log: { error(message: string): void };
}

/**
 * A feed with a filter as it is open in the view: a store with one state, and one event for all that changes in it. What it is
 * asked for never rejects: a failure is in the state, and what was loaded before stays.
 */
export class Feed {
  readonly ref: FeedRef;
  /** Names the feed, whatever its filter. */
  readonly id: string;
  readonly filter: FeedFilter;
  /** Under which name the feed with its filter is kept. */
  readonly key: SavedFeedKey;
  readonly #deps: FeedDeps;
  readonly #listeners = new Set<(feed: Feed) => unknown>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #abort = new AbortController();
  #state: FeedState;
  #opening: Promise<void> | undefined;
  #checking: Promise<boolean> | undefined;
  #loadingMore: Promise<boolean> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(ref: FeedRef, filter: FeedFilter, deps: FeedDeps) {
    this.ref = ref;
    this.id = feedId(ref);
    this.filter = filter;
    this.key = { accountId: ref.accountId, name: `${this.id} ${filterId(filter)}` };
    this.#deps = deps;
    this.#state = reduce.emptyState(this.#reading);
    const update = (): void => this.updateReading();
    this.#subscriptions = [deps.readState.onDidChange(update), deps.mutes.onDidChange(update)];
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Whether the oldest events come first, and new ones last. */
  get isAscending(): boolean {
    return this.filter.order === 'asc';
  }

  /** Whether a filter or "only new" may be why events are not shown. */
  get isNarrowed(): boolean {
    return this.#state.reading.onlyNew || !isEmptyFilter(this.filter);
  }

  /** What is muted for the account, as it was called then. */
  get mutedNames(): readonly string[] {
    return this.#deps.mutes.all.filter(({ accountId }) => accountId === this.ref.accountId).map(({ name }) => name);
  }

  /** Fires after each change of the state. */
  readonly onDidChange = (listener: (feed: Feed) => unknown): vscode.Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  /**
   * Loads what is to be seen when the feed is first shown: what is kept on disk, and then what the instance says.
   *
   * @returns as soon as there is something to show; the rest comes as changes of the state.
   */
  async open(): Promise<void> {
    if (!this.#state.loaded && !reduce.isReady(this.#state)) {
      this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    }
    await this.#opening;
  }

  /**
   * Loads what is new, with progress. What was loaded before stays, unless so much is new that the two do not meet.
   *
   * @returns whether anything has changed, when the state has all that came of it: events, names of projects, or a failure.
   */
  async refresh(): Promise<boolean> {
    return await this.#deps.showProgress(() => this.check());
  }

  /** The same as `refresh`, in silence. Callers at the same time share the requests. */
  async check(): Promise<boolean> {
    this.#checking ??= this.#run(async () => {
      try {
        await (this.isAscending ? this.#loadEnd() : this.#loadNewest());
      } finally {
        // Who asks from now on wants to know what has happened since.
        this.#checking = undefined;
      }
    });
    return await this.#checking;
  }

  /**
   * Loads the next page, with progress; further ones if it brings nothing to be shown. Callers at the same time share the
   * requests.
   *
   * @returns whether anything has changed, when the state has all that came of it.
   */
  async loadMore(): Promise<boolean> {
    this.#loadingMore ??= this.#deps
      .showProgress(() => this.#run(() => this.#loadNext()))
      .finally(() => (this.#loadingMore = undefined));
    return await this.#loadingMore;
  }

  /** Takes over what is read, muted and new by now. */
  updateReading(): void {
    this.#apply((state) => reduce.withReading(state, this.#reading));
  }

  /** Ends requests under way; the state does not change any more. */
  dispose(): void {
    this.#abort.abort();
    this.#subscriptions.forEach((subscription) => void subscription.dispose());
  }

  get #reading(): Reading {
    const { readState, mutes, ownName } = this.#deps;
    const { accountId } = this.ref;
    return {
      ...readState.of(this.id),
      opened: readState.openedOf(accountId),
      muted: mutes.of(accountId),
      own: ownName(accountId),
    };
  }

  get #today(): Today {
    return { now: this.#deps.clock.date(), language: this.#deps.language };
  }

  /** All changes of the state are made here. */
  #apply(change: (state: FeedState) => FeedState): void {
    const before = this.#state;
    const changed = this.#abort.signal.aborted ? before : change(before);
    const named =
      changed.items === before.items
        ? changed
        : reduce.withProjects(changed, this.#deps.projects.among(this.ref.accountId, [...reduce.projectIds(changed)]));
    if (named !== before) {
      this.#state = reduce.withRows(named, before, this.filter, this.#today);
      [...this.#listeners].forEach((listener) => listener(this));
    }
  }

  async #open(): Promise<void> {
    const shown = Promise.withResolvers<void>();
    const subscription = this.onDidChange(() => reduce.isReady(this.#state) && shown.resolve());
    this.#abort.signal.addEventListener('abort', () => shown.resolve());
    try {
      await this.#restore();
      await Promise.race([shown.promise, this.refresh()]);
    } catch (error) {
      this.#deps.log.error(inspect(error));
      this.#apply((state) => reduce.failed(state, error));
    } finally {
      subscription.dispose();
    }
  }

  async #restore(): Promise<void> {
    const { store, projects } = this.#deps;
    const saved = await store.read(this.key);
    if (saved) {
      projects.restore(this.ref.accountId, saved.projects);
      this.#apply((state) => reduce.restored(state, saved));
    }
  }

  /** Runs a load, and what belongs to one. Never rejects. */
  async #run(load: () => Promise<void>): Promise<boolean> {
    const before = this.#state;
    this.#apply(reduce.loadStarted);
    try {
      await load();
    } catch (error) {
      this.#apply((state) => reduce.failed(state, error));
    }
    const { items, error, loaded } = this.#state;
    const changed =
      items !== before.items || loaded !== before.loaded || (error === undefined) !== (before.error === undefined);
    if (error !== undefined && changed) {
      this.#deps.log.error(inspect(error));
    }
    try {
      await (this.#abort.signal.aborted ? undefined : this.#finish(changed));
    } catch (failure) {
      // The events are there, though they may not be kept, or not named by their projects.
      this.#deps.log.error(inspect(failure));
    }
    this.#apply(reduce.loadEnded);
    return changed;
  }

  async #loadNewest(): Promise<void> {
    const { loaded, etag: known } = this.#state;
    const { notModified, etag, ...first } = await this.#page({ etag: loaded ? known : undefined });
    const checkedAt = this.#deps.clock.date();
    if (notModified) {
      this.#apply((state) => reduce.confirmed(state, checkedAt));
      return;
    }
    const items = [...first.items];
    let { next } = first;
    // The state may grow by older items meanwhile.
    for (
      let pages = 1;
      !reduce.meets(items, this.#state.items) &&
      next !== undefined &&
      pages < mostPagesPerLoad &&
      !reduce.isTooMuch(items);
      pages += 1
    ) {
      const page = await this.#page({ from: next });
      items.push(...reduce.addedBy(page.items, items, false));
      ({ next } = page);
    }
    const newest = { items, next, etag, checkedAt };
    this.#apply((state) => reduce.newestLoaded(state, newest));
    await this.#goOnUntilShown();
  }

  /** Where new events come last, they come after what was loaded, if all before is loaded. */
  async #loadEnd(): Promise<void> {
    const { loaded, complete, lastPage } = this.#state;
    if (loaded && !complete) {
      this.#apply((state) => reduce.confirmed(state, this.#deps.clock.date()));
      return;
    }
    const page = await this.#page({ from: loaded ? lastPage : undefined });
    this.#apply((state) => reduce.endLoaded(state, page, this.#deps.clock.date()));
    await this.#goOnUntilShown();
  }

  async #loadNext(): Promise<void> {
    for (let pages = 0; pages < mostPagesPerLoad && this.#state.next !== undefined; pages += 1) {
      const from = this.#state.next;
      const page = await this.#page({ from });
      const { length } = this.#state.items;
      this.#apply((state) => reduce.pageLoaded(state, from, page, this.isAscending));
      if (this.#state.items.slice(length).some(passes(this.filter, this.#today))) {
        break;
      }
    }
  }

  /** A first page that shows nothing would look like an empty feed. */
  async #goOnUntilShown(): Promise<void> {
    if (!this.#state.items.some(passes(this.filter, this.#today))) {
      await this.#loadNext();
    }
  }

  async #page(place: { readonly from?: PageLink | undefined; readonly etag?: string | undefined }): Promise<FeedPage> {
    const { signal } = this.#abort;
    const { client, instanceUrl } = await this.#deps.connections.of(this.ref.accountId);
    this.#apply((state) => reduce.withInstance(state, instanceUrl));
    const asked = requestFilter(this.filter, this.#today);
    const { value } = await pagesOf(client, this.ref, asked, { ...place, signal, perPage: eventsPerPage }).next();
    signal.throwIfAborted();
    return value ?? { items: [], next: undefined, etag: undefined, notModified: false };
  }

  /** What follows a load: what was there when the feed was first seen is not new; the rest is kept, and named by its projects. */
  async #finish(changed: boolean): Promise<void> {
    const { readState, projects, log } = this.#deps;
    const { accountId } = this.ref;
    if (this.#state.loaded) {
      await readState.begin(this.id, accountId, this.#state.items).catch((error: unknown) => log.error(inspect(error)));
      this.updateReading();
    }
    await this.#save(changed);
    // The events do not wait for their projects.
    const ids = [...reduce.projectIds(this.#state)];
    await projects.learn(accountId, ids);
    const { projects: named } = this.#state;
    this.#apply((state) => reduce.withProjects(state, projects.among(accountId, [...reduce.projectIds(state)])));
    // What another load has learned meanwhile is being kept by it.
    await (this.#state.projects === named ? this.#saving : this.#save(true));
  }

  /** One after the other, because they write the same file. */
  async #save(changed: boolean): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write(changed));
    await this.#saving;
  }

  async #write(changed: boolean): Promise<void> {
    const { store, clock } = this.#deps;
    const { items, checkedAt, loaded, error, instanceUrl, projects } = this.#state;
    if (!loaded || error !== undefined || checkedAt === undefined || instanceUrl === undefined) {
      return;
    }
    const keptAt = await store.checkedAt(this.key);
    if (this.#abort.signal.aborted || (keptAt !== undefined && keptAt > checkedAt && keptAt <= clock.date())) {
      // Another account, token or filter is shown by now; or another window has kept what is newer.
      return;
    }
    await (changed
      ? store.write(this.key, { checkedAt, instanceUrl, items, projects })
      : store.touch(this.key, checkedAt));
  }
}
