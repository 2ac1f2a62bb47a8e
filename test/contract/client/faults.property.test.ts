import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as fc from 'fast-check';
import type { Client } from '../../../src/api/client.ts';
import { type ApiErrorReason, isApiError } from '../../../src/api/errors.ts';
import { SleeplessClock } from '../../support/fakeClock.ts';
import { clientOf, numberedPages } from '../../support/clientSamples.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';
import { runs } from '../../support/properties.ts';

const json = { 'content-type': 'application/json' };

/** A wrong answer to a request that should get a body. */
type WrongAnswer = (response: ServerResponse, body: string, clock: SleeplessClock) => void;

const saying =
  (status: number, headers: Record<string, string> = {}, text = ''): WrongAnswer =>
  (response) =>
    response.writeHead(status, headers).end(text);

/** Announces so many bytes after the body, and ends so many before its end. */
const cutShort =
  (after: number, before: number): WrongAnswer =>
  (response, body) => {
    response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) + after });
    response.write(body.slice(0, body.length - before), () => response.destroy());
  };

/** What each means, and whether a request that may be repeated is repeated after it. */
const faults: readonly (readonly [name: string, reason: ApiErrorReason, repeated: boolean, answer: WrongAnswer])[] = [
  ['429', 'rateLimited', true, saying(429, { 'content-type': 'text/plain' }, 'Retry later')],
  ['429 with a short pause', 'rateLimited', true, saying(429, { 'retry-after': '3' })],
  ['429 with a long pause', 'rateLimited', false, saying(429, { 'retry-after': '31' })],
  ['500', 'unavailable', false, saying(500)],
  ['502', 'unavailable', true, saying(502, {}, 'Bad gateway')],
  ['503', 'unavailable', true, saying(503)],
  ['504', 'unavailable', true, saying(504)],
  ['reset', 'unavailable', true, (response) => response.destroy()],
  [
    'reset after the headers',
    'unavailable',
    true,
    (response) => {
      response.writeHead(200, json).flushHeaders();
      response.destroy();
    },
  ],
  ['truncated body', 'unavailable', true, cutShort(0, 3)],
  ['length too long', 'unavailable', true, cutShort(5, 0)],
  [
    'length too short',
    'unavailable',
    true,
    ({ socket }, body) =>
      socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5\r\n\r\n${body}`),
  ],
  ['JSON cut short', 'unavailable', true, (response, body) => response.writeHead(200, json).end(body.slice(0, -1))],
  ['no answer', 'unavailable', false, (_, __, clock) => clock.expire()],
  [
    'slow body',
    'unavailable',
    false,
    (response, body, clock) => response.writeHead(200, json).write(body.slice(0, 4), () => clock.expire()),
  ],
  ['HTML', 'notAnInstance', false, saying(200, { 'content-type': 'text/html' }, '<html>')],
];

const key = { id: 1, active: true, public_key: 'glet_1', tracker_dsn: 'https://glet_1@host/1' };
const settings = { active: true, integrated: false };

/** A call of each method, with the right answer. */
const calls: readonly (readonly [method: string, call: (client: Client) => Promise<unknown>, body: unknown])[] = [
  ['GET', ({ errorTracking }) => errorTracking.settings(1), settings],
  ['PUT', ({ errorTracking }) => errorTracking.create(1, settings), settings],
  ['PATCH', ({ errorTracking }) => errorTracking.change(1, { active: true }), settings],
  ['POST', ({ errorTracking }) => errorTracking.createClientKey(1), key],
  ['DELETE', ({ errorTracking }) => errorTracking.deleteClientKey(1, 1), key],
];

describe('client: any sequence of faults', () => {
  it('ends in the right result or the right error, and sends no POST or PATCH twice', async () => {
    let clock = new SleeplessClock();
    let script: (typeof faults)[number][] = [];
    let body: unknown;
    await using server = await startHostileServer((_, response) => {
      const [, , , answer] = script.shift() ?? [];
      if (answer) {
        answer(response, JSON.stringify(body), clock);
      } else {
        sendJson(response, body);
      }
    });
    const sequence = fc.array(fc.constantFrom(...faults), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...calls), sequence, async ([method, call, right], planned) => {
        const attempts = method === 'POST' || method === 'PATCH' ? 1 : 3;
        const lastTried = planned.slice(0, attempts).findIndex(([, , repeated]) => !repeated);
        const used = lastTried === -1 ? Math.min(planned.length + 1, attempts) : lastTried + 1;
        const expected = planned[used - 1]?.[1] ?? 'right';

        clock = new SleeplessClock();
        script = [...planned];
        body = right;
        const before = server.requests.length;
        const client = clientOf(server.origin, { clock });
        const outcome = await call(client).then(
          (result) => {
            assert.deepEqual(result, method === 'DELETE' ? undefined : right);
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
    const right = numberedPages((page) => [{ ...key, id: page }], 6);
    let script: ((typeof faults)[number] | undefined)[] = [];
    await using server = await startHostileServer((request, response) => {
      const [, , , answer] = script.shift() ?? [];
      if (answer) {
        answer(response, '[{"id":1}]', clock);
      } else {
        right(request, response);
      }
    });
    const sequence = fc.array(fc.option(fc.constantFrom(...faults), { nil: undefined }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequence, fc.constantFrom(1, 3), async (planned, prefetch) => {
        script = [...planned];
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
