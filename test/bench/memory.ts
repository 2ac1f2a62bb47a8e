import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { countShownEvents } from '../support/activityView.ts';
import { answerSignIn } from '../support/signIn.ts';
import { runCommand } from '../support/workbench.ts';
import { packagedExtension } from '../../scripts/packaging.ts';
import { median } from './measure.ts';
import { MeasuredWorkbench } from './measuredWorkbench.ts';
import { packExtension } from './packedExtension.ts';
import type { Part, Result } from './report.ts';

const rounds = 5;
const megabyte = 1024 * 1024;
const mostMegabytes = 15;
const mostResident = 22;
const measureMemory = 'Measure Memory';

type Memory = Pick<NodeJS.MemoryUsage, 'heapUsed' | 'external' | 'rss'>;

/** What the extension takes of the memory of its extension host, above a trivial extension. */
export async function benchMemory(): Promise<Part> {
  const folder = await mkdtemp(join(tmpdir(), 'beacon-trivial-'));
  const trivial = await packExtension(folder, 'trivial', { measureMemory });
  const sandbox = await startSandbox();
  const without = await MeasuredWorkbench.start([trivial], true);
  const withBeacon = await MeasuredWorkbench.start([trivial, packagedExtension], true);
  const differences: Record<'unused' | 'inUse', Memory[]> = { unused: [], inUse: [] };
  try {
    const [base, measured] = [await without.open(), await withBeacon.open()];
    for (const state of ['unused', 'inUse'] as const) {
      if (state === 'inUse') {
        await use(measured, sandbox);
      }
      for (let round = 0; round < rounds; round += 1) {
        await without.load(base);
        const before = (await without.measure(base, measureMemory)) as Memory;
        await withBeacon.load(measured);
        if (state === 'inUse') {
          // A window that is loaded at once after the side bar has changed may not know it.
          await runCommand(measured, 'View: Show Beacon');
          await countShownEvents(measured, 1);
        }
        const after = (await withBeacon.measure(measured, measureMemory)) as Memory;
        differences[state].push(difference(after, before));
      }
    }
  } finally {
    await without.stop();
    await withBeacon.stop();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
  return {
    title: 'Memory',
    about: `The memory of an extension host with a trivial extension and Beacon less that of one with the trivial extension alone, once it was idle for a second, after a garbage collection, over ${rounds} pairs of windows: JavaScript objects and what belongs to them outside of the heap, and the resident set. Unused means that the window was opened and nobody looked at Beacon; idle in use that the window was opened by somebody who has signed in, and the feed and the client keys are shown.`,
    results: [
      resultOf('unused', differences.unused),
      resultOf('idle in use', differences.inUse),
      residentResult(differences.inUse),
    ],
  };
}

/** It depends on when memory is given back, and so it is no count. */
function residentResult(differences: readonly Memory[]): Result {
  const resident = median(differences.map(({ rss }) => rss)) / megabyte;
  return {
    what: `resident, idle in use, to ${mostResident} MB`,
    ratio: resident / mostResident,
    bound: { atMost: 1 },
    times: `${resident.toFixed(1)} MB`,
  };
}

function resultOf(what: string, differences: readonly Memory[]): Result {
  const objects = median(differences.map(({ heapUsed, external }) => heapUsed + external)) / megabyte;
  return {
    what: `${what} to ${mostMegabytes} MB`,
    ratio: objects / mostMegabytes,
    bound: { atMost: 1 },
    times: `${objects.toFixed(1)} MB`,
    isCount: true,
  };
}

function difference(one: Memory, other: Memory): Memory {
  return {
    heapUsed: one.heapUsed - other.heapUsed,
    external: one.external - other.external,
    rss: one.rss - other.rss,
  };
}

async function use(page: Page, sandbox: Sandbox): Promise<void> {
  await page.getByRole('tab', { name: 'Beacon' }).click();
  await runCommand(page, 'Beacon: Sign In…');
  await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
}
