import { setImmediate } from 'node:timers/promises';

/** The longest time in milliseconds that work holds the thread before others get their turn. */
const turn = 8;

/** Breaks long work up, so that whoever else runs in the process, such as the typing of a person, need not wait for it. */
export class Pace {
  readonly #turn: number;
  #turnEnds: number;

  /** @param longest how many milliseconds the work holds the thread. */
  constructor(longest = turn) {
    this.#turn = longest;
    this.#turnEnds = performance.now() + longest;
  }

  /** Lets others run if this work has had its turn; costs next to nothing otherwise. */
  async rest(): Promise<void> {
    if (performance.now() >= this.#turnEnds) {
      await setImmediate();
      this.#turnEnds = performance.now() + this.#turn;
    }
  }
}
