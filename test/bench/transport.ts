import { startEventServer } from './events.ts';
import { medianRatio, medianTime } from './measure.ts';
import { measureInHost } from './measuredHost.ts';
import type { Part } from './report.ts';
import type { TransportMeasurements } from './transportHost.ts';

/** The API client over the editor's `fetch`, beside a bare loop of it. */
export async function bench(folder: string): Promise<Part> {
  await using server = await startEventServer(0);
  const measured = await measureInHost('transportHost.ts', folder, { env: { BEACON_BENCH_SERVER: server.origin } });
  const { times, connections } = measured as TransportMeasurements;
  const rounds = new Map(times);
  return {
    title: "The editor's fetch",
    about: `10,000 events in pages of 100, one after the other without latency, in the extension host of a real workbench: the client, which validates every record, and a loop of the editor's \`fetch\` and \`json()\` along the links.`,
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
