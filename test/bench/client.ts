import { Events } from '@gitbeaker/rest';
import { Agent, type Dispatcher, request } from 'undici';
import { openTransport } from '../../src/platform/node/transport.ts';
import { eventReader } from '../../src/api/events.ts';
import { eventPage, startEventServer } from './events.ts';
import {
  clientContestant,
  type Contestant,
  expectAll,
  measureInTurns,
  medianRatio,
  medianTime,
  type Rounds,
} from './measure.ts';
import type { Part, Result } from './report.ts';

/** The API client beside raw undici and gitbeaker, reading 10,000 events in pages of 100. */
export async function bench(): Promise<Part> {
  const near = await measureFeed(0, 1, 51);
  const far = await measureFeed(50, 6, 3);
  const validation = await measureValidation();
  const compared = (
    what: string,
    rounds: Rounds,
    [of, to]: readonly [string, string],
    bound: Result['bound'],
    unit = 'ms',
  ): Result => {
    const times = [of, to].map((name) => `${name} ${medianTime(rounds, name).toFixed(0)} ${unit}`).join(', ');
    return { what, ratio: medianRatio(rounds, of, to), bound, times };
  };
  return {
    title: 'API client',
    about:
      '10,000 events in pages of 100. The client validates every record; raw undici is `request` and `JSON.parse` along the links, and validates nothing, as does gitbeaker. Nobody can ask for further pages before the first one is there, so that 6 in flight take 18 times the latency at least. The events have one author, one time and the same commits, and what equals the value before it is not validated again: others take longer.',
    results: [
      compared('client to raw undici, sequential, no latency', near, ['client', 'undici'], { atMost: 1.2 }),
      compared('gitbeaker to client, sequential, no latency', near, ['gitbeaker', 'client'], { atLeast: 1 }),
      compared('gitbeaker to client with 6 pages in flight, 50 ms latency', far, ['gitbeaker', 'client'], {
        atLeast: 5,
      }),
      compared('client to raw undici, both with 6 pages in flight, 50 ms latency', far, ['client', 'undici'], {
        atMost: 1.05,
      }),
      compared(
        'validation of one page to its JSON.parse',
        validation,
        ['validation', 'JSON.parse'],
        { atMost: 1 },
        'ms per 200 pages',
      ),
    ],
  };
}

/** Reads the whole feed from a server with this latency, by each of the contestants. */
async function measureFeed(latency: number, prefetch: number, rounds: number): Promise<Rounds> {
  await using server = await startEventServer(latency);
  const { origin } = server;
  const contestants = [
    clientContestant(origin, openTransport(), prefetch),
    gitbeakerContestant(origin),
    undiciContestant(origin, prefetch),
  ];
  return await measureInTurns(contestants, rounds, latency === 0 ? 10 : 1);
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
