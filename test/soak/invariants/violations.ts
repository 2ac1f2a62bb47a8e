/** What has to hold all day, by the names that reports use. */
export const invariants = {
  feeds: 'no event lost or doubled in a feed',
  keys: 'no client key made that no action asked for',
  rotation: 'never without a valid key during a rotation',
  settings: 'no setting changed that nobody changed',
  failures: 'no rejection or exception unhandled',
  unexpected: 'no failure that the product has no words for',
  tokens: 'no token in any output',
  budget: 'at most 600 requests an hour',
  memory: 'memory steady',
  actions: 'every action comes to an end',
} as const;

export type Invariant = keyof typeof invariants;

/** Something that did not hold. */
export interface Violation {
  readonly invariant: Invariant;
  /** The number of the step of the day that was the last one. */
  readonly step: number;
  /** The time of the simulated day. */
  readonly at: string;
  readonly detail: string;
}

/** So many are kept of each invariant: the first ones show what is wrong. */
const mostOfEach = 5;

/** What did not hold on one day. */
export class Violations {
  readonly all: Violation[] = [];
  readonly #moment: () => { readonly step: number; readonly at: string };

  /** @param moment where the day is. */
  constructor(moment: () => { readonly step: number; readonly at: string }) {
    this.#moment = moment;
  }

  add(invariant: Invariant, detail: string): void {
    if (this.all.filter((violation) => violation.invariant === invariant).length < mostOfEach) {
      this.all.push({ invariant, ...this.#moment(), detail });
    }
  }
}
