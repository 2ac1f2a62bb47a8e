import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInHost } from '../../scripts/workbench/runInHost.ts';
import { bundleProduct } from '../soak/productBundle.ts';
import { freePort, prepareWorkspace } from '../soak/workspace.ts';
import type { HourMeasurement } from './hourHost.ts';
import type { Part, Result } from './report.ts';

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
export async function benchHour(): Promise<Part> {
  const measurements = await measureHours();
  const feeds = Math.max(...measurements.map((one) => one.feeds));
  return {
    title: 'An hour with everything open',
    about: `The whole extension in a real extension host, with a clock of its own, against the sandbox: two accounts on one instance, ${feeds} feeds in the Activity view, the client keys of all projects, the page of notification settings, in a window that has the focus. The heap is that of the extension host with the sandbox in it, after a garbage collection.`,
    results: measurements.flatMap(resultsOf),
  };
}

function resultsOf({ name, requests, events, heap: [before, after] }: HourMeasurement): Result[] {
  const growth = after - before;
  return [
    {
      what: `requests with ${situations[name]} to ${mostRequests}`,
      ratio: requests / mostRequests,
      bound: { atMost: 1 },
      times: `${requests} requests`,
      isCount: true,
    },
    {
      what: `growth of the heap with ${situations[name]} to ${mostGrowth} MB`,
      ratio: growth / mostGrowth,
      bound: { atMost: 1 },
      times: `${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after, ${events} events shown then`,
      isCount: true,
    },
  ];
}

async function measureHours(): Promise<readonly HourMeasurement[]> {
  const profile = await mkdtemp(join(tmpdir(), 'beacon-bench-'));
  const [extension, workspace, results] = ['extension', 'workspace', 'results.json'].map((name) =>
    join(profile, name),
  ) as [string, string, string];
  await bundleProduct(extension, 'test/bench/hourHost.ts');
  const port = await freePort();
  await prepareWorkspace(workspace, port);
  let error = '';
  try {
    const code = await runInHost({
      folder: workspace,
      profile,
      settings: { 'workbench.reduceMotion': 'on' },
      env: {
        BEACON_SOAK_PORT: String(port),
        BEACON_SOAK_RESULTS: results,
        BEACON_SOAK_TRACE: process.env['BEACON_SOAK_TRACE'] ?? '',
      },
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
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}
