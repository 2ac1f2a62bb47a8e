import type { EventRecord } from '../api/events.ts';
import type { Page, PageLink } from '../api/pagination.ts';
import type { UnrecognizedRecord } from '../api/unrecognized.ts';

/** An entry of a feed; one that is no event record is kept, so that nothing is hidden. */
export type FeedItem = EventRecord | UnrecognizedRecord;

/** The part of a page of the API client that a feed reads. */
export type FeedPage = Pick<Page<EventRecord>, 'items' | 'next'>;

/**
 * Requests one page of the feed.
 *
 * @param from the place of the page; undefined for the newest events.
 */
export type RequestPage = (from: PageLink | undefined, signal: AbortSignal) => Promise<FeedPage>;

/** What a feed holds at one moment. */
export interface FeedState {
  /** In the order of the instance. */
  readonly items: readonly FeedItem[];
  readonly loaded: boolean;
  /** The place of the next page; undefined if there is none. */
  readonly next: PageLink | undefined;
  /** Why the last request failed; the items loaded before stay. */
  readonly error?: unknown;
}

const nothingLoaded: FeedState = { items: [], loaded: false, next: undefined };

/** Loads a feed page by page. What was loaded survives a failure. */
export class Feed {
  readonly #request: RequestPage;
  #state = nothingLoaded;
  #abort = new AbortController();
  #loadingMore: Promise<void> | undefined;

  constructor(request: RequestPage) {
    this.#request = request;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Loads the newest page, which takes the place of what was loaded. */
  async refresh(): Promise<void> {
    this.#cancel();
    await this.#load(nothingLoaded);
  }

  /** Loads the next page; callers at the same time share one request. */
  async loadMore(): Promise<void> {
    const { signal } = this.#abort;
    this.#loadingMore ??= this.#load(this.#state).finally(() => {
      if (!signal.aborted) {
        this.#loadingMore = undefined;
      }
    });
    return this.#loadingMore;
  }

  /** Forgets what was loaded, such as for another account. */
  reset(): void {
    this.#cancel();
    this.#state = nothingLoaded;
  }

  /** Loads the page that follows `known`. */
  async #load(known: FeedState): Promise<void> {
    const { signal } = this.#abort;
    try {
      const { items, next } = await this.#request(known.next, signal);
      signal.throwIfAborted();
      this.#state = { items: withoutRepeats([...known.items, ...items]), loaded: true, next };
    } catch (error) {
      if (!signal.aborted) {
        this.#state = { ...this.#state, error };
      }
    }
  }

  #cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#loadingMore = undefined;
  }
}

/** Events that happened meanwhile push older ones to the next page, where they come a second time. */
function withoutRepeats(items: readonly FeedItem[]): FeedItem[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const key = 'id' in item ? item.id : item;
    return !seen.has(key) && seen.add(key);
  });
}
