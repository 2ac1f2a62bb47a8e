import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { bundleExtension } from '../../scripts/bundle.ts';
import { countShownEvents } from '../support/activityView.ts';
import { bundleSizes, sizeBudgets } from '../support/sizes.ts';
import { runCommand } from '../support/workbench.ts';
import { packagedExtension } from '../../scripts/packaging.ts';
import { median } from './measure.ts';
import { MeasuredWorkbench } from './measuredWorkbench.ts';
import { packExtension } from './packedExtension.ts';
import { limitedCount, type Part, type Result } from './report.ts';
import type { ActivationMeasurement } from './trivialHost.ts';

const rounds = 5;
const [beacon, trivial, peer] = ['Beacon for GitLab', 'trivial', 'GitHub'];
const measureTask = 'Measure Task';

/** How long loading and activating takes beside a trivial extension and those of the editor, and what is loaded and shipped. */
export async function bench(folder: string): Promise<Part> {
  const trivialExtension = await packExtension(folder, trivial, { measureTask });
  const { times: atStart } = await measureWindows('atStart', trivialExtension);
  const { times: alone, tasks: signedOut } = await measureWindows('signedOut', trivialExtension);
  const { tasks: signedIn } = await measureWindows('signedIn', trivialExtension);
  const unit = median(alone.get(peer) ?? []);
  // `dist` of the project may hold what a watch build or a test has left there.
  await bundleExtension('production', folder);
  const { activation, app, javaScript } = await bundleSizes(join(folder, 'dist'));
  const { size: vsix } = await stat(packagedExtension);
  return {
    title: 'Activation and sizes',
    about: `The packaged extension, a trivial one that registers two commands, and the built-in ones, over ${rounds} windows: loading and activating, in whole milliseconds as the editor counts them. Alone means that it is activated when the extension host was idle for a second. What follows in tasks of their own is not in these times and has rows: the longest of those that follow one another, in the same windows, and in as many with the sandbox in use. At the start of a window many extensions activate in turns, and the editor counts for each what others do in between; this is here to compare with the built-in ones. Sizes are bytes of what is shipped, without the sandbox and undici for the JavaScript.`,
    results: [
      {
        what: `load and activate alone to ${peer}`,
        ratio: median(alone.get(beacon) ?? []) / unit,
        bound: { atMost: 0.1 },
        times: timesText(alone),
      },
      {
        what: 'load and activate at the start of a window to the slowest that is built in',
        ratio: median(atStart.get(beacon) ?? []) / slowestBuiltIn(atStart),
        bound: { atMost: 1 },
        times: timesText(atStart),
      },
      taskResult('signed out', signedOut, unit, 0.15),
      taskResult('signed in', signedIn, unit, 0.4),
      sizeResult('what every window loads', activation, sizeBudgets.activation),
      sizeResult(
        'what a window had loaded a second later, signed out',
        Math.max(...signedOut.map(({ loaded }) => loaded)),
        sizeBudgets.activation,
      ),
      sizeResult('what a window loads besides', app, sizeBudgets.app),
      sizeResult('all JavaScript', javaScript, sizeBudgets.javaScript),
      sizeResult('the package', vsix, sizeBudgets.vsix),
    ],
  };
}

type Times = ReadonlyMap<string, readonly number[]>;

function slowestBuiltIn(times: Times): number {
  return Math.max(
    ...[...times].filter(([name]) => ![beacon, trivial].includes(name)).map(([, values]) => median(values)),
  );
}

function timesText(times: Times): string {
  const own = times.get(beacon) ?? [];
  const others = [...times].filter(([name]) => name !== beacon).map(([name, values]) => `${name} ${median(values)} ms`);
  return `Beacon ${median(own)} ms (${own.join(', ')}); ${others.join(', ')}`;
}

function taskResult(who: string, measured: readonly ActivationMeasurement[], unit: number, atMost: number): Result {
  const tasks = measured.map(({ longestTask }) => longestTask);
  return {
    what: `the task after activation, ${who}, to activating ${peer}`,
    ratio: median(tasks) / unit,
    bound: { atMost },
    times: `${median(tasks).toFixed(1)} ms (${tasks.map((time) => time.toFixed(1)).join(', ')})`,
  };
}

function sizeResult(what: string, bytes: number, budget: number): Result {
  return limitedCount(`${what} to ${budget / 1024} KB`, bytes, budget, `${bytes} bytes`);
}

/** What is measured in windows of one kind: a value for each window. */
interface Measured {
  /** The activation times of each extension by its name. */
  readonly times: Times;
  readonly tasks: readonly ActivationMeasurement[];
}

/** @param kind at the start of a window the extensions activate by themselves; else one after the other, in a window that is idle. */
async function measureWindows(kind: 'atStart' | 'signedOut' | 'signedIn', trivialExtension: string): Promise<Measured> {
  await using workbench = await MeasuredWorkbench.start([packagedExtension, trivialExtension], kind === 'atStart');
  const times = new Map<string, number[]>();
  const tasks: ActivationMeasurement[] = [];
  // The first window fills the caches of the editor and does not count.
  const page = await workbench.open();
  if (kind === 'signedIn') {
    await runCommand(page, 'Beacon: Try Sandbox');
    await countShownEvents(page, 1);
    // A view that is in sight would activate it first.
    await runCommand(page, 'View: Show Explorer');
  }
  for (let round = 0; round < rounds; round += 1) {
    await workbench.load(page);
    if (kind !== 'atStart') {
      tasks.push((await workbench.measure(page, measureTask)) as ActivationMeasurement);
    }
    if (kind !== 'signedIn') {
      const shown = await readRunningExtensions(page);
      shown.forEach(([name, time]) => times.set(name, [...(times.get(name) ?? []), time]));
    }
  }
  return { times, tasks };
}

/** What the editor itself shows of the extensions that run in its window. */
async function readRunningExtensions(page: Page): Promise<readonly (readonly [string, number])[]> {
  await runCommand(page, 'Developer: Show Running Extensions');
  const rows = page.locator('.runtime-extensions-editor .extension');
  for (const name of [beacon, trivial]) {
    await rows
      .filter({ hasText: name })
      .filter({ hasText: /Activation: \d+ms/ })
      .first()
      .waitFor();
  }
  const times: (readonly [string, number])[] = [];
  for (const row of await rows.all()) {
    const name = (await row.locator('.name').textContent()) ?? '';
    const milliseconds = /Activation: (\d+)ms/.exec((await row.locator('.activation-time').textContent()) ?? '')?.[1];
    if (milliseconds !== undefined) {
      times.push([name, Number(milliseconds)]);
    }
  }
  return times;
}
