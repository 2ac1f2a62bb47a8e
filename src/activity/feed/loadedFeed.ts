import { sha256 } from '#platform/bytes.ts';
import { isDeepStrictEqual } from '#platform/runtime.ts';
import type { EventRecord } from '../../api/events.ts';
import type { Page, PageLink } from '../../api/pagination.ts';
import type { UnrecognizedRecord } from '../../api/unrecognized.ts';
import type { Clock } from '../../common/clock.ts';

/** An entry of a feed; one that is no event record is kept, so that nothing is hidden. */
export type FeedItem = EventRecord | UnrecognizedRecord;

/** The subset of a page of the API client that a feed reads. */
export type FeedPage = Pick<Page<EventRecord>, 'items' | 'next' | 'etag' | 'notModified'>;

/** Which page of a feed to request. */
export interface PageRequest {
  /** The place of the page; undefined for the first. */
  readonly from?: PageLink | undefined;
  /** What the first page was known by: the answer may be that it has not changed. */
  readonly etag?: string | undefined;
  readonly signal: AbortSignal;
}

/** What a feed holds at one moment. */
export interface FeedState {
  /** In the order of the instance. */
  readonly items: readonly FeedItem[];
  /** When the items were last known to be up to date; undefined before anything is loaded. */
  readonly checkedAt: Date | undefined;
  /** Whether the instance has answered since the feed was opened; else the items are remembered ones. */
  readonly loaded: boolean;
  /** The place of the next page; undefined if there is none, or not yet. */
  readonly next: PageLink | undefined;
  /** Whether the end of the list is among the items. */
  readonly complete: boolean;
  readonly etag: string | undefined;
  /** Why the last request failed; the items loaded before stay. */
  readonly error?: unknown;
}

/** Options of a feed that is loaded page by page. */
export interface LoadedFeedDeps {
  readonly request: (page: PageRequest) => Promise<FeedPage>;
  /** Whether the oldest events come first, and new ones last. */
  readonly ascending?: boolean;
  /** Whether an item is shown: loading more goes on until it has added at least one. */
  readonly isShown?: (item: FeedItem) => boolean;
  readonly clock: Pick<Clock, 'date'>;
}

const nothingLoaded: FeedState = {
  items: [],
  checkedAt: undefined,
  loaded: false,
  next: undefined,
  complete: false,
  etag: undefined,
};

/**
 * So many items, and so many characters of them as JSON, may come together by refreshing: an instance can answer each time with
 * others, and a window may stay open for weeks.
 */
const mostItems = 50_000;
const mostLength = 64 * 1024 * 1024;

/** How many pages "Load More" requests at most. */
const mostPagesPerLoad = 10;

/** Loads a feed page by page. What was loaded survives a failure and a refresh. */
export class LoadedFeed {
  readonly #deps: LoadedFeedDeps;
  #state = nothingLoaded;
  #abort = new AbortController();
  /** The place of the page that the last items came with, where new ones come last. */
  #lastPage: PageLink | undefined;
  #refreshing: Promise<boolean> | undefined;
  #loadingMore: Promise<void> | undefined;

  constructor(deps: LoadedFeedDeps) {
    this.#deps = deps;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Shows what was remembered, until there is an answer of the instance. */
  restore(items: readonly FeedItem[], checkedAt: Date): void {
    if (!this.#state.loaded && this.#state.items.length === 0) {
      this.#state = { ...this.#state, items: withoutRepeats(items), checkedAt };
    }
  }

  /**
   * Takes over what another window has loaded, in the order of the instance.
   *
   * @returns whether anything has changed.
   */
  adopt(items: readonly FeedItem[], checkedAt: Date): boolean {
    const known = this.#state.items;
    if (this.#deps.ascending === true || items.every((item, index) => isDeepStrictEqual(item, known[index]))) {
      this.#set({ ...this.#state, checkedAt });
      return false;
    }
    const joined = joinNewer(items, known);
    this.#set(
      joined
        ? { ...this.#state, items: joined, checkedAt, etag: undefined }
        : { ...nothingLoaded, items: withoutRepeats(items), checkedAt },
    );
    return true;
  }

  /**
   * Loads what is new. What was loaded before stays, unless so much is new that the two do not meet. Callers at the same
   * time share the requests.
   *
   * @returns whether anything has changed; an error is in the state.
   */
  async refresh(): Promise<boolean> {
    const { signal } = this.#abort;
    this.#refreshing ??= this.#run(signal, () =>
      this.#deps.ascending === true ? this.#loadEnd(signal) : this.#loadNewest(signal),
    ).finally(() => {
      if (!signal.aborted) {
        this.#refreshing = undefined;
      }
    });
    return await this.#refreshing;
  }

  /** Loads the next page; further ones if it brings nothing to be shown. Callers at the same time share the requests. */
  async loadMore(): Promise<void> {
    const { signal } = this.#abort;
    this.#loadingMore ??= this.#run(signal, () => this.#loadNext(signal)).then(() => {
      if (!signal.aborted) {
        this.#loadingMore = undefined;
      }
    });
    await this.#loadingMore;
  }

  /** Says why nothing is loaded, until it is asked for. */
  fail(error: unknown): void {
    this.#state = { ...this.#state, error };
  }

  /** Aborts requests under way. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#refreshing = undefined;
    this.#loadingMore = undefined;
  }

  async #run(signal: AbortSignal, load: () => Promise<boolean>): Promise<boolean> {
    try {
      return await load();
    } catch (error) {
      if (signal.aborted) {
        return false;
      }
      const { error: before } = this.#state;
      this.#state = { ...this.#state, error };
      return before === undefined;
    }
  }

  async #loadNewest(signal: AbortSignal): Promise<boolean> {
    const before = this.#state;
    const first = await this.#deps.request({ etag: before.loaded ? before.etag : undefined, signal });
    signal.throwIfAborted();
    const checkedAt = this.#deps.clock.date();
    if (first.notModified) {
      this.#set({ ...this.#state, checkedAt });
      return before.error !== undefined;
    }
    const { etag } = first;
    const fresh = [...first.items];
    let { next } = first;
    // The state may have grown by older items meanwhile.
    let items = joinNewer(fresh, this.#state.items);
    for (
      let pages = 1;
      items === undefined && next !== undefined && pages < mostPagesPerLoad && !isTooMuch(fresh);
      pages += 1
    ) {
      const page = await this.#deps.request({ from: next, signal });
      signal.throwIfAborted();
      fresh.push(...page.items);
      ({ next } = page);
      items = joinNewer(fresh, this.#state.items);
    }
    if (items !== undefined && items.length > fresh.length && isTooMuch(items)) {
      // It begins again with the newest; what was before them can be loaded once more.
      items = undefined;
    }
    const { items: known, complete, next: knownNext } = this.#state;
    const joined = items !== undefined && items.some((item) => known.includes(item));
    const all = items ?? withoutRepeats(fresh);
    this.#set({
      items: all,
      checkedAt,
      loaded: true,
      etag,
      next: joined ? (knownNext ?? (complete ? undefined : next)) : next,
      complete: joined ? complete || (knownNext === undefined && next === undefined) : next === undefined,
    });
    await this.#goOnUntilShown(signal);
    return before.error !== undefined || !isSame(all, known) || !before.loaded;
  }

  /** Where new events come last, they come after what was loaded, if all before is loaded. */
  async #loadEnd(signal: AbortSignal): Promise<boolean> {
    const { items, loaded, complete, error } = this.#state;
    if (loaded && !complete) {
      this.#set({ ...this.#state, checkedAt: this.#deps.clock.date() });
      return error !== undefined;
    }
    const page = await this.#deps.request({ from: loaded ? this.#lastPage : undefined, signal });
    signal.throwIfAborted();
    const joined = withoutRepeats([...(loaded ? items : []), ...page.items]);
    const all = loaded && isTooMuch(joined) ? withoutRepeats(page.items) : joined;
    this.#set({ ...this.#ofPage(page), items: all, loaded: true, checkedAt: this.#deps.clock.date() });
    await this.#goOnUntilShown(signal);
    return error !== undefined || !loaded || !isSame(all, items);
  }

  async #loadNext(signal: AbortSignal): Promise<boolean> {
    const { length } = this.#state.items;
    for (let pages = 0; pages < mostPagesPerLoad && this.#state.next !== undefined; pages += 1) {
      const from = this.#state.next;
      const page = await this.#deps.request({ from, signal });
      signal.throwIfAborted();
      this.#lastPage = from;
      this.#set({ ...this.#ofPage(page), items: withoutRepeats([...this.#state.items, ...page.items]) });
      if (this.#state.items.slice(length).some(this.#deps.isShown ?? (() => true))) {
        break;
      }
    }
    return this.#state.items.length > length;
  }

  /** A first page that shows nothing would look like an empty feed. */
  async #goOnUntilShown(signal: AbortSignal): Promise<void> {
    if (!this.#state.items.some(this.#deps.isShown ?? (() => true))) {
      await this.#loadNext(signal);
    }
  }

  #ofPage({ next }: FeedPage): FeedState {
    return { ...this.#state, next, complete: next === undefined };
  }

  /** Takes a state that is known to be right: what failed before does not matter any more. */
  #set(state: FeedState): void {
    const { error: _, ...rest } = state;
    this.#state = rest;
  }
}

/**
 * Newer items followed by those known ones that are older. Known items that are missing between the newer ones are gone.
 *
 * @returns undefined if the two do not meet, so that there may be others between them. Where they meet and nothing is the same,
 *   the instance has begun again, and what is known means nothing: then the newer items alone.
 */
function joinNewer(newer: readonly FeedItem[], known: readonly FeedItem[]): FeedItem[] | undefined {
  if (known.length === 0) {
    return withoutRepeats(newer);
  }
  const places = new Map(known.map((item, index) => [itemKey(item), index]));
  let last = -1;
  let isSameList = false;
  // An item that is the same stays the same object, by which others know that nothing about it has changed.
  const kept = newer.map((item) => {
    const place = places.get(itemKey(item)) ?? -1;
    last = Math.max(last, place);
    const before = known[place];
    const isSameItem = before !== undefined && isDeepStrictEqual(before, item);
    isSameList ||= isSameItem;
    return isSameItem ? before : item;
  });
  if (last < 0) {
    return undefined;
  }
  return withoutRepeats(isSameList ? [...kept, ...known.slice(last + 1)] : newer);
}

function isTooMuch(items: readonly FeedItem[]): boolean {
  let length = 0;
  return items.length > mostItems || items.some((item) => (length += lengthOf(item)) > mostLength);
}

const lengths = new WeakMap<FeedItem, number>();

function lengthOf(item: FeedItem): number {
  const length = lengths.get(item) ?? JSON.stringify('id' in item ? item : item.raw).length;
  lengths.set(item, length);
  return length;
}

/** Events that happened meanwhile push older ones to the next page, where they come a second time. */
function withoutRepeats(items: readonly FeedItem[]): FeedItem[] {
  const seen = new Set<number>();
  // An item without an id may equal another one; it is rather shown twice than not at all.
  return items.filter((item) => !('id' in item) || (!seen.has(item.id) && seen.add(item.id)));
}

const keys = new WeakMap<FeedItem, string>();

/** The identity of an item: its id, or else its whole content. */
export function itemKey(item: FeedItem | undefined): number | string | undefined {
  if (item === undefined || 'id' in item) {
    return item?.id;
  }
  const key = keys.get(item) ?? `raw-${sha256(JSON.stringify(item.raw), 'base64url')}`;
  keys.set(item, key);
  return key;
}

function isSame(items: readonly FeedItem[], others: readonly FeedItem[]): boolean {
  return items.length === others.length && items.every((item, index) => item === others[index]);
}
