import { SignedOutError } from '../../accounts/account.ts';
import { isApiError } from '../../api/errors.ts';
import type { Clock } from '../../common/clock.ts';
import type { Feed } from './feed.ts';
import { isEmptyFilter } from './filter.ts';

/** Up to so many feeds are polled as often as one; more of them share the requests. */
const feedsAtFullRate = 4;
/** While the view is hidden and only notifications need the feeds, the interval is so many times longer. */
const hiddenFactor = 5;
/** Milliseconds between two requests on average, whatever is open: what is left of an hour's 600 is for what a user does. */
const shortestGap = 10_000;

/**
 * The interval between two rounds of polling.
 *
 * @param seconds what the user has set; 0 or less for never.
 * @param feeds how many are asked for in a round, a request for each.
 * @returns milliseconds; undefined for no polling.
 */
export function pollingInterval(seconds: number, feeds: number, isVisible: boolean): number | undefined {
  if (!(seconds > 0)) {
    return undefined;
  }
  const share = Math.max(1, feeds / feedsAtFullRate);
  return Math.max(shortestGap * Math.max(1, feeds), seconds * 1000 * share * (isVisible ? 1 : hiddenFactor));
}

/** How a round of polling went. */
export type Outcome = 'changed' | 'unchanged' | 'failed';

export interface PollerOptions {
  /** Polls all feeds; never rejects. */
  readonly round: () => Promise<Outcome>;
  /** Milliseconds between rounds as long as things change; undefined for no polling. */
  readonly interval: () => number | undefined;
  /** Whether new events could be seen. */
  readonly isActive: () => boolean;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}

/** Without news the time between rounds grows by this, */
const growth = 1.5;
/** up to so many times the interval. */
const mostIdle = 5;
/** After failures it doubles, up to so many times the interval. */
const mostFailing = 15;

/**
 * Polls often while things change, less often while nothing does, and not at all while inactive. After a pause, such as
 * sleep of the computer, it runs one round and does not catch up on missed ones.
 */
export class Poller {
  readonly #options: PollerOptions;
  #cancel: (() => void) | undefined;
  #lastRound: number;
  #factor = 1;
  #running: Promise<void> | undefined;
  #isDisposed = false;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#lastRound = options.clock.now();
  }

  /** To be called after a change of the interval or the activity. */
  update(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { interval, isActive, clock } = this.#options;
    const length = interval();
    if (this.#isDisposed || this.#running !== undefined || length === undefined || !isActive()) {
      return;
    }
    const due = this.#lastRound + length * this.#factor;
    this.#cancel = clock.after(Math.max(0, due - clock.now()), () => {
      this.#cancel = undefined;
      this.#running = this.#run();
    });
  }

  /** To be called after a refresh from elsewhere, such as by the user. */
  restart(): void {
    this.#factor = 1;
    this.#lastRound = this.#options.clock.now();
    this.update();
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
  }

  async #run(): Promise<void> {
    const outcome = await this.#options.round();
    this.#running = undefined;
    this.#lastRound = this.#options.clock.now();
    this.#factor = nextFactor(this.#factor, outcome);
    this.update();
  }
}

function nextFactor(factor: number, outcome: Outcome): number {
  switch (outcome) {
    case 'changed':
      return 1;
    case 'unchanged':
      return Math.min(mostIdle, factor * growth);
    case 'failed':
      return Math.min(mostFailing, factor * 2);
  }
}

/** What polling depends on. */
export interface FeedPollingDeps {
  readonly feeds: { readonly followed: readonly Feed[] };
  readonly clock: Clock;
  /** What the window is like, read each time. */
  readonly window: {
    readonly isFocused: boolean;
    readonly isViewVisible: boolean;
    /** The setting of the interval, in seconds. */
    readonly pollingInterval: number;
  };
  /** Gets each feed that has changed in a round; never rejects. */
  readonly notifier: { readonly isOn: boolean; notify(feed: Feed): Promise<void> };
}

/** Keeps the loaded feeds up to date while the view is in use: of several windows, the one that has the focus. */
export class FeedPolling {
  readonly #deps: FeedPollingDeps;
  readonly #poller: Poller;
  /** What a feed had without its filter when it was last polled with it. */
  readonly #upToDateWith = new WeakMap<Feed, Feed['state']['items']>();

  constructor(deps: FeedPollingDeps) {
    this.#deps = deps;
    const { window, notifier, clock } = deps;
    this.#poller = new Poller({
      round: () => this.#round(),
      interval: () => this.#interval(),
      isActive: () => window.isFocused && (window.isViewVisible || notifier.isOn),
      clock,
    });
    this.#poller.update();
  }

  /** To be called after a change of the settings, the visibility or the window's focus. */
  update(): void {
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
  }

  /** Milliseconds. */
  #interval(): number | undefined {
    const { pollingInterval: seconds, isViewVisible } = this.#deps.window;
    return pollingInterval(seconds, this.#polled.length, isViewVisible);
  }

  /** A feed that was never loaded waits until it is shown; one that cannot succeed waits until something has changed. */
  get #polled(): readonly Feed[] {
    return this.#deps.feeds.followed.filter(({ state }) => state.checkedAt !== undefined && !isHopeless(state.error));
  }

  async #round(): Promise<Outcome> {
    const polled = this.#polled;
    const wholeOf = (feed: Feed): Feed | undefined =>
      polled.find((other) => other !== feed && other.id === feed.id && isEmptyFilter(other.filter));
    const outcomes = await Promise.all(polled.filter((feed) => !wholeOf(feed)).map((feed) => this.#poll(feed)));
    for (const feed of polled) {
      const whole = wholeOf(feed);
      outcomes.push(whole ? await this.#pollFiltered(feed, whole) : 'unchanged');
    }
    return outcomes.includes('changed') ? 'changed' : outcomes.includes('failed') ? 'failed' : 'unchanged';
  }

  /** Nothing comes to a feed with a filter that does not come to it without one: where that has nothing new, nothing is asked. */
  async #pollFiltered(feed: Feed, { state: whole }: Feed): Promise<Outcome> {
    const { checkedAt, error } = feed.state;
    if (!(error || whole.error) && this.#upToDateWith.get(feed) === whole.items) {
      return 'unchanged';
    }
    const outcome = await this.#poll(feed);
    if (feed.state.checkedAt !== checkedAt) {
      this.#upToDateWith.set(feed, whole.items);
    }
    return outcome;
  }

  async #poll(feed: Feed): Promise<Outcome> {
    const changed = await feed.check();
    if (feed.state.error !== undefined) {
      return 'failed';
    }
    if (changed) {
      void this.#deps.notifier.notify(feed);
    }
    return changed ? 'changed' : 'unchanged';
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
