import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInHost } from '../../scripts/workbench/runInHost.ts';
import { bundleProduct } from '../soak/productBundle.ts';
import { freePort, prepareWorkspace } from '../soak/workspace.ts';
import type { HourMeasurement } from './hourHost.ts';
import { limitedCount, type Part, type Result } from './report.ts';

const mostRequests = 600;
/** Megabytes that an hour may leave behind: the events that have come are kept. */
const mostGrowth = 5;
/** Milliseconds after which hours that do not end are ended. */
const deadline = 10 * 60_000;

const situations: Readonly<Record<HourMeasurement['name'], string>> = {
  nothing: 'nothing happening',
  much: '3 events a minute',
  muchAndOften: '3 events a minute and the shortest interval that can be set',
};

/** What an hour costs with everything open that asks the instance for something. */
export async function bench(folder: string): Promise<Part> {
  const measurements = await measureHours(folder);
  const feeds = Math.max(...measurements.map((one) => one.feeds));
  return {
    title: 'An hour with everything open',
    about: `The whole extension in a real extension host, with a clock of its own, against the sandbox: two accounts on one instance, ${feeds} feeds in the Activity view, the client keys of all projects, the page of notification settings, in a window that has the focus. The heap is that of the extension host with the sandbox in it, after a garbage collection.`,
    results: measurements.flatMap(resultsOf),
  };
}

function resultsOf({ name, requests, events, heap: [before, after] }: HourMeasurement): Result[] {
  const situation = situations[name];
  const heap = `${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after, ${events} events shown then`;
  return [
    limitedCount(`requests with ${situation} to ${mostRequests}`, requests, mostRequests, `${requests} requests`),
    limitedCount(`growth of the heap with ${situation} to ${mostGrowth} MB`, after - before, mostGrowth, heap),
  ];
}

async function measureHours(profile: string): Promise<readonly HourMeasurement[]> {
  const [extension, workspace] = [join(profile, 'extension'), join(profile, 'workspace')];
  const results = join(profile, 'results.json');
  await bundleProduct(extension, 'test/bench/hourHost.ts');
  const port = await freePort();
  await prepareWorkspace(workspace, port);
  let error = '';
  const code = await runInHost({
    folder: workspace,
    profile,
    settings: { 'workbench.reduceMotion': 'on' },
    env: { BEACON_SOAK_PORT: String(port), BEACON_SOAK_RESULTS: results },
    developmentPath: extension,
    testsPath: join(extension, 'dist', 'extension.js'),
    viewport: { width: 1200, height: 900 },
    deadline,
    onLog: (type, args) => (error = type === 'error' ? args.map(String).join(' ') : error),
  });
  if (code !== 0) {
    throw new Error(`The hours could not be played: ${error}`);
  }
  return JSON.parse(await readFile(results, 'utf8')) as readonly HourMeasurement[];
}
