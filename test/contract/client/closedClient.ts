import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Client } from '../../../src/api/client.ts';
import { systemClock } from '../../../src/common/clock.ts';
import {
  clientOf,
  errorOf,
  numberedPages,
  sampleEvent,
  sampleUser,
  type SampleOptions,
} from '../../support/clientSamples.ts';
import { sendJson, startHostileServer, type Handler, type HostileServer } from '../../support/hostileServer.ts';

/** Something that carries requests, as a client has it. */
export interface Carrier extends AsyncDisposable {
  /** The instance as this carrier reaches it. */
  readonly origin: string;
  readonly options: SampleOptions;
}

/** Opens what carries requests to a server. */
export type OpenCarrier = (server: HostileServer) => Promise<Carrier>;

/** A carrier that has nothing to close. */
export function carrierOf(origin: string, options: SampleOptions): Carrier {
  return { origin, options, [Symbol.asyncDispose]: async () => undefined };
}

/** A server, and clients of it by one carrier. */
async function open(openCarrier: OpenCarrier, handler: Handler, options: SampleOptions = {}) {
  const server = await startHostileServer((request, response) => {
    if (request.url.pathname.endsWith('/version')) {
      sendJson(response, { version: '18.7.0' });
    } else {
      handler(request, response);
    }
  });
  const carrier = await openCarrier(server);
  const client = clientOf(carrier.origin, { clock: systemClock, ...carrier.options, ...options });
  /** What arrived, without what another client sends: that has come by the time it is answered, and so has what was sent before. */
  const arrived = async (): Promise<string[]> => {
    const other = clientOf(carrier.origin, carrier.options);
    await other.directory.version();
    await other.close();
    return server.requests.map(({ target }) => target).filter((target) => !target.endsWith('/version'));
  };
  return {
    ...{ server, client, arrived },
    async [Symbol.asyncDispose]() {
      await client.close();
      await carrier[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Whatever a feature may ask of a client that it still holds. */
const laterCalls: readonly ((client: Client) => Promise<unknown>)[] = [
  ({ directory }) => directory.currentUser(),
  ({ events }) => events.mine().next(),
  ({ notificationSettings }) => notificationSettings.update('global', { level: 'watch' }),
  ({ errorTracking }) => errorTracking.createClientKey(1),
];

/** Nothing reaches an instance once its client is closed, whatever carries the requests. */
export function describeClosedClient(name: string, openCarrier: OpenCarrier): void {
  describe(`a closed client sends nothing more: ${name}`, () => {
    it('requests and changes that wait for the headers end, as do the connections, and are not sent once more', async () => {
      const both = Promise.withResolvers<void>();
      const responses: ServerResponse[] = [];
      await using all = await open(openCarrier, (_, waiting) => {
        if (responses.push(waiting) === 2) {
          both.resolve();
        }
      });
      const { directory, notificationSettings } = all.client;
      const change = notificationSettings.update('global', { level: 'watch' });
      const calls = [directory.currentUser(), directory.currentUser(), change].map((call) => errorOf(call, 'aborted'));
      await both.promise;
      const gone = responses.map((response) => once(response, 'close'));
      await all.client.close();
      await Promise.all([...calls, ...gone]);
      assert.equal((await all.arrived()).length, 2);
    });

    it('a request in the middle of its body ends', async () => {
      const response = Promise.withResolvers<ServerResponse>();
      await using all = await open(openCarrier, (_, half) => {
        half.writeHead(200, { 'content-type': 'application/json' }).write('{"id":', () => response.resolve(half));
      });
      const call = errorOf(all.client.directory.currentUser(), 'aborted');
      const gone = once(await response.promise, 'close');
      // What was written before has come by now, as what is answered after it has.
      assert.equal((await all.arrived()).length, 1);
      await all.client.close();
      await Promise.all([call, gone]);
      assert.equal((await all.arrived()).length, 1);
    });

    for (const [status, headers] of [
      [503, {}],
      [503, { 'retry-after': '20' }],
      [429, { 'retry-after': '20' }],
    ] as const) {
      it(`a ${status} is not repeated (${JSON.stringify(headers)})`, async () => {
        const sleeping = Promise.withResolvers<void>();
        const clock = {
          ...systemClock,
          sleep: async (_: number, signal?: AbortSignal) => {
            sleeping.resolve();
            await (signal?.aborted === true ? undefined : signal && once(signal, 'abort'));
          },
        };
        await using all = await open(openCarrier, (_, response) => void response.writeHead(status, headers).end(), {
          clock,
        });
        const call = errorOf(all.client.directory.currentUser(), 'aborted');
        await sleeping.promise;
        await all.client.close();
        await call;
        assert.equal((await all.arrived()).length, 1);
      });
    }

    it('requests that wait for their turn are not sent', async () => {
      const full = Promise.withResolvers<void>();
      let count = 0;
      await using all = await open(openCarrier, () => {
        count += 1;
        if (count === 16) {
          full.resolve();
        }
      });
      const calls = Array.from({ length: 20 }, (_, index) => errorOf(all.client.directory.user(index + 1), 'aborted'));
      await full.promise;
      await all.client.close();
      await Promise.all(calls);
      assert.equal((await all.arrived()).length, 16);
    });

    it('requests that wait for a token are not sent', async () => {
      const asked = Promise.withResolvers<void>();
      const token = Promise.withResolvers<string>();
      await using all = await open(openCarrier, (_, response) => sendJson(response, sampleUser), {
        token: async () => {
          asked.resolve();
          return await token.promise;
        },
      });
      const call = errorOf(all.client.directory.currentUser(), 'aborted');
      await asked.promise;
      await all.client.close();
      await call;
      token.resolve('late');
      assert.deepEqual(await all.arrived(), []);
    });

    it('a list ends after the pages that are there', async () => {
      await using all = await open(
        openCarrier,
        numberedPages((page) => [sampleEvent(page)]),
      );
      const pages = all.client.events.mine();
      await pages.next();
      await all.client.close();
      await errorOf(pages.next(), 'aborted');
      assert.equal((await all.arrived()).length, 1);
    });

    it('whatever is asked for later is refused', async () => {
      await using all = await open(openCarrier, (_, response) => sendJson(response, sampleUser));
      await all.client.directory.currentUser();
      await all.client.close();
      for (const call of laterCalls) {
        await errorOf(call(all.client), 'aborted');
      }
      assert.equal((await all.arrived()).length, 1);
    });
  });

  describe(`a body has a bound: ${name}`, () => {
    it('one that is longer than any page is a fault', async () => {
      await using all = await open(openCarrier, (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(16 * 1024 * 1024 + 1, ' '));
      });
      const error = await errorOf(all.client.directory.currentUser(), 'unavailable');
      assert.equal(error.detail, 'BODY_TOO_LONG');
    });
  });
}
