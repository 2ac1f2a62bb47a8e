import { inspect, isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { App } from '../../app.ts';
import type { EventRecord } from '../../api/events.ts';
import type { PageLink } from '../../api/pagination.ts';
import { calendarDate } from '../../common/dates.ts';
import { withProgress } from '../../common/inertWindow.ts';
import { type FeedRef, feedId, pagesOf } from './feedRef.ts';
import type { FeedStore, SavedFeedKey } from './feedStore.ts';
import { type FeedFilter, filterId, isEmptyFilter, passes, requestFilter } from './filter.ts';
import { addedBy, isTooMuch, joinNewer, meets, withoutRepeats } from './merge.ts';
import type { ProjectFacts, Projects } from './projects.ts';
import { isMuted, isNew, type Reading, type ReadState } from './readState.ts';

const eventsPerPage = 50;
const mostPagesPerLoad = 10;
/** At most this many different records that are no events are told apart. */
const mostUnreadable = 1000;

/** All that is known of an open feed at one moment. Never changed: another one takes its place. */
export interface FeedState {
  /** In the order of the instance. */
  readonly items: readonly EventRecord[];
  /** What came in the place of events and is none, as JSON. */
  readonly unreadable: ReadonlySet<string>;
  /** When the items were last known to be up to date; undefined before there are any. */
  readonly checkedAt: Date | undefined;
  /** Whether the instance has answered since the feed was opened; else the items are those kept on disk. */
  readonly loaded: boolean;
  readonly loading: number;
  /** The place of the next page; undefined if there is none, or not yet. */
  readonly next: PageLink | undefined;
  readonly complete: boolean;
  /** The place of the page that the last items came with, where new ones come last; undefined for the first page. */
  readonly lastPage: PageLink | undefined;
  readonly etag: string | undefined;
  /** Why the last load failed, if it did; the items loaded before stay. */
  readonly error: unknown;
  /** The web address of the instance, without a slash at its end; undefined before it is known. */
  readonly instanceUrl: string | undefined;
  readonly projects: Readonly<Record<number, ProjectFacts>>;
  readonly reading: Reading;
  readonly shown: readonly EventRecord[];
  /** How many of the items pass the filter and are muted, and how many do not pass. */
  readonly mutedCount: number;
  readonly filteredCount: number;
  readonly newItems: readonly EventRecord[];
}

/** What all feeds share. */
export interface FeedSurroundings {
  readonly app: App;
  readonly projects: Projects;
  readonly readState: ReadState;
  readonly store: FeedStore;
}

/**
 * A feed with a filter as it is open in the view: one state, and one event for all that changes in it. What it is asked for never
 * rejects: a failure is in the state, and what was loaded before stays.
 */
export class Feed implements vscode.Disposable {
  readonly ref: FeedRef;
  readonly id: string;
  readonly filter: FeedFilter;
  readonly key: SavedFeedKey;
  readonly app: App;
  readonly #shared: FeedSurroundings;
  readonly #changed = new vscode.EventEmitter<Feed>();
  readonly #subscription: vscode.Disposable;
  readonly #abort = new AbortController();
  /** Resolves when there is something to show: events, a failure, or that there are no events. */
  readonly #ready = Promise.withResolvers<void>();
  #state: FeedState;
  /** When the filter was last applied: its days may be relative. */
  #day = '';
  #checking: Promise<boolean> | undefined;
  #loadingMore: Promise<boolean> | undefined;
  readonly onDidChange = this.#changed.event;

  constructor(ref: FeedRef, filter: FeedFilter, shared: FeedSurroundings) {
    this.ref = ref;
    this.id = feedId(ref);
    this.filter = filter;
    this.key = { accountId: ref.accountId, name: `${this.id} ${filterId(filter)}` };
    this.app = shared.app;
    this.#shared = shared;
    this.#state = {
      ...{ items: [], shown: [], newItems: [], unreadable: new Set(), projects: {}, mutedCount: 0, filteredCount: 0 },
      ...{ loaded: false, loading: 0, complete: false, next: undefined, lastPage: undefined, etag: undefined },
      ...{ checkedAt: undefined, error: undefined, instanceUrl: undefined, reading: shared.readState.of(this) },
    };
    const read = shared.readState.onDidChange(() => this.#set({ reading: shared.readState.of(this) }));
    this.#subscription = vscode.Disposable.from(this.#changed, read);
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

  /**
   * Loads what is to be seen when the feed is first shown: what is kept on disk, and then what the instance says.
   *
   * @returns as soon as there is something to show; the rest comes as changes of the state.
   */
  async open(): Promise<void> {
    const { loaded, loading, error } = this.#state;
    if (!loaded && loading === 0 && error === undefined) {
      void this.refresh();
    }
    await this.#ready.promise;
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

  dispose(): void {
    this.#abort.abort();
    this.#ready.resolve();
    this.#subscription.dispose();
  }

  /** How many items are neither filtered out nor muted. */
  get #heard(): number {
    const { items, filteredCount, mutedCount } = this.#state;
    return items.length - filteredCount - mutedCount;
  }

  /** All changes of the state are made here. */
  #set(fields: Partial<FeedState>): void {
    const before = this.#state;
    const { accountId } = this.ref;
    let state = this.#abort.signal.aborted ? before : withFields(before, fields);
    const day = calendarDate(this.app.clock.date());
    if (state.items !== before.items || state.reading !== before.reading || day !== this.#day) {
      this.#day = day;
      const projects = this.#shared.projects.among(accountId, projectIds(state));
      state = withFields(state, { projects, ...rowsOf(state, passes(this.filter, this.app.clock.date())) });
    }
    if (state !== before) {
      this.#state = { ...state, complete: state.loaded && state.next === undefined };
      if (state.shown.length > 0 || state.error !== undefined) {
        this.#ready.resolve();
      }
      this.#changed.fire(this);
    }
  }

  /** Runs a load, and what belongs to one. Never rejects. */
  async #run(load: () => Promise<void>): Promise<boolean> {
    const { log } = this.app;
    const before = this.#state;
    this.#set({ loading: before.loading + 1 });
    try {
      await this.#restore().catch((error: unknown) => log.error(inspect(error)));
      await load();
    } catch (error) {
      this.#set({ error });
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
    this.#set({ loading: this.#state.loading - 1 });
    this.#ready.resolve();
    return changed;
  }

  /** Takes what was kept on disk, if nothing newer is there. */
  async #restore(): Promise<void> {
    const { store, projects } = this.#shared;
    const saved = this.#state.loaded ? undefined : await store.read(this.key);
    if (saved && !this.#state.loaded) {
      projects.restore(this.ref.accountId, saved.projects);
      const { checkedAt, instanceUrl } = saved;
      this.#set({ items: withoutRepeats(saved.items), checkedAt, instanceUrl });
    }
  }

  async #loadNewest(): Promise<void> {
    const { loaded, etag: known } = this.#state;
    const { notModified, etag, ...first } = await this.#page(undefined, loaded ? known : undefined);
    const checkedAt = this.app.clock.date();
    if (notModified) {
      this.#set({ checkedAt, error: undefined });
      return;
    }
    const items = [...first.items];
    let { next } = first;
    // The state may grow by older items meanwhile.
    for (
      let pages = 1;
      !meets(items, this.#state.items) && next !== undefined && pages < mostPagesPerLoad && !isTooMuch(items);
      pages += 1
    ) {
      const page = await this.#page(next);
      items.push(...addedBy(page.items, items, false));
      ({ next } = page);
    }
    const joined = joinNewer(items, this.#state.items);
    this.#set({
      ...{ items: joined ?? withoutRepeats(items), next: joined && this.#state.loaded ? this.#state.next : next },
      ...{ checkedAt, etag, loaded: true, error: undefined },
    });
    await this.#goOnUntilShown();
  }

  /** Where new events come last, they come after what was loaded, if all before is loaded. */
  async #loadEnd(): Promise<void> {
    const { loaded, complete, lastPage } = this.#state;
    const { clock } = this.app;
    if (loaded && !complete) {
      this.#set({ checkedAt: clock.date(), error: undefined });
      return;
    }
    const { items, next } = await this.#page(loaded ? lastPage : undefined);
    const joined = withoutRepeats([...(loaded ? this.#state.items : []), ...items]);
    const fitting = isTooMuch(joined) ? withoutRepeats(items) : joined;
    this.#set({ items: fitting, next, checkedAt: clock.date(), loaded: true, error: undefined });
    await this.#goOnUntilShown();
  }

  async #loadNext(): Promise<void> {
    for (let pages = 0; pages < mostPagesPerLoad && this.#state.next !== undefined; pages += 1) {
      const from = this.#state.next;
      const { items, next } = await this.#page(from);
      const { items: known } = this.#state;
      const heard = this.#heard;
      // Unless the feed has begun again since that page was asked for.
      if (this.#state.next === from) {
        const all = withoutRepeats([...known, ...addedBy(items, known, this.isAscending)]);
        this.#set({ items: all, next, lastPage: from, error: undefined });
      }
      if (this.#heard > heard) {
        break;
      }
    }
  }

  /** A first page that shows nothing would look like an empty feed. */
  async #goOnUntilShown(): Promise<void> {
    if (this.#heard === 0) {
      await this.#loadNext();
    }
  }

  async #page(from?: PageLink, etag?: string) {
    const { connections, log, clock } = this.app;
    const { signal } = this.#abort;
    const { client, instanceUrl } = await connections.of(this.ref.accountId);
    this.#set({ instanceUrl });
    const asked = requestFilter(this.filter, clock.date());
    const { value } = await pagesOf(client, this.ref, asked, { from, etag, signal, perPage: eventsPerPage }).next();
    signal.throwIfAborted();
    const { items = [], misfits = [], next, etag: current, notModified = false } = value ?? {};
    const unreadable = new Set(this.#state.unreadable);
    for (const { problems, raw } of misfits) {
      const text = JSON.stringify(raw).slice(0, 1000);
      if (!unreadable.has(text)) {
        log.warn(`A record of ${this.id} is no event: ${problems.join('; ')}`);
      }
      unreadable.add(text);
    }
    this.#set({ unreadable: new Set([...unreadable].slice(0, mostUnreadable)) });
    return { items, next, etag: current, notModified };
  }

  /** What follows a load: what was there when the feed was first seen is not new; the rest is named by its projects, and kept. */
  async #finish(changed: boolean): Promise<void> {
    const { readState, projects, store } = this.#shared;
    const { accountId } = this.ref;
    const { projects: named } = this.#state;
    if (this.#state.loaded) {
      await readState.begin(this);
      this.#set({ reading: readState.of(this) });
    }
    // The events do not wait for their projects.
    await projects.learn(accountId, projectIds(this.#state));
    this.#set({ projects: projects.among(accountId, projectIds(this.#state)) });
    const { items, checkedAt, loaded, error, instanceUrl } = this.#state;
    // Another account, token or filter may be shown by now.
    if (loaded && error === undefined && checkedAt && instanceUrl !== undefined && !this.#abort.signal.aborted) {
      await (changed || this.#state.projects !== named
        ? store.write(this.key, { checkedAt, instanceUrl, items, projects: this.#state.projects })
        : store.touch(this.key, checkedAt));
    }
  }
}

/** Another state, in which what is the same stays the same object, by which the rows know that nothing about it has changed. */
function withFields(before: FeedState, fields: Partial<FeedState>): FeedState {
  const changed = Object.entries(fields).filter(
    ([name, value]) => !isDeepStrictEqual(value, before[name as keyof FeedState]),
  );
  return changed.length === 0 ? before : { ...before, ...Object.fromEntries(changed) };
}

/** What is shown of a feed. */
function rowsOf({ items, reading }: FeedState, isAskedFor: (event: EventRecord) => boolean): Partial<FeedState> {
  const passing = items.filter(isAskedFor);
  const heard = passing.filter((item) => !isMuted(reading.muted, item));
  const newItems = heard.filter((item) => isNew(reading, item));
  // A row does not vanish while it is looked at.
  const unread = heard.filter((item) => isNew(reading, item) || item.id === reading.open);
  return {
    shown: reading.onlyNew ? unread : heard,
    newItems,
    mutedCount: passing.length - heard.length,
    filteredCount: items.length - passing.length,
  };
}

function projectIds({ items }: FeedState): ReadonlySet<number> {
  return new Set(items.flatMap(({ project_id: id }) => id ?? []));
}
