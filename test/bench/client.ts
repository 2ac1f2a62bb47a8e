import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Events } from '@gitbeaker/rest';
import { Agent, type Dispatcher, request } from 'undici';
import { createClient } from '../../src/api/client.ts';
import { openTransport } from '../../src/platform/node/transport.ts';
import { eventReader, type EventRecord } from '../../src/api/events.ts';
import { eventPage } from './events.ts';
import { type Contestant, measureInTurns, medianRatio, medianTime, type Rounds } from './measure.ts';
import type { Part } from './report.ts';

const eventCount = 10_000;

/** The API client beside raw undici and gitbeaker, reading 10,000 events in pages of 100. */
export async function benchClient(): Promise<Part> {
  const near = await measureFeed(0, 1, 51);
  const far = await measureFeed(50, 6, 3);
  const validation = await measureValidation();
  const times = (rounds: Rounds, ...names: string[]) =>
    names.map((name) => `${name} ${medianTime(rounds, name).toFixed(0)} ms`).join(', ');
  return {
    title: 'API client',
    about:
      '10,000 events in pages of 100. The client validates every record; raw undici is `request` and `JSON.parse` along the links, and validates nothing, as does gitbeaker. Nobody can ask for further pages before the first one is there, so that 6 in flight take 18 times the latency at least. The events have one author, one time and the same commits, and what equals the value before it is not validated again: others take longer.',
    results: [
      {
        what: 'client to raw undici, sequential, no latency',
        ratio: medianRatio(near, 'client', 'undici'),
        bound: { atMost: 1.2 },
        times: times(near, 'client', 'undici'),
      },
      {
        what: 'gitbeaker to client, sequential, no latency',
        ratio: medianRatio(near, 'gitbeaker', 'client'),
        bound: { atLeast: 1 },
        times: times(near, 'gitbeaker', 'client'),
      },
      {
        what: 'gitbeaker to client with 6 pages in flight, 50 ms latency',
        ratio: medianRatio(far, 'gitbeaker', 'client'),
        bound: { atLeast: 5 },
        times: times(far, 'gitbeaker', 'client'),
      },
      {
        what: 'client to raw undici, both with 6 pages in flight, 50 ms latency',
        ratio: medianRatio(far, 'client', 'undici'),
        bound: { atMost: 1.05 },
        times: times(far, 'client', 'undici'),
      },
      {
        what: 'validation of one page to its JSON.parse',
        ratio: medianRatio(validation, 'validation', 'JSON.parse'),
        bound: { atMost: 1 },
        times: times(validation, 'validation', 'JSON.parse').replaceAll(' ms', ' ms per 200 pages'),
      },
    ],
  };
}

/** Reads the whole feed from a server with this latency, by each of the contestants. */
async function measureFeed(latency: number, prefetch: number, rounds: number): Promise<Rounds> {
  const server = fork(join(import.meta.dirname, 'eventServer.ts'), [String(latency)]);
  try {
    const [port] = (await once(server, 'message')) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const contestants = [
      clientContestant(origin, prefetch),
      gitbeakerContestant(origin),
      undiciContestant(origin, prefetch),
    ];
    return await measureInTurns(contestants, rounds, latency === 0 ? 10 : 1);
  } finally {
    await stop(server);
  }
}

async function stop(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  server.kill();
  await exited;
}

function clientContestant(origin: string, prefetch: number): Contestant {
  const client = createClient({ instanceUrl: origin, token: 'bench', transport: openTransport() });
  return {
    name: 'client',
    async run() {
      const events: EventRecord[] = [];
      for await (const { items } of client.events.mine({}, { perPage: 100, prefetch })) {
        events.push(...items);
      }
      return expectAll(events);
    },
  };
}

function gitbeakerContestant(origin: string): Contestant {
  // Its own limit of requests per minute would be what is measured.
  const events = new Events({ host: origin, token: 'bench', rateLimits: { '**': 1_000_000 } });
  return {
    name: 'gitbeaker',
    async run() {
      return expectAll(await events.all({ perPage: 100 }));
    },
  };
}

function undiciContestant(origin: string, inFlight: number): Contestant {
  const dispatcher = new Agent();
  const pageAt = async (address: string) => {
    const { headers, body }: Dispatcher.ResponseData = await request(address, {
      dispatcher,
      headers: { 'private-token': 'bench' },
    });
    return { headers, events: JSON.parse(await body.text()) as unknown[] };
  };
  return {
    name: 'undici',
    async run() {
      const first = `${origin}/api/v4/events?per_page=100`;
      const events: unknown[] = [];
      const pages = [pageAt(first)];
      let number = 1;
      for (let page = await pages.shift(); page !== undefined; page = await pages.shift()) {
        events.push(...page.events);
        const next = /<([^>]*)>; rel="next"/.exec(String(page.headers['link']))?.[1];
        if (inFlight === 1) {
          pages.push(...(next === undefined ? [] : [pageAt(next)]));
          continue;
        }
        // The first page says how many there are; those after it are asked for by number.
        while (pages.length < inFlight && number < Number(page.headers['x-total-pages'])) {
          number += 1;
          pages.push(pageAt(`${first}&page=${number}`));
        }
      }
      return expectAll(events);
    },
  };
}

function expectAll(events: readonly unknown[]): unknown {
  if (events.length !== eventCount) {
    throw new Error(`${events.length} events instead of ${eventCount}`);
  }
  return events;
}

async function measureValidation(): Promise<Rounds> {
  const text = eventPage(1);
  const json: unknown = JSON.parse(text);
  const facts = { method: 'GET', pathTemplate: '/events', instance: 'bench' };
  const reply = { status: 200, header: () => undefined, json, facts };
  const repeat = (action: () => unknown) => async () => {
    for (let times = 0; times < 200; times += 1) {
      action();
    }
  };
  return await measureInTurns(
    [
      { name: 'validation', run: repeat(() => eventReader.list(reply)) },
      { name: 'JSON.parse', run: repeat(() => JSON.parse(text)) },
    ],
    31,
  );
}
