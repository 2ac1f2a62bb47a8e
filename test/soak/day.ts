import { Random } from '../../src/sandbox/state/random.ts';

/** What happens in a step of the day. */
export type StepKind =
  /** The user at this window uses the product. */
  | 'user'
  /** Someone changes settings on the instance itself. */
  | 'elsewhere'
  /** Events happen in projects. */
  | 'events'
  | 'fault'
  /** The network is away for long. */
  | 'offline'
  | 'revokeToken'
  | 'moveProject'
  | 'deleteProject'
  /** The computer sleeps. */
  | 'sleep'
  /** The clock of the computer is set wrong for a while. */
  | 'clock'
  /** The user works in another window. */
  | 'away'
  /** Everything works for a while, and what is shown is compared with what there is. */
  | 'calm';

/** A step of the day, with a seed of its own: what it does depends on nothing that happened before. */
export interface Step {
  readonly number: number;
  /** Milliseconds since the start of the day, without those that steps before it have taken. */
  readonly at: number;
  readonly kind: StepKind;
  readonly seed: number;
}

const minute = 60_000;
const hour = 60 * minute;

/** How long a day is, without sleep and calm hours, in milliseconds. */
const dayLength = 8 * hour;

/** How long it takes on average until a step of a kind comes again, in milliseconds. */
const rates: readonly (readonly [StepKind, number])[] = [
  ['user', 80_000],
  ['elsewhere', 60 * minute],
  ['events', 4 * minute],
  ['fault', 9 * minute],
  ['revokeToken', 4 * hour],
  ['moveProject', 4 * hour],
  ['sleep', 3 * hour],
  ['away', 100 * minute],
  ['clock', 2.5 * hour],
];

/** The steps of a day: the same seed makes the same day. */
export function planDay(seed: number): readonly Step[] {
  const random = new Random(seed * 7919);
  const steps: Omit<Step, 'number'>[] = [];
  const add = (kind: StepKind, at: number): void =>
    void steps.push({ kind, at: Math.round(at), seed: random.integer(1, 2 ** 31) });
  for (const [kind, average] of rates) {
    for (let at = gap(random, average); at < dayLength; at += gap(random, average)) {
      add(kind, at);
    }
  }
  add('offline', random.integer(hour, dayLength - 2 * hour));
  add('deleteProject', random.integer(hour, dayLength));
  for (const at of [1.5 * hour, 4 * hour, 6 * hour, dayLength]) {
    add('calm', at);
  }
  return steps.sort((a, b) => a.at - b.at).map((step, index) => ({ ...step, number: index + 1 }));
}

/** Until something happens that happens at random, once in so many milliseconds on average. */
function gap(random: Random, average: number): number {
  return Math.max(1000, -Math.log(1 - random.next()) * average);
}
