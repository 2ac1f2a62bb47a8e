import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { playDay } from '../test/soak/playDay.ts';
import { bundleProduct } from '../test/soak/productBundle.ts';
import { type DayResult, reportOf, tableOf, violationsOf } from '../test/soak/report.ts';
import { endWith, readOptions } from './options.ts';
import { temporaryFolder } from './processes.ts';
import { projectRoot } from './project.ts';
import { installCodeServer } from './workbench/codeServer.ts';

const help = `Usage: npm run soak [-- options]
Plays working days in a real extension host; fails where what has to hold then does not.
  --seed N      the day of one seed
  --seeds N     the days of the seeds from 1 to N, written to test/soak/results.md (default 3, not written)
  --trace FILE  records what is done and asked for`;
const { values: options } = readOptions(help, {
  options: { seed: { type: 'string' }, seeds: { type: 'string' }, trace: { type: 'string' } },
});
const count = Number(options.seeds ?? 3);
const seeds =
  options.seed === undefined ? Array.from({ length: count }, (_, index) => index + 1) : [Number(options.seed)];
if (seeds.length === 0 || seeds.some((seed) => !Number.isSafeInteger(seed) || seed < 1)) {
  endWith('--seed and --seeds take whole numbers from 1.', help);
}

await using folder = await temporaryFolder();
const extension = join(folder.path, 'extension');
const trace = options.trace === undefined ? undefined : resolve(options.trace);
const results: DayResult[] = [];
const waiting = [...seeds];

/** Plays days until none is left. */
async function play(): Promise<void> {
  for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
    const start = performance.now();
    const result = await playDay(seed, extension, trace).catch((error: Error) => unplayed(seed, error));
    results.push(result);
    results.sort((one, other) => one.seed - other.seed);
    if (options.seeds !== undefined) {
      await writeFile(join(projectRoot, 'test', 'soak', 'results.md'), reportOf(results));
    }
    const seconds = Math.round((performance.now() - start) / 1000);
    console.error(`Seed ${seed}: ${result.violations.length} violations, ${seconds} s`);
    if (result.violations.length > 0) {
      console.error(violationsOf([result]));
    }
  }
}

/** What came of a day that could not be played to its end. */
function unplayed(seed: number, error: Error): DayResult {
  const violations = [{ invariant: 'actions', step: 0, at: 'an unknown time', detail: String(error.stack) }] as const;
  return { seed, hours: 0, actions: 0, requests: 0, mostPerHour: 0, writes: 0, faults: 0, heap: [0, 0], violations };
}

await bundleProduct(extension);
await installCodeServer();
await Promise.all(Array.from({ length: Math.min(seeds.length, availableParallelism()) }, () => play()));
console.log(tableOf(results));
process.exitCode = results.every(({ violations }) => violations.length === 0) ? 0 : 1;
