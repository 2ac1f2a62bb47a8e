import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleExtension } from '../../scripts/bundle.ts';
import { projectRoot } from '../../scripts/project.ts';
import { Feed } from '../../src/activity/feed/feed.ts';
import { FeedStore } from '../../src/activity/feed/feedStore.ts';
import { Poller } from '../../src/activity/feed/polling.ts';
import { Projects } from '../../src/activity/feed/projects.ts';
import type { Connection } from '../../src/accounts/connections.ts';
import { createClient } from '../../src/api/client.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { FakeClock } from '../support/fakeClock.ts';
import type { ActivityMeasurements } from './activityHost.ts';
import { median } from './measure.ts';
import { measureInHost } from './measuredHost.ts';
import type { Part } from './report.ts';

/** A task of the window, in milliseconds since 1970. */
interface LongTask {
  readonly start: number;
  readonly duration: number;
}

/** Measures the Activity view: refreshes and first items in a real workbench, and what an idle hour costs. */
export async function benchActivity(): Promise<Part> {
  const { measurements, longTasks } = await measureInWorkbench();
  const { requests, bytes } = await measureIdleHour();
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
  const atMost = (what: string, value: number, limit: number, unit: string) => ({
    what,
    ratio: value / limit,
    bound: { atMost: 1 },
    times: `${Math.round(value)} ${unit}`,
  });
  return {
    title: 'Activity view',
    about:
      'In a real workbench, 10,000 loaded events of 100 days: a refresh that brings three new ones, from the first change that is announced until the editor asks for no more rows, and the longest task of the window meanwhile (medians of ten refreshes); the first rows of 200 events from disk, from the first question for rows. An idle hour of one feed at the default interval is played with a clock of its own; bytes are those of the connection, both ways, with all headers.',
    results: [
      atMost('refresh of 10,000 events to 60 ms', refresh, 60, 'ms'),
      {
        ...atMost('longest task of the window during a refresh to 50 ms', median(longest), 50, 'ms'),
        times: `${Math.round(median(longest))} ms, at worst ${Math.round(Math.max(...longest))} ms (0 for none that the browser calls long)`,
      },
      atMost('first items from disk to 100 ms', firstItems, 100, 'ms'),
      { ...atMost('requests of an idle hour to 60', requests, 60, 'requests'), isCount: true },
      { ...atMost('bytes of an idle hour to 50 KB', bytes, 50_000, 'bytes'), isCount: true },
    ],
  };
}

async function measureInWorkbench(): Promise<{ measurements: ActivityMeasurements; longTasks: readonly LongTask[] }> {
  await bundleExtension('production');
  const profile = await mkdtemp(join(tmpdir(), 'beacon-bench-'));
  const longTasks: LongTask[] = [];
  try {
    const host = { profile, folder: profile, developmentPath: projectRoot, module: 'activityHost.ts' };
    const measurements = await measureInHost(host, {
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
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

/** Plays an hour in which nothing happens. */
async function measureIdleHour(): Promise<{ requests: number; bytes: number }> {
  const sandbox = await startSandbox({ liveEvents: false });
  const counter = await countBytes(Number(new URL(sandbox.url).port));
  let requests = 0;
  const client = createClient({
    instanceUrl: `http://127.0.0.1:${counter.port}`,
    token: sandbox.tokens.owner,
    log: () => (requests += 1),
  });
  const timers = new FakeClock(Date.now());
  const folder = await mkdtemp(join(tmpdir(), 'beacon-bench-'));
  const noEvent = (): { dispose(): void } => ({ dispose: () => undefined });
  const connection = { client, instanceUrl: sandbox.url } as Connection;
  const feed = new Feed(
    { kind: 'mine', accountId: 'sandbox' },
    {},
    {
      ...{ clock: timers, language: 'en' },
      connections: { of: async () => connection },
      projects: new Projects(async () => client),
      store: new FeedStore(folder),
      readState: {
        of: () => ({ readUpTo: undefined, counts: true, onlyNew: false }),
        openedOf: () => new Set(),
        begin: async () => undefined,
        onDidChange: noEvent,
      },
      mutes: { all: [], of: () => new Set(), onDidChange: noEvent },
      ownName: () => undefined,
      showProgress: (task) => task(),
      log: { error: () => undefined },
    },
  );
  await feed.refresh();
  requests = 0;
  counter.bytes = 0;
  const poller = new Poller({
    round: async () => ((await feed.check()) ? 'changed' : 'unchanged'),
    interval: () => 60_000,
    isActive: () => true,
    clock: timers,
  });
  poller.update();
  await timers.pass(3_600_000, () => poller.settled());
  poller.dispose();
  feed.dispose();
  await rm(folder, { recursive: true, force: true });
  await client.close();
  await counter.close();
  await sandbox.close();
  return { requests, bytes: counter.bytes };
}

/** A tunnel to a port that counts what goes through it. */
async function countBytes(to: number): Promise<{ port: number; bytes: number; close(): Promise<void> }> {
  const server = createServer((incoming) => {
    const outgoing = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      one.on('data', (data) => {
        tunnel.bytes += data.length;
        other.write(data);
      });
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tunnel = {
    port: (server.address() as AddressInfo).port,
    bytes: 0,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  return tunnel;
}
