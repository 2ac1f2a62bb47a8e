import { createMiddleware } from 'hono/factory';
import * as z from 'zod';

/** How often a token, or everyone without one, may ask. */
export const rateLimitSchema = z.strictObject({
  /** Requests per minute. */
  limit: z.int().min(0).max(1_000_000),
  /** Who refuses: the platform's throttle, or the application, which says less (JSON, no headers). */
  kind: z.enum(['throttle', 'application']).default('throttle'),
});

/** A limit on requests per minute. */
export type RateLimit = z.input<typeof rateLimitSchema>;

/** Counts the requests of each token in each minute; without a limit, everything passes. */
export class RateLimiter {
  readonly #now: () => Date;
  #limit: RateLimit | undefined;
  #minute = Number.NaN;
  readonly #counts = new Map<string, number>();

  constructor(now: () => Date, limit: RateLimit | undefined) {
    this.#now = now;
    this.#limit = limit;
  }

  /** Sets a new limit, or none, and counts anew. */
  set(limit: RateLimit | undefined): void {
    this.#limit = limit;
    this.#counts.clear();
  }

  /** Refuses requests above the limit, and says in headers how much is left. */
  middleware() {
    return createMiddleware(async (context, next) => {
      if (!this.#limit) {
        return next();
      }
      const { limit, kind } = this.#limit;
      const caller = context.req.header('private-token') ?? context.req.header('authorization') ?? '';
      const seconds = this.#now().getTime() / 1000;
      const reset = (Math.floor(seconds / 60) + 1) * 60;
      const observed = this.#count(caller, reset);
      if (kind === 'application') {
        const error = 'This endpoint has been requested too many times. Try again later.';
        return observed > limit ? context.json({ message: { error } }, 429) : next();
      }
      const headers = {
        'ratelimit-limit': String(limit),
        'ratelimit-name': 'throttle_authenticated_api',
        'ratelimit-observed': String(observed),
        'ratelimit-remaining': String(Math.max(0, limit - observed)),
        'ratelimit-reset': String(reset),
      };
      if (observed > limit) {
        return context.text('Retry later\n', 429, {
          ...headers,
          'retry-after': String(Math.ceil(reset - seconds)),
          'ratelimit-resettime': new Date(reset * 1000).toUTCString(),
        });
      }
      await next();
      for (const [name, value] of Object.entries(headers)) {
        context.res.headers.set(name, value);
      }
    });
  }

  #count(caller: string, minute: number): number {
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return count;
  }
}
