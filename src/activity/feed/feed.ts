import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { sandboxAccount, sandboxUsername } from '../../accounts/account.ts';
import type { App } from '../../app.ts';
import type { PageLink } from '../../api/pagination.ts';
import { isRecognized, isUnrecognized, type UnrecognizedRecord } from '../../api/unrecognized.ts';
import { withProgress } from '../../common/inertWindow.ts';
import { type FeedRef, feedId, pagesOf } from './feedRef.ts';
import type { FeedStore, SavedFeedKey } from './feedStore.ts';
import { type FeedFilter, filterId, isEmptyFilter, passes, requestFilter, type Today } from './filter.ts';
import * as merge from './merge.ts';
import type { FeedPage, FeedState, Reading } from './merge.ts';
import type { Projects } from './projects.ts';
import type { Mutes, ReadState } from './readState.ts';

const eventsPerPage = 50;
const mostPagesPerLoad = 10;

export interface FeedSurroundings {
  readonly app: App;
  readonly projects: Projects;
  readonly readState: ReadState;
  readonly mutes: Mutes;
  readonly store: FeedStore;
}

/**
 * A feed with a filter as it is open in the view: a store with one state, and one event for all that changes in it. What it is
 * asked for never rejects: a failure is in the state, and what was loaded before stays.
 */
export class Feed implements vscode.Disposable {
  readonly ref: FeedRef;
  readonly id: string;
  readonly filter: FeedFilter;
  readonly key: SavedFeedKey;
  readonly #shared: FeedSurroundings;
  readonly #listeners = new Set<(feed: Feed) => unknown>();
  readonly #subscription: vscode.Disposable;
  readonly #abort = new AbortController();
  #state: FeedState;
  #opening: Promise<void> | undefined;
  #checking: Promise<boolean> | undefined;
  #loadingMore: Promise<boolean> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(ref: FeedRef, filter: FeedFilter, shared: FeedSurroundings) {
    this.ref = ref;
    this.id = feedId(ref);
    this.filter = filter;
    this.key = { accountId: ref.accountId, name: `${this.id} ${filterId(filter)}` };
    this.#shared = shared;
    this.#state = merge.emptyState(this.#reading);
    const update = (): void => this.updateReading();
    this.#subscription = vscode.Disposable.from(shared.readState.onDidChange(update), shared.mutes.onDidChange(update));
  }

  get state(): FeedState {
    return this.#state;
  }

  get isAscending(): boolean {
    return this.filter.order === 'asc';
  }

  get isFiltered(): boolean {
    return !isEmptyFilter(this.filter);
  }

  /** What is muted for the account, as it was called then. */
  get mutedNames(): readonly string[] {
    return this.#shared.mutes.all.flatMap(({ accountId, name }) => (accountId === this.ref.accountId ? name : []));
  }

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
    if (!this.#state.loaded && !merge.isReady(this.#state)) {
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
    return await withProgress({ location: { viewId: 'beacon.activity' } }, () => this.check());
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
    this.#loadingMore ??= withProgress({ location: { viewId: 'beacon.activity' } }, () =>
      this.#run(() => this.#loadNext()),
    ).finally(() => (this.#loadingMore = undefined));
    return await this.#loadingMore;
  }

  updateReading(): void {
    this.#apply((state) => merge.withReading(state, this.#reading));
  }

  dispose(): void {
    this.#abort.abort();
    this.#subscription.dispose();
  }

  get #reading(): Reading {
    const { readState, mutes } = this.#shared;
    const { accountId } = this.ref;
    return { ...readState.of(this), muted: mutes.of(accountId), own: this.#ownName };
  }

  get #ownName(): string | undefined {
    const { accountId } = this.ref;
    const { accounts } = this.#shared.app;
    const areNew = vscode.workspace.getConfiguration('beacon.activity').get('ownEventsAreNew', false);
    const isSandbox = accountId === sandboxAccount.id;
    const name = isSandbox ? sandboxUsername : accounts.all.find(({ id }) => id === accountId)?.username;
    return areNew ? undefined : name;
  }

  get #today(): Today {
    return { now: this.#shared.app.clock.date() };
  }

  /** All changes of the state are made here. */
  #apply(change: (state: FeedState) => FeedState): void {
    const before = this.#state;
    const changed = this.#abort.signal.aborted ? before : change(before);
    const { projects } = this.#shared;
    const named =
      changed.items === before.items
        ? changed
        : merge.withProjects(changed, projects.among(this.ref.accountId, merge.projectIds(changed)));
    if (named !== before) {
      this.#state = merge.withRows(named, before, passes(this.filter, this.#today));
      [...this.#listeners].forEach((listener) => listener(this));
    }
  }

  async #open(): Promise<void> {
    const shown = Promise.withResolvers<void>();
    const subscription = this.onDidChange(() => merge.isReady(this.#state) && shown.resolve());
    this.#abort.signal.addEventListener('abort', () => shown.resolve());
    try {
      await this.#restore();
      await Promise.race([shown.promise, this.refresh()]);
    } catch (error) {
      this.#shared.app.log.error(inspect(error));
      this.#apply((state) => ({ ...state, error }));
    } finally {
      subscription.dispose();
    }
  }

  async #restore(): Promise<void> {
    const { store, projects } = this.#shared;
    const saved = await store.read(this.key);
    if (saved) {
      projects.restore(this.ref.accountId, saved.projects);
      this.#apply((state) => merge.restored(state, saved));
    }
  }

  /** Runs a load, and what belongs to one. Never rejects. */
  async #run(load: () => Promise<void>): Promise<boolean> {
    const { log } = this.#shared.app;
    const before = this.#state;
    this.#apply((state) => ({ ...state, loading: state.loading + 1 }));
    try {
      await load();
    } catch (error) {
      this.#apply((state) => ({ ...state, error }));
    }
    const { items, error, loaded } = this.#state;
    const changed =
      items !== before.items || loaded !== before.loaded || (error === undefined) !== (before.error === undefined);
    if (error !== undefined && changed) {
      log.error(inspect(error));
    }
    try {
      await (this.#abort.signal.aborted ? undefined : this.#finish(changed));
    } catch (failure) {
      // The events are there, though they may not be kept, or not named by their projects.
      log.error(inspect(failure));
    }
    this.#apply((state) => ({ ...state, loading: state.loading - 1 }));
    return changed;
  }

  async #loadNewest(): Promise<void> {
    const { loaded, etag: known } = this.#state;
    const { notModified, etag, ...first } = await this.#page(undefined, loaded ? known : undefined);
    const checkedAt = this.#shared.app.clock.date();
    if (notModified) {
      this.#apply((state) => ({ ...state, checkedAt, error: undefined }));
      return;
    }
    const items = [...first.items];
    let { next } = first;
    // The state may grow by older items meanwhile.
    for (
      let pages = 1;
      !merge.meets(items, this.#state.items) &&
      next !== undefined &&
      pages < mostPagesPerLoad &&
      !merge.isTooMuch(items);
      pages += 1
    ) {
      const page = await this.#page(next);
      items.push(...merge.addedBy(page.items, items, false));
      ({ next } = page);
    }
    const newest = { items, next, etag, checkedAt };
    this.#apply((state) => merge.newestLoaded(state, newest));
    await this.#goOnUntilShown();
  }

  /** Where new events come last, they come after what was loaded, if all before is loaded. */
  async #loadEnd(): Promise<void> {
    const { loaded, complete, lastPage } = this.#state;
    const { clock } = this.#shared.app;
    if (loaded && !complete) {
      this.#apply((state) => ({ ...state, checkedAt: clock.date(), error: undefined }));
      return;
    }
    const page = await this.#page(loaded ? lastPage : undefined);
    this.#apply((state) => merge.endLoaded(state, page, clock.date()));
    await this.#goOnUntilShown();
  }

  async #loadNext(): Promise<void> {
    for (let pages = 0; pages < mostPagesPerLoad && this.#state.next !== undefined; pages += 1) {
      const from = this.#state.next;
      const page = await this.#page(from);
      const { length } = this.#state.items;
      this.#apply((state) => merge.pageLoaded(state, from, page, this.isAscending));
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

  async #page(from?: PageLink, etag?: string): Promise<FeedPage> {
    const { connections, log } = this.#shared.app;
    const { signal } = this.#abort;
    const { client, instanceUrl } = await connections.of(this.ref.accountId);
    this.#apply((state) => merge.withInstance(state, instanceUrl));
    const asked = requestFilter(this.filter, this.#today);
    const { value } = await pagesOf(client, this.ref, asked, { from, etag, signal, perPage: eventsPerPage }).next();
    signal.throwIfAborted();
    const { items = [], next, etag: current, notModified = false } = value ?? {};
    const unreadable = items.filter((item): item is UnrecognizedRecord => isUnrecognized(item));
    unreadable.forEach(({ problems }) => log.warn(`A record of ${this.id} is no event: ${problems.join('; ')}`));
    this.#apply((state) =>
      merge.withUnreadable(
        state,
        unreadable.map(({ raw }) => JSON.stringify(raw).slice(0, 1000)),
      ),
    );
    return { items: items.filter(isRecognized), next, etag: current, notModified };
  }

  /** What follows a load: what was there when the feed was first seen is not new; the rest is kept, and named by its projects. */
  async #finish(changed: boolean): Promise<void> {
    const { readState, projects, app } = this.#shared;
    const { accountId } = this.ref;
    if (this.#state.loaded) {
      await readState.begin(this).catch((error: unknown) => app.log.error(inspect(error)));
      this.updateReading();
    }
    await this.#save(changed);
    // The events do not wait for their projects.
    await projects.learn(accountId, merge.projectIds(this.#state));
    const { projects: named } = this.#state;
    this.#apply((state) => merge.withProjects(state, projects.among(accountId, merge.projectIds(state))));
    // What another load has learned meanwhile is being kept by it.
    await (this.#state.projects === named ? this.#saving : this.#save(true));
  }

  /** One after the other, because they write the same file. */
  async #save(changed: boolean): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write(changed));
    await this.#saving;
  }

  async #write(changed: boolean): Promise<void> {
    const { store, app } = this.#shared;
    const { items, checkedAt, loaded, error, instanceUrl, projects } = this.#state;
    if (!loaded || error !== undefined || checkedAt === undefined || instanceUrl === undefined) {
      return;
    }
    const keptAt = await store.checkedAt(this.key);
    if (this.#abort.signal.aborted || (keptAt !== undefined && keptAt > checkedAt && keptAt <= app.clock.date())) {
      // Another account, token or filter is shown by now; or another window has kept what is newer.
      return;
    }
    await (changed
      ? store.write(this.key, { checkedAt, instanceUrl, items, projects })
      : store.touch(this.key, checkedAt));
  }
}
