import type { Connection } from '../../accounts/connections.ts';
import { isUnrecognized } from '../../api/unrecognized.ts';
import { isEmpty, type FeedFilter, passes, requestFilter, type Today } from '../filters/filter.ts';
import { type FeedItem, type FeedState, LoadedFeed } from '../loading/loadedFeed.ts';
import { type Feed, feedId, pagesOf } from './feed.ts';

const eventsPerPage = 50;

/** What decides, besides the filter, which of a feed's events are shown, and which of them are new. */
export interface Reading {
  isNew(feedId: string, item: FeedItem): boolean;
  /** A test for events of an account that are left out. */
  muted(accountId: string): (item: FeedItem) => boolean;
  readonly onlyNew: boolean;
}

/** What an open feed depends on. */
export interface OpenFeedOptions {
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
  readonly #options: OpenFeedOptions;
  #view: { readonly of: readonly FeedItem[]; readonly shown: readonly FeedItem[]; readonly muted: number } | undefined;
  #instanceUrl: string | undefined;

  constructor(feed: Feed, filter: FeedFilter, options: OpenFeedOptions) {
    this.feed = feed;
    this.id = feedId(feed);
    this.filter = filter;
    this.#options = options;
    this.loaded = new LoadedFeed({
      ascending: filter.order === 'asc',
      now: () => options.today().now,
      isShown: (item) => passes(filter, options.today())(item),
      request: async ({ from, etag, signal }) => {
        const { client, instanceUrl } = await options.connect(feed.accountId);
        this.#instanceUrl = instanceUrl;
        const asked = requestFilter(filter, options.today());
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
    return this.#options.reading.isNew(this.id, item);
  }

  /** Whether a filter or "only new" may be why events are not shown. */
  get isNarrowed(): boolean {
    return this.#options.reading.onlyNew || !isEmpty(this.filter);
  }

  /** The ids of the projects of the loaded events. */
  get projectIds(): number[] {
    return [...new Set(this.state.items.flatMap((item) => (isUnrecognized(item) ? [] : (item.project_id ?? []))))];
  }

  /** Has what is shown worked out anew, because what is muted or read has changed. */
  invalidate(): void {
    this.#view = undefined;
  }

  get #current() {
    const { items } = this.state;
    if (this.#view?.of !== items) {
      const { reading, today } = this.#options;
      const isMuted = reading.muted(this.feed.accountId);
      const passing = items.filter(passes(this.filter, today()));
      const heard = passing.filter((item) => !isMuted(item));
      const shown = reading.onlyNew ? heard.filter((item) => this.isNew(item)) : heard;
      this.#view = { of: items, shown, muted: passing.length - heard.length };
    }
    return this.#view;
  }
}
