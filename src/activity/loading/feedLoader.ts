import { inspect } from 'node:util';
import type { OpenFeed } from '../feeds/openFeed.ts';
import { filterId } from '../filters/filter.ts';
import type { ReadState } from '../reading/readState.ts';
import type { FeedStore, SavedFeedKey } from '../store/feedStore.ts';
import type { Projects } from './projects.ts';

/** What loading needs besides the feeds. */
export interface FeedLoaderOptions {
  readonly projects: Projects;
  readonly readState: ReadState;
  readonly store: FeedStore;
  /** Shows that something is under way as long as it is. */
  readonly withProgress: (step: () => Promise<void>) => PromiseLike<void>;
  /** Told after what a feed holds has changed, or what is known of its projects. */
  readonly onChange: (open: OpenFeed, what: 'events' | 'projects') => void;
  readonly log: { error(message: string): void };
}

/** Loads feeds from the instance and from disk, and what belongs to them: the names of their projects. */
export class FeedLoader {
  readonly #options: FeedLoaderOptions;
  readonly #restored = new WeakMap<OpenFeed, Promise<void>>();

  constructor(options: FeedLoaderOptions) {
    this.#options = options;
  }

  /** Shows what is kept of a feed, if nothing newer is there. */
  async restore(open: OpenFeed): Promise<void> {
    const restored = this.#restored.get(open) ?? this.#restore(open);
    this.#restored.set(open, restored);
    await restored;
  }

  /** Loads what is new, with progress. A failure is in the feed's state. */
  async refresh(open: OpenFeed): Promise<void> {
    await this.#options.withProgress(async () => {
      await this.check(open);
    });
  }

  /**
   * Loads what is new, in silence.
   *
   * @returns whether anything has changed.
   */
  async check(open: OpenFeed): Promise<boolean> {
    const changed = await open.loaded.refresh();
    await this.#settle(open, changed);
    return changed;
  }

  /** Loads the next page of older events, with progress. A failure is in the feed's state. */
  async loadMore(open: OpenFeed): Promise<void> {
    await this.#options.withProgress(async () => {
      await open.loaded.loadMore();
      await this.#settle(open, true);
    });
  }

  /**
   * Takes over what another window has loaded.
   *
   * @returns whether anything has changed.
   */
  async adopt(open: OpenFeed): Promise<boolean> {
    const { store } = this.#options;
    const [keptAt, known] = [await store.checkedAt(keyOf(open)), open.state.checkedAt];
    const isNewer = keptAt !== undefined && (known === undefined || keptAt > known);
    const saved = isNewer ? await store.read(keyOf(open)) : undefined;
    if (!saved) {
      return false;
    }
    this.#options.projects.restore(open.feed.accountId, saved.projects);
    open.restoreInstanceUrl(saved.instanceUrl);
    const changed = open.loaded.adopt(saved.items, saved.checkedAt);
    if (changed) {
      this.#options.onChange(open, 'events');
    }
    return changed;
  }

  async #restore(open: OpenFeed): Promise<void> {
    const saved = await this.#options.store.read(keyOf(open));
    if (saved && open.state.items.length === 0 && !open.state.loaded) {
      this.#options.projects.restore(open.feed.accountId, saved.projects);
      open.restoreInstanceUrl(saved.instanceUrl);
      open.loaded.restore(saved.items, saved.checkedAt);
      this.#options.onChange(open, 'events');
    }
  }

  async #settle(open: OpenFeed, changed: boolean): Promise<void> {
    const { log, onChange, projects, readState } = this.#options;
    const { error, loaded, items } = open.state;
    if (error !== undefined && changed) {
      log.error(inspect(error));
    }
    if (loaded) {
      await readState.begin(open.id, items);
    }
    if (changed) {
      onChange(open, 'events');
    }
    await this.#save(open, changed);
    // The events do not wait for their projects.
    if (await projects.learn(open.feed.accountId, open.projectIds)) {
      onChange(open, 'projects');
      await this.#save(open, true);
    }
  }

  async #save(open: OpenFeed, changed: boolean): Promise<void> {
    const { items, checkedAt, loaded, error } = open.state;
    const { instanceUrl } = open;
    if (!loaded || error !== undefined || checkedAt === undefined || instanceUrl === undefined) {
      return;
    }
    const { store, projects } = this.#options;
    await (changed
      ? store.write(keyOf(open), {
          checkedAt,
          instanceUrl,
          items,
          projects: projects.among(open.feed.accountId, open.projectIds),
        })
      : store.touch(keyOf(open), checkedAt));
  }
}

/** Under which name a feed with its filter is kept, and polled by one window for all. */
export function keyOf({ feed: { accountId }, id, filter }: OpenFeed): SavedFeedKey {
  return { accountId, name: `${id} ${filterId(filter)}` };
}
