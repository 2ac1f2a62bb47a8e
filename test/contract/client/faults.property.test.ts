import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as fc from 'fast-check';
import type { Client } from '../../../src/api/client.ts';
import { type ApiErrorReason, isApiError } from '../../../src/api/errors.ts';
import { SleeplessClock } from '../../support/fakeClock.ts';
import { clientOf } from '../../support/clientSamples.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';
import { runs } from '../../support/properties.ts';

const json = { 'content-type': 'application/json' };

/** A kind of wrong answer, and what it means. */
interface Fault {
  readonly answer: (response: ServerResponse, body: string, clock: SleeplessClock) => void;
  readonly reason: ApiErrorReason;
  /** Whether a request that may be repeated is repeated after it. */
  readonly repeated: boolean;
}

const faults: Record<string, Fault> = {
  '429': {
    answer: (response) => response.writeHead(429, { 'content-type': 'text/plain' }).end('Retry later'),
    reason: 'rateLimited',
    repeated: true,
  },
  '429 with a short pause': {
    answer: (response) => response.writeHead(429, { 'retry-after': '3' }).end(),
    reason: 'rateLimited',
    repeated: true,
  },
  '429 with a long pause': {
    answer: (response) => response.writeHead(429, { 'retry-after': '31' }).end(),
    reason: 'rateLimited',
    repeated: false,
  },
  '500': { answer: (response) => response.writeHead(500).end(), reason: 'unavailable', repeated: false },
  '502': { answer: (response) => response.writeHead(502).end('Bad gateway'), reason: 'unavailable', repeated: true },
  '503': { answer: (response) => response.writeHead(503).end(), reason: 'unavailable', repeated: true },
  '504': { answer: (response) => response.writeHead(504).end(), reason: 'unavailable', repeated: true },
  reset: { answer: (response) => response.destroy(), reason: 'unavailable', repeated: true },
  'reset after the headers': {
    answer: (response) => {
      response.writeHead(200, json).flushHeaders();
      response.destroy();
    },
    reason: 'unavailable',
    repeated: true,
  },
  'truncated body': {
    answer: (response, body) => {
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) });
      response.write(body.slice(0, -3), () => response.destroy());
    },
    reason: 'unavailable',
    repeated: true,
  },
  'length too long': {
    answer: (response, body) => {
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) + 5 });
      response.write(body, () => response.destroy());
    },
    reason: 'unavailable',
    repeated: true,
  },
  'length too short': {
    answer: (response, body) => {
      const { socket } = response;
      socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n${body}`);
    },
    reason: 'unavailable',
    repeated: true,
  },
  'JSON cut short': {
    answer: (response, body) => response.writeHead(200, json).end(body.slice(0, -1)),
    reason: 'unavailable',
    repeated: true,
  },
  'no answer': { answer: (_, __, clock) => clock.expire(), reason: 'unavailable', repeated: false },
  'slow body': {
    answer: (response, body, clock) => {
      response.writeHead(200, json).write(body.slice(0, 4), () => clock.expire());
    },
    reason: 'unavailable',
    repeated: false,
  },
  HTML: {
    answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    reason: 'notAnInstance',
    repeated: false,
  },
};

const key = { id: 1, active: true, public_key: 'glet_1', tracker_dsn: 'https://glet_1@host/1' };
const settings = { active: true, integrated: false };

/** A call of each method, the right answer, and what it then results in. */
const calls: Record<string, { call: (client: Client) => Promise<unknown>; body: unknown; result: unknown }> = {
  GET: { call: ({ errorTracking }) => errorTracking.settings(1), body: settings, result: settings },
  PUT: {
    call: ({ errorTracking }) => errorTracking.create(1, { active: true, integrated: false }),
    body: settings,
    result: settings,
  },
  PATCH: { call: ({ errorTracking }) => errorTracking.change(1, { active: true }), body: settings, result: settings },
  POST: { call: ({ errorTracking }) => errorTracking.createClientKey(1), body: key, result: key },
  DELETE: { call: ({ errorTracking }) => errorTracking.deleteClientKey(1, 1), body: key, result: undefined },
};

describe('client: any sequence of faults', () => {
  it('ends in the right result or the right error, and sends no POST or PATCH twice', async () => {
    let clock = new SleeplessClock();
    let script: Fault[] = [];
    let body: unknown;
    await using server = await startHostileServer((_, response) => {
      const fault = script.shift();
      if (fault === undefined) {
        sendJson(response, body);
      } else {
        fault.answer(response, JSON.stringify(body), clock);
      }
    });
    const method = fc.constantFrom(...Object.keys(calls));
    const sequence = fc.array(fc.constantFrom(...Object.keys(faults)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(method, sequence, async (name, names) => {
        const chosen = calls[name];
        assert.ok(chosen);
        const planned = names.flatMap((fault) => faults[fault] ?? []);
        const attempts = name === 'POST' || name === 'PATCH' ? 1 : 3;
        const lastTried = planned.slice(0, attempts).findIndex(({ repeated }) => !repeated);
        const used = lastTried === -1 ? Math.min(planned.length + 1, attempts) : lastTried + 1;
        const expected = planned[used - 1]?.reason ?? 'right';

        clock = new SleeplessClock();
        script = [...planned];
        body = chosen.body;
        const before = server.requests.length;
        const client = clientOf(server.origin, { clock });
        const outcome = await chosen.call(client).then(
          (result) => {
            assert.deepEqual(result, chosen.result);
            return 'right';
          },
          (error: unknown) => {
            assert.ok(isApiError(error), String(error));
            return error.reason;
          },
        );
        await client.close();
        assert.equal(outcome, expected);
        assert.equal(server.requests.length - before, used);
      }),
      runs(300),
    );
  });

  it('on the pages of a list ends in all records once, or in an error', async () => {
    const clock = new SleeplessClock();
    let script: Fault[] = [];
    await using server = await startHostileServer(({ url }, response) => {
      const page = Number(url.searchParams.get('page') ?? 1);
      const fault = script.shift();
      if (fault !== undefined) {
        fault.answer(response, '[{"id":1}]', clock);
        return;
      }
      sendJson(response, [{ ...key, id: page }], {
        headers: page < 6 ? { link: `<${url.pathname}?page=${page + 1}>; rel="next"`, 'x-page': String(page) } : {},
      });
    });
    const sequence = fc.array(fc.option(fc.constantFrom(...Object.keys(faults)), { nil: '' }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequence, fc.constantFrom(1, 3), async (names, prefetch) => {
        script = names.flatMap((fault) => faults[fault] ?? []);
        const client = clientOf(server.origin, { clock });
        const ids: number[] = [];
        try {
          for await (const { items } of client.errorTracking.clientKeys(1, { prefetch })) {
            ids.push(...items.map((item) => ('id' in item ? item.id : -1)));
          }
          assert.deepEqual(ids, [1, 2, 3, 4, 5, 6]);
        } catch (error) {
          assert.ok(isApiError(error), String(error));
          assert.deepEqual(ids, [1, 2, 3, 4, 5, 6].slice(0, ids.length));
        }
        await client.close();
      }),
      runs(150),
    );
  });
});
