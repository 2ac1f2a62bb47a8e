import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/project.ts';
import { medianRatio, medianTime } from './measure.ts';
import { measureInHost } from './measuredHost.ts';
import type { Part } from './report.ts';
import type { TransportMeasurements } from './transportHost.ts';

/** The API client over the editor's `fetch`, beside a bare loop of it. */
export async function benchTransport(): Promise<Part> {
  const { times, connections } = await measureInWorkbench();
  const rounds = new Map(times);
  return {
    title: "The editor's fetch",
    about: `10,000 events in pages of 100, one after the other without latency, in the extension host of a real workbench: the client, which validates every record, and a loop of the editor's \`fetch\` and \`json()\` along the links. The load of the machine was ${loadavg()[0]?.toFixed(1)} in the last minute.`,
    results: [
      {
        what: "client to a bare loop of the editor's fetch",
        ratio: medianRatio(rounds, 'client', 'fetch'),
        bound: { atMost: 1.1 },
        times: `client ${medianTime(rounds, 'client').toFixed(0)} ms, fetch ${medianTime(rounds, 'fetch').toFixed(0)} ms`,
      },
      {
        what: 'connections opened for 100 pages more, one of them read ahead',
        ratio: connections,
        bound: { atMost: 2 },
        times: `${connections}`,
        isCount: true,
      },
    ],
  };
}

async function measureInWorkbench(): Promise<TransportMeasurements> {
  const profile = await mkdtemp(join(tmpdir(), 'beacon-bench-'));
  const server = fork(join(import.meta.dirname, 'eventServer.ts'), ['0']);
  try {
    const [port] = (await once(server, 'message')) as [number];
    process.env['BEACON_BENCH_SERVER'] = `http://127.0.0.1:${port}`;
    const host = { profile, folder: profile, developmentPath: projectRoot, module: 'transportHost.ts' };
    return (await measureInHost({ ...host, deadline: 240_000 })) as TransportMeasurements;
  } finally {
    delete process.env['BEACON_BENCH_SERVER'];
    const exited = once(server, 'exit');
    server.kill();
    await exited;
    await rm(profile, { recursive: true, force: true });
  }
}
