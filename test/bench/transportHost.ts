import { writeFile } from 'node:fs/promises';
import { transportBy } from '../support/clientSamples.ts';
import { editorFetch } from '../../src/platform/node/editorFetch.ts';
import { clientContestant, type Contestant, expectAll, measureInTurns } from './measure.ts';

/** Milliseconds by contestant and round, and how many connections the server had from each in the last round. */
export interface TransportMeasurements {
  readonly times: readonly (readonly [name: string, milliseconds: readonly number[]])[];
  readonly connections: number;
}

/** Runs inside the extension host, whose `fetch` is the editor's; BEACON_BENCH_SERVER names the server of events. */
export async function run(): Promise<void> {
  const origin = process.env['BEACON_BENCH_SERVER'] ?? '';
  const client = () => clientContestant(origin, transportBy(editorFetch), 1);
  const rounds = await measureInTurns([client(), bareContestant(origin)], 31);
  const before = await connectionsOf(origin);
  await client().run();
  const measurements: TransportMeasurements = {
    times: [...rounds],
    connections: (await connectionsOf(origin)) - before,
  };
  await writeFile(process.env['BEACON_BENCH_RESULTS'] ?? '', JSON.stringify(measurements));
}

function bareContestant(origin: string): Contestant {
  return {
    name: 'fetch',
    async run() {
      const events: unknown[] = [];
      for (let next: string | undefined = `${origin}/api/v4/events?per_page=100`; next !== undefined;) {
        const answer: Response = await fetch(next, { headers: { 'private-token': 'bench' } });
        events.push(...((await answer.json()) as unknown[]));
        next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      return expectAll(events);
    },
  };
}

/** How many connections the server has accepted, without the one that asks for it. */
async function connectionsOf(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/connections`);
  return Number(await answer.text());
}
