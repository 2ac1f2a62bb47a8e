import type { Clock } from '../common/clock.ts';
import type { Answer } from './transport.ts';

/** Milliseconds that an instance which has refused nothing is believed that no request is left. */
const longestUnrefused = 60_000;

/**
 * The pause that an instance asks for: once it has refused one request for their number, or has said that none is left, all wait.
 *
 * @see https://docs.gitlab.com/security/rate_limits/
 */
export class RateLimitPause {
  readonly #clock: Clock;
  /** By the clock that nobody sets. */
  #until = -Infinity;
  #announced = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds; 0 if requests may go out now. */
  get remaining(): number {
    return Math.max(0, this.#until - this.#clock.now());
  }

  /** To be shown; undefined if requests may go out now, or if the instance did not say. */
  get retryAt(): Date | undefined {
    const { remaining } = this;
    return this.#announced && remaining > 0 ? new Date(this.#clock.date().getTime() + remaining) : undefined;
  }

  /** @param fallback milliseconds to pause after a refusal that does not say for how long. */
  observe(answer: Pick<Answer, 'status' | 'header'>, fallback: number): void {
    const isRefused = answer.status === 429;
    if (!isRefused && answer.header('ratelimit-remaining') !== '0') {
      return;
    }
    const reset = answer.header('ratelimit-reset')?.trim() ?? '';
    const announced =
      (isRefused ? retryAfterOf(answer) : undefined) ??
      (/^\d+$/.test(reset) ? untilDate(Number(reset) * 1000, answer) : undefined);
    // Where nothing was refused, the next request finds out. At once, says a 0 or a date in the past of a refusal, which has just happened.
    const pause = isRefused ? announced || fallback : Math.min(announced ?? 0, longestUnrefused);
    const until = this.#clock.now() + pause;
    if (until > this.#until) {
      this.#until = until;
      this.#announced = announced !== undefined;
    }
  }
}

/** Milliseconds that `Retry-After` asks to wait: it is in seconds, or a date. Undefined if absent or not readable. */
export function retryAfterOf(answer: Pick<Answer, 'header'>): number | undefined {
  const value = answer.header('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) {
    return bounded(Number(value) * 1000);
  }
  // Only text with letters is a date: Date.parse would read `-5` as one.
  return /[a-z]/i.test(value) ? untilDate(Date.parse(value), answer) : undefined;
}

function untilDate(time: number, answer: Pick<Answer, 'header'>): number | undefined {
  // The instance's clock may differ from this machine's: what counts is the time from its now to its then.
  const theirNow = Date.parse(answer.header('date') ?? '');
  return Number.isFinite(time) ? bounded(time - (Number.isFinite(theirNow) ? theirNow : Date.now())) : undefined;
}

/** A day at most: what exceeds it is a mistake, and no date holds the largest numbers. */
function bounded(milliseconds: number): number {
  return Math.min(Math.max(0, milliseconds), 24 * 60 * 60 * 1000);
}
