import type { Clock } from '../../common/clock.ts';

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
