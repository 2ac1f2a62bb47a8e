import { writeFile } from 'node:fs/promises';
import { createClient } from '../../src/api/client.ts';
import type { EventRecord } from '../../src/api/events.ts';
import { isRecognized } from '../../src/api/unrecognized.ts';
import { editorFetch } from '../../src/platform/node/editorFetch.ts';
import { type Contestant, measureInTurns } from './measure.ts';

/** Milliseconds by contestant and round, and how many connections the server had from each in the last round. */
export interface TransportMeasurements {
  readonly times: readonly (readonly [name: string, milliseconds: readonly number[]])[];
  readonly connections: number;
}

/** Runs inside the extension host, whose `fetch` is the editor's; BEACON_BENCH_SERVER names the server of events. */
export async function run(): Promise<void> {
  const origin = process.env['BEACON_BENCH_SERVER'] ?? '';
  const rounds = await measureInTurns([clientContestant(origin), bareContestant(origin)], 31);
  const before = await connectionsOf(origin);
  await clientContestant(origin).run();
  const measurements: TransportMeasurements = {
    times: [...rounds],
    connections: (await connectionsOf(origin)) - before,
  };
  await writeFile(process.env['BEACON_BENCH_RESULTS'] ?? '', JSON.stringify(measurements));
}

function clientContestant(origin: string): Contestant {
  const client = createClient({ instanceUrl: origin, token: 'bench', fetch: editorFetch });
  return {
    name: 'client',
    async run() {
      const events: EventRecord[] = [];
      for await (const { items } of client.events.mine({}, { perPage: 100, prefetch: 1 })) {
        events.push(...items.filter(isRecognized));
      }
      return events;
    },
  };
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
      return events;
    },
  };
}

/** How many connections the server has accepted, without the one that asks for it. */
async function connectionsOf(origin: string): Promise<number> {
  const answer = await fetch(`${origin}/connections`);
  return Number(await answer.text());
}
