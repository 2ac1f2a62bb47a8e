import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { countShownEvents } from '../support/activityView.ts';
import { answerSignIn } from '../support/signIn.ts';
import { runCommand } from '../support/workbench.ts';
import { packagedExtension } from '../../scripts/packaging.ts';
import { median } from './measure.ts';
import { MeasuredWorkbench } from './measuredWorkbench.ts';
import { packExtension } from './packedExtension.ts';
import { limited, limitedCount, type Part } from './report.ts';

const rounds = 5;
const megabyte = 1024 * 1024;
const mostMegabytes = 15;
const mostResident = 22;
const measureMemory = 'Measure Memory';

type Memory = Pick<NodeJS.MemoryUsage, 'heapUsed' | 'external' | 'rss'>;

/** What the extension takes of the memory of its extension host, above a trivial extension. */
export async function bench(folder: string): Promise<Part> {
  const trivial = await packExtension(folder, 'trivial', { measureMemory });
  await using left = new AsyncDisposableStack();
  const sandbox = await startSandbox();
  left.defer(() => sandbox.close());
  const without = left.use(await MeasuredWorkbench.start([trivial], true));
  const withBeacon = left.use(await MeasuredWorkbench.start([trivial, packagedExtension], true));
  /** By what is measured, in megabytes. */
  const differences: Record<'unused' | 'inUse' | 'resident', number[]> = { unused: [], inUse: [], resident: [] };
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
      differences[state].push((objects(after) - objects(before)) / megabyte);
      if (state === 'inUse') {
        differences.resident.push((after.rss - before.rss) / megabyte);
      }
    }
  }
  const [unused, inUse, resident] = [differences.unused, differences.inUse, differences.resident].map(median);
  const measurement = (what: string, value = Number.NaN, limit = mostMegabytes) =>
    [`${what} to ${limit} MB`, value, limit, `${value.toFixed(1)} MB`] as const;
  return {
    title: 'Memory',
    about: `The memory of an extension host with a trivial extension and Beacon less that of one with the trivial extension alone, once it was idle for a second, after a garbage collection, over ${rounds} pairs of windows: JavaScript objects and what belongs to them outside of the heap, and the resident set. Unused means that the window was opened and nobody looked at Beacon; idle in use that the window was opened by somebody who has signed in, and the feed and the client keys are shown.`,
    results: [
      limitedCount(...measurement('unused', unused)),
      limitedCount(...measurement('idle in use', inUse)),
      // It depends on when memory is given back, and so it is no count.
      limited(...measurement('resident, idle in use,', resident, mostResident)),
    ],
  };
}

function objects({ heapUsed, external }: Memory): number {
  return heapUsed + external;
}

async function use(page: Page, sandbox: Sandbox): Promise<void> {
  await page.getByRole('tab', { name: 'Beacon' }).click();
  await runCommand(page, 'Beacon: Sign In…');
  await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
}
