import type { Leases } from '#platform/locks.ts';
import * as vscode from 'vscode';
import { SignedOutError } from '../../accounts/account.ts';
import type { Clock } from '../../common/clock.ts';
import { isApiError } from '../../api/errors.ts';
import { loadOnce } from '../../common/commands.ts';
import { type FeedLoader, feedKey } from './feedLoader.ts';
import type { FeedStore } from './feedStore.ts';
import type { OpenFeed, OpenFeeds } from './openFeeds.ts';
import { type Outcome, Poller, pollingInterval } from './polling.ts';

export interface LivePollingOptions {
  readonly feeds: OpenFeeds;
  readonly loader: FeedLoader;
  readonly store: FeedStore;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock that all windows share; the machine's uptime if not given. */
  readonly machineTime?: () => number;
  /** Whether the window has the focus. */
  readonly isFocused: () => boolean;
  /** Whether the view is visible. */
  readonly isVisible: () => boolean;
  /** Whether to notify of new events even while the view is hidden. */
  readonly isNotifying: () => boolean;
  /** Called with each feed that has changed in a round. */
  readonly onNews: (open: OpenFeed) => void;
}

/**
 * Keeps the loaded feeds up to date while the view is in use: one window polls each feed for all, and the others read what
 * it has written to disk.
 */
export class LivePolling implements vscode.Disposable {
  readonly #options: LivePollingOptions;
  readonly #poller: Poller;
  readonly #leases = loadOnce(async () => {
    const { Leases } = await import('#platform/locks.ts');
    return (this.#loadedLeases = new Leases(this.#options.machineTime));
  });
  #loadedLeases: Leases | undefined;
  readonly #watcher: vscode.Disposable;

  constructor(options: LivePollingOptions) {
    this.#options = options;
    this.#poller = new Poller({
      round: () => this.#round(),
      interval: () => this.#interval(),
      isActive: () => options.isFocused() && (options.isVisible() || options.isNotifying()),
      clock: options.clock,
    });
    this.#watcher = options.store.watch((path) => void this.#adopt(path));
    this.#poller.update();
  }

  /** To be called after a change of the settings, the visibility or the window's focus. */
  update(): void {
    if (!this.#options.isFocused()) {
      void this.#loadedLeases?.releaseAll();
    }
    this.#poller.update();
  }

  /** Notes that the user has just asked for what is new. */
  restart(): void {
    this.#poller.restart();
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#poller.settled();
  }

  dispose(): void {
    this.#poller.dispose();
    this.#watcher.dispose();
    void this.#loadedLeases?.releaseAll();
  }

  /** Milliseconds. */
  #interval(): number | undefined {
    const seconds = vscode.workspace.getConfiguration('beacon.activity').get('pollingInterval', 60);
    return pollingInterval(seconds, this.#polled.length, this.#options.isVisible());
  }

  /** A feed that was never loaded waits until it is shown; one that cannot succeed waits until something has changed. */
  get #polled(): readonly OpenFeed[] {
    return this.#options.feeds.all.filter(({ state }) => state.loaded && !isHopeless(state.error));
  }

  async #round(): Promise<Outcome> {
    const outcomes = await Promise.all(this.#polled.map((open) => this.#poll(open)));
    return outcomes.includes('changed') ? 'changed' : outcomes.includes('failed') ? 'failed' : 'unchanged';
  }

  async #poll(open: OpenFeed): Promise<Outcome> {
    const { loader, store, onNews } = this.#options;
    const interval = this.#interval() ?? 0;
    const hasAdopted = await loader.adopt(open);
    const age = this.#options.clock.date().getTime() - (open.state.checkedAt?.getTime() ?? 0);
    // A time in the future means that the clock was set back since.
    const isDue =
      (age > interval / 2 || age < 0) &&
      (await (await this.#leases()).take(`${store.path(feedKey(open))}.lease`, 2 * interval));
    const changed = (isDue && (await loader.check(open))) || hasAdopted;
    if (open.state.error !== undefined) {
      return 'failed';
    }
    if (changed) {
      onNews(open);
    }
    return changed ? 'changed' : 'unchanged';
  }

  async #adopt(path: string): Promise<void> {
    const { feeds, loader, store, onNews } = this.#options;
    const open = feeds.all.find((candidate) => store.path(feedKey(candidate)) === path);
    if (open?.state.loaded === true && (await loader.adopt(open))) {
      onNews(open);
    }
  }
}

/** Whether asking again changes nothing until the user does something. */
function isHopeless(error: unknown): boolean {
  return (
    error instanceof SignedOutError ||
    (isApiError(error) &&
      ['notSignedIn', 'missingScope', 'missingPermission', 'accountRefused', 'missingRole', 'notFound'].includes(
        error.reason,
      ))
  );
}
