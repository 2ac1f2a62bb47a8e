import { inspect } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { ProblemError } from '../../accounts/problem.ts';
import type { Clock } from '../../common/clock.ts';
import { loadOnce } from '../../common/commands.ts';
import type { FeedStore, SavedFeedKey } from './feedStore.ts';
import { filterId } from './filter.ts';
import type { OpenFeed } from './openFeeds.ts';
import type { Projects } from './projects.ts';
import type { ReadState } from './readState.ts';
import type { LoadGuard } from './storedFeed.ts';

/** What loading needs besides the feeds. */
export interface FeedLoaderDeps {
  readonly projects: Projects;
  readonly readState: ReadState;
  readonly store: FeedStore;
  readonly clock: Pick<Clock, 'date'>;
  /** Shows progress while a task runs. */
  readonly withProgress: (task: () => Promise<void>) => PromiseLike<void>;
  /** Called after the items of a feed, or what is known of its projects, have changed. */
  readonly onChange: (open: OpenFeed, what: 'events' | 'projects') => void;
  readonly log: { error(message: string): void };
}

/** Loads feeds from the instance and from disk, and what belongs to them: the names of their projects. */
export class FeedLoader {
  readonly #deps: FeedLoaderDeps;
  readonly #restored = new WeakMap<OpenFeed, Promise<void>>();
  readonly #hasLoaded = new WeakSet<OpenFeed>();

  readonly #guard = loadOnce(async () => {
    const { LoadGuard } = await import('./storedFeed.ts');
    return (this.#loadedGuard = new LoadGuard());
  });
  #loadedGuard: LoadGuard | undefined;

  constructor(deps: FeedLoaderDeps) {
    this.#deps = deps;
  }

  /** Shows what is kept of a feed, if nothing newer is there. */
  async restore(open: OpenFeed): Promise<void> {
    const restored = this.#restored.get(open) ?? this.#restore(open);
    this.#restored.set(open, restored);
    await restored;
  }

  /**
   * Whether the process that loaded a feed the last time has ended meanwhile, such as by what the feed holds. The feed's
   * state says so, and it waits until the user asks for it.
   */
  async wasInterrupted(open: OpenFeed): Promise<boolean> {
    const { store } = this.#deps;
    const isSo = !this.#hasLoaded.has(open) && (await (await this.#guard()).wasInterrupted(store.path(feedKey(open))));
    if (isSo) {
      open.loaded.fail(
        new ProblemError({
          sentence: vscode.l10n.t('The editor stopped while it loaded this feed, so it is not loaded by itself.'),
        }),
      );
      this.#deps.onChange(open, 'events');
    }
    return isSo;
  }

  /** Loads what is new, with progress. A failure is in the feed's state. */
  async refresh(open: OpenFeed): Promise<void> {
    await this.#deps.withProgress(async () => {
      await this.check(open);
    });
  }

  /**
   * Loads what is new, in silence.
   *
   * @returns whether anything has changed.
   */
  async check(open: OpenFeed): Promise<boolean> {
    return await this.#marked(open, async () => {
      const changed = await open.loaded.refresh();
      await this.#settle(open, changed);
      return changed;
    });
  }

  /** Loads the next page of older events, with progress. A failure is in the feed's state. */
  async loadMore(open: OpenFeed): Promise<void> {
    await this.#deps.withProgress(async () => {
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
    const { store } = this.#deps;
    const [keptAt, known] = [await store.checkedAt(feedKey(open)), open.state.checkedAt];
    // A time in the future means that the clock was set back since.
    const isNewer = keptAt !== undefined && (known === undefined || keptAt > known || known > this.#deps.clock.date());
    const saved = isNewer ? await store.read(feedKey(open)) : undefined;
    if (!saved) {
      return false;
    }
    this.#deps.projects.restore(open.feed.accountId, saved.projects);
    open.restoreInstanceUrl(saved.instanceUrl);
    const changed = open.loaded.adopt(saved.items, saved.checkedAt);
    if (changed) {
      this.#deps.onChange(open, 'events');
    }
    return changed;
  }

  /** Notes that the editor ends as it should, whatever is being read. */
  dispose(): void {
    this.#loadedGuard?.dispose();
  }

  async #restore(open: OpenFeed): Promise<void> {
    const saved = await this.#marked(open, async () => this.#deps.store.read(feedKey(open)));
    if (saved && open.state.items.length === 0 && !open.state.loaded) {
      this.#deps.projects.restore(open.feed.accountId, saved.projects);
      open.restoreInstanceUrl(saved.instanceUrl);
      open.loaded.restore(saved.items, saved.checkedAt);
      this.#deps.onChange(open, 'events');
    }
  }

  /** Notes on disk that a feed is being read as long as it is: the note of a process that has ended meanwhile is left. */
  async #marked<T>(open: OpenFeed, read: () => Promise<T>): Promise<T> {
    const unmark = await (await this.#guard()).mark(this.#deps.store.path(feedKey(open)));
    try {
      return await read();
    } finally {
      this.#hasLoaded.add(open);
      await unmark();
    }
  }

  async #settle(open: OpenFeed, changed: boolean): Promise<void> {
    const { log, onChange, projects, readState } = this.#deps;
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
    const { store, projects } = this.#deps;
    await (changed
      ? store.write(feedKey(open), {
          checkedAt,
          instanceUrl,
          items,
          projects: projects.among(open.feed.accountId, open.projectIds),
        })
      : store.touch(feedKey(open), checkedAt));
  }
}

/** Under which name a feed with its filter is kept, and polled by one window for all. */
export function feedKey({ feed: { accountId }, id, filter }: OpenFeed): SavedFeedKey {
  return { accountId, name: `${id} ${filterId(filter)}` };
}
