import type { Clock } from '../../common/clock.ts';

/** Feeds that are polled as often as one would be; more of them share the requests. */
const feedsAtFullPace = 4;
/** While the view is hidden and news are to be told, they are asked for so many times less often. */
const hiddenPace = 5;
/** Milliseconds between two requests on average, whatever is open: what is left of an hour's 600 is for what a user does. */
const shortestGap = 10_000;

/**
 * How long it is from one round of polling to the next.
 *
 * @param seconds what the user has set; 0 or less for never.
 * @param feeds how many are asked for in a round, a request for each.
 * @returns milliseconds; undefined for no polling.
 */
export function pollingInterval(seconds: number, feeds: number, isVisible: boolean): number | undefined {
  if (!(seconds > 0)) {
    return undefined;
  }
  const share = Math.max(1, feeds / feedsAtFullPace);
  return Math.max(shortestGap * Math.max(1, feeds), seconds * 1000 * share * (isVisible ? 1 : hiddenPace));
}

/** How a round of polling went. */
export type Outcome = 'changed' | 'unchanged' | 'failed';

export interface PollerOptions {
  /** Asks for what is new; never rejects. */
  readonly round: () => Promise<Outcome>;
  /** Milliseconds between rounds as long as things change; undefined for no polling. */
  readonly interval: () => number | undefined;
  /** Whether someone could see what is new. */
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
 * Asks again and again: often while things change, seldom while nothing does, and not at all while no one looks. After a
 * pause, such as of a computer that slept, it asks once and not as often as it has missed.
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

  /** Follows a change of the interval or of who looks. */
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

  /** Notes that someone else has just asked, such as the user. */
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
