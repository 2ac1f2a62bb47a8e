import { cpus } from 'node:os';
import { invariants, type Violation } from './invariants/violations.ts';

/** What came of a day. */
export interface DayResult {
  readonly seed: number;
  readonly hours: number;
  readonly actions: number;
  /** Requests of the product. */
  readonly requests: number;
  /** The most of them within an hour. */
  readonly mostPerHour: number;
  /** Requests that changed something. */
  readonly writes: number;
  /** Episodes in which something went wrong. */
  readonly faults: number;
  /** Megabytes of the extension host after a garbage collection: when all was calm for the first time, and at the end. */
  readonly heap: readonly [number, number];
  readonly violations: readonly Violation[];
}

/** By their titles, what the columns of the table say. */
const columns: Readonly<Record<string, (result: DayResult) => string | number>> = {
  seed: ({ seed }) => seed,
  'simulated hours': ({ hours }) => hours.toFixed(1),
  actions: ({ actions }) => actions,
  requests: ({ requests }) => requests,
  'most in an hour': ({ mostPerHour }) => mostPerHour,
  writes: ({ writes }) => writes,
  faults: ({ faults }) => faults,
  'heap in MB': ({ heap }) => heap.map((size) => size.toFixed(1)).join(' → '),
  'invariants held': ({ violations }) => {
    const count = Object.keys(invariants).length;
    const violated = new Set(violations.map(({ invariant }) => invariant)).size;
    return violated === 0 ? `${count} of ${count}` : `**${count - violated} of ${count}**`;
  },
};

/** The results as a Markdown table. */
export function tableOf(results: readonly DayResult[]): string {
  const titles = Object.keys(columns);
  const rows = results.map((result) => Object.values(columns).map((cellOf) => cellOf(result)));
  return [titles, titles.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** What did not hold, and how to see it again. */
export function violationsOf(results: readonly DayResult[]): string {
  return results
    .flatMap(({ seed, violations }) =>
      violations.map(
        ({ invariant, step, at, detail }) =>
          `Seed ${seed}, step ${step} at ${at}: "${invariants[invariant]}" does not hold: ${detail}`,
      ),
    )
    .join('\n');
}

/** The report that is kept. */
export function reportOf(results: readonly DayResult[]): string {
  const machine = `Node ${process.versions.node} on ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const list = Object.values(invariants).map((invariant) => `- ${invariant}`);
  return `# Soak

Written by \`npm run soak -- --seeds ${results.length}\`, the last time with ${machine}. Each seed is a working day in a real
extension host against the sandbox: users use the product at random while requests fail, the network goes away, tokens are
revoked, projects move and the computer sleeps. These invariants are checked throughout:

${list.join('\n')}

${tableOf(results)}

A fault is an episode of failing requests, up to hours without a network. Writes are requests that changed something on the
instance. The heap is that of the whole extension host after a garbage collection, when all was calm for the first time and at the end.
`;
}
