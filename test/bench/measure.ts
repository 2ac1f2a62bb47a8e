import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/api/client.ts';
import type { EventRecord } from '../../src/api/events.ts';
import type { OpenTransport } from '../../src/api/transport.ts';

/** Something that is measured. */
export interface Contestant {
  readonly name: string;
  /** Runs once. What comes out is kept until the next run, as a program keeps what it shows until it has something newer. */
  run(): Promise<unknown>;
}

/** The client of this project, which reads all events of `startEventServer`. @param prefetch the pages that are in flight. */
export function clientContestant(origin: string, transport: OpenTransport, prefetch: number): Contestant {
  const client = createClient({ instanceUrl: origin, token: 'bench', transport });
  return {
    name: 'client',
    async run() {
      const events: EventRecord[] = [];
      for await (const { items } of client.events.mine({}, { perPage: 100, prefetch })) {
        events.push(...items);
      }
      return expectAll(events);
    },
  };
}

/** @throws Error if they are not all events of `startEventServer`. */
export function expectAll(events: readonly unknown[]): unknown {
  if (events.length !== 10_000) {
    throw new Error(`${events.length} events instead of 10,000`);
  }
  return events;
}

/** How long each contestant took, round by round, in milliseconds. */
export type Rounds = ReadonlyMap<string, readonly number[]>;

/**
 * Measures contestants in batches, so that what slows the machine for a while slows all of them. The order changes from
 * round to round, so that none always profits from the one before it.
 *
 * @param warmUp The rounds before those that count, until the machine code is as good as it gets.
 */
export async function measureInTurns(contestants: readonly Contestant[], rounds: number, warmUp = 10): Promise<Rounds> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  const kept = new Map<Contestant, unknown>();
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const start = performance.now();
      kept.set(contestant, await contestant.run());
      if (round >= 0) {
        times.get(contestant.name)?.push(performance.now() - start);
      }
    }
  }
  return times;
}

/** The median of one contestant's times in relation to another's, of the same rounds. */
export function medianRatio(rounds: Rounds, of: string, to: string): number {
  const others = rounds.get(to) ?? [];
  return median((rounds.get(of) ?? []).map((time, index) => time / (others[index] ?? Number.NaN)));
}

/** The median of one contestant's times in milliseconds. */
export function medianTime(rounds: Rounds, of: string): number {
  return median(rounds.get(of) ?? []);
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/**
 * Does work, and measures how long it keeps the thread between two chances for other tasks, such as what looks at a keystroke, in
 * milliseconds. Time of the processor, so that other programs on the machine do not count.
 */
export async function turnsOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const turns: number[] = [];
  const done = new AbortController();
  const waiting = (async () => {
    while (!done.signal.aborted) {
      const before = process.threadCpuUsage();
      await sleep(1);
      const { user, system } = process.threadCpuUsage(before);
      turns.push((user + system) / 1000);
    }
  })();
  await work().finally(() => done.abort());
  await waiting;
  return turns;
}

/** The 99th percentile of turns, and the longest. */
export function usualAndLongest(turns: readonly number[]): { readonly usual: number; readonly longest: number } {
  const ordered = turns.toSorted((one, other) => one - other);
  return { usual: ordered[Math.floor(ordered.length * 0.99)] ?? Number.NaN, longest: ordered.at(-1) ?? Number.NaN };
}
