import type { Violations } from './violations.ts';

const hour = 3_600_000;
const mostRequests = 600;

/** Counts requests, and those of any hour of the simulated day. */
export class Budget {
  readonly #violations: Violations;
  readonly #now: () => number;
  #times: number[] = [];
  count = 0;
  mostPerHour = 0;

  constructor(violations: Violations, now: () => number) {
    this.#violations = violations;
    this.#now = now;
  }

  /** Notes a request. */
  take(): void {
    const now = this.#now();
    this.count += 1;
    this.#times = [...this.#times.filter((time) => time > now - hour), now];
    this.mostPerHour = Math.max(this.mostPerHour, this.#times.length);
    if (this.#times.length === mostRequests + 1) {
      this.#violations.add('budget', `more than ${mostRequests} requests within an hour`);
    }
  }
}
