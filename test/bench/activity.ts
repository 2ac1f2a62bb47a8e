import { bundleExtension } from '../../scripts/bundle.ts';
import { TestWindow } from '../support/testWindow.ts';
import type { ActivityMeasurements } from './activityHost.ts';
import { median } from './measure.ts';
import { measureInHost } from './measuredHost.ts';
import { limited, limitedCount, type Part } from './report.ts';

/** A task of the window, in milliseconds since 1970. */
interface LongTask {
  readonly start: number;
  readonly duration: number;
}

/** Measures the Activity view: refreshes and first items in a real workbench, and what an idle hour costs. */
export async function bench(folder: string): Promise<Part> {
  const { measurements, longTasks } = await measureInWorkbench(folder);
  const requests = await measureIdleHour();
  const refresh = median(measurements.refreshes.map(({ took }) => took));
  const firstItems = median(measurements.firstItems);
  const longest = measurements.refreshes.map(({ from, to }) =>
    Math.max(
      0,
      ...longTasks
        .filter(({ start, duration }) => start + duration > from && start < to)
        .map(({ duration }) => duration),
    ),
  );
  return {
    title: 'Activity view',
    about:
      'In a real workbench, 10,000 loaded events of 100 days: a refresh that brings three new ones, from the first change that is announced until the editor asks for no more rows, and the longest task of the window meanwhile (medians of ten refreshes); the first rows of 200 events from disk, from the first question for rows. An idle hour of one feed at the default interval is played with a clock of its own.',
    results: [
      limited('refresh of 10,000 events to 60 ms', refresh, 60, `${Math.round(refresh)} ms`),
      limited(
        'longest task of the window during a refresh to 50 ms',
        median(longest),
        50,
        `${Math.round(median(longest))} ms, at worst ${Math.round(Math.max(...longest))} ms (0 for none that the browser calls long)`,
      ),
      limited('first items from disk to 100 ms', firstItems, 100, `${Math.round(firstItems)} ms`),
      limitedCount('requests of an idle hour to 14', requests, 14, `${requests} requests`),
    ],
  };
}

async function measureInWorkbench(folder: string) {
  await bundleExtension('production');
  const longTasks: LongTask[] = [];
  const measurements = await measureInHost('activityHost.ts', folder, {
    viewport: { width: 1200, height: 1000 },
    prepare: async (page) => {
      await page.exposeFunction('beaconLongTask', (task: LongTask) => longTasks.push(task));
      // Text, because it runs in the browser.
      await page.addInitScript(`new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries()) {
          beaconLongTask({ start: performance.timeOrigin + startTime, duration });
        }
      }).observe({ type: 'longtask' })`);
    },
  });
  return { measurements: measurements as ActivityMeasurements, longTasks };
}

/** Plays an hour in which nothing happens, in a window that has the focus and shows the view. */
async function measureIdleHour(): Promise<number> {
  const window = await TestWindow.open({ signedInAs: 'owner', time: '2026-05-04T09:00:00Z' });
  try {
    await window.until(async () => (await window.rows('beacon.activity')).length > 5);
    await window.advance(120_000);
    const before = window.requests.length;
    await window.advance(3_600_000);
    return window.requests.length - before;
  } finally {
    await window.dispose();
  }
}
