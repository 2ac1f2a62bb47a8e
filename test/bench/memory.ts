import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { run } from '../../scripts/processes.ts';
import { projectRoot } from '../../scripts/project.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { answerSignIn } from '../support/signIn.ts';
import { runCommand } from '../support/workbench.ts';
import { packagedExtension } from '../../scripts/packaging.ts';
import { median } from './measure.ts';
import { MeasuredWorkbench } from './measuredWorkbench.ts';
import type { Part, Result } from './report.ts';
import { type MemoryMeasurement, packTrivialExtension, trivialCommands } from './trivialExtension.ts';

const rounds = 5;
const megabyte = 1024 * 1024;
const mostMegabytes = 15;
const mostResident = 22;
/** So long a window is left alone before it is measured, in milliseconds. */
const quiet = 5000;

/** What the extension takes of the memory of its extension host, above a trivial extension. */
export async function benchMemory(): Promise<Part> {
  await run(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'package.ts')], { stdio: 'ignore' });
  const folder = await mkdtemp(join(tmpdir(), 'beacon-trivial-'));
  const trivial = await packTrivialExtension(folder);
  const sandbox = await startSandbox();
  const without = await MeasuredWorkbench.start([trivial], true);
  const withBeacon = await MeasuredWorkbench.start([trivial, packagedExtension], true);
  const differences: Record<'unused' | 'inUse', MemoryMeasurement[]> = { unused: [], inUse: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const base = await measureWindow(without);
      differences.unused.push(difference(await measureWindow(withBeacon), base));
      differences.inUse.push(difference(await measureWindow(withBeacon, (page) => use(page, sandbox)), base));
    }
  } finally {
    await without.stop();
    await withBeacon.stop();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
  return {
    title: 'Memory',
    about: `The memory of an extension host with a trivial extension and Beacon less that of one with the trivial extension alone, after a garbage collection, over ${rounds} pairs of windows: JavaScript objects and what belongs to them outside of the heap, and the resident set. Unused means that the window was opened and nobody looked at Beacon; idle in use that one has signed in, and the feed and the client keys are shown.`,
    results: [
      resultOf('unused', differences.unused),
      resultOf('idle in use', differences.inUse),
      residentResult(differences.inUse),
    ],
  };
}

/** It depends on when memory is given back, and so it is no count. */
function residentResult(differences: readonly MemoryMeasurement[]): Result {
  const resident = median(differences.map(({ rss }) => rss)) / megabyte;
  return {
    what: `resident, idle in use, to ${mostResident} MB`,
    ratio: resident / mostResident,
    bound: { atMost: 1 },
    times: `${resident.toFixed(1)} MB`,
  };
}

function resultOf(what: string, differences: readonly MemoryMeasurement[]): Result {
  const objects = median(differences.map(({ heapUsed, external }) => heapUsed + external)) / megabyte;
  return {
    what: `${what} to ${mostMegabytes} MB`,
    ratio: objects / mostMegabytes,
    bound: { atMost: 1 },
    times: `${objects.toFixed(1)} MB`,
    isCount: true,
  };
}

function difference(one: MemoryMeasurement, other: MemoryMeasurement): MemoryMeasurement {
  return {
    heapUsed: one.heapUsed - other.heapUsed,
    external: one.external - other.external,
    rss: one.rss - other.rss,
  };
}

async function measureWindow(
  workbench: MeasuredWorkbench,
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<MemoryMeasurement> {
  const page = await workbench.open();
  await prepare(page);
  await setTimeout(quiet);
  const measured = await workbench.measure(page, trivialCommands.measureMemory);
  await page.context().close();
  return measured as MemoryMeasurement;
}

async function use(page: Page, sandbox: Sandbox): Promise<void> {
  await page.getByRole('tab', { name: 'Beacon' }).click();
  await runCommand(page, 'Beacon: Sign In…');
  await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
  await page
    .getByRole('treeitem', { name: /pushed to/ })
    .first()
    .waitFor();
}
