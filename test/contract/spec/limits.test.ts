import assert from 'node:assert/strict';
import type { SleeplessClock } from '../../support/fakeClock.ts';
import { allPages, clientOf, errorOf, sampleUser, serveClient, steady } from '../../support/clientSamples.ts';
import { sendJson, type Handler } from '../../support/hostileServer.ts';

/** A server that answers the first requests by these handlers, and all later ones with a user. */
async function serveAfter(...first: Handler[]) {
  const rest = first.values();
  return await serveClient((request, response) => {
    const { value: handler = steady({ json: sampleUser }) } = rest.next();
    handler(request, response);
  });
}

const refusing = (headers: Record<string, string>): Handler =>
  steady({ status: 429, headers: { 'content-type': 'text/plain', ...headers }, text: 'Retry later' });

const failing = (status: number, headers: Record<string, string> = {}): Handler => steady({ status, headers });

const resetting: Handler = (_, response) => response.destroy();

/** Two waits between half and all of 500 and 1000 milliseconds. */
function assertGrowing({ waits: [first = 0, second = 0, ...others] }: SleeplessClock): void {
  assert.ok(first >= 250 && first <= 500 && second >= 500 && second <= 1000 && others.length === 0);
}

describe('the API documentation: limits', () => {
  it('per_page: the default is left to the instance, the maximum to the caller', async () => {
    await using server = await serveClient({ json: [] });
    const { events } = server.client;
    await allPages(events.mine());
    await allPages(events.mine({}, { perPage: 100 }));
    assert.deepEqual(
      server.requests.map(({ url }) => url.searchParams.get('per_page')),
      [null, '100'],
    );
  });

  const date = 'Thu, 01 Jan 2026 12:00:00 GMT';
  for (const [what, headers, wait] of [
    ['Retry-After in seconds', { 'retry-after': '7' }, 7_000],
    [
      'Retry-After as a date, by the clock of the instance,',
      { 'retry-after': date.replace(':00 GMT', ':09 GMT'), date },
      9_000,
    ],
    [
      'RateLimit-Reset where Retry-After is missing',
      { 'ratelimit-reset': `${Date.parse(date) / 1000 + 5}`, date },
      5_000,
    ],
  ] as const) {
    it(`${what} is waited for`, async () => {
      await using server = await serveAfter(refusing(headers));
      await server.client.directory.currentUser();
      assert.deepEqual(server.clock.waits, [wait]);
    });
  }

  it('Retry-After that asks for no wait, or makes no sense, does not make the client ask at once', async () => {
    for (const value of ['0', '-5', '1.5', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      await using server = await serveAfter(refusing({ 'retry-after': value }));
      await server.client.directory.currentUser();
      assert.ok((server.clock.waits[0] ?? 0) >= 250, value);
    }
  });

  it('after a refusal the whole instance pauses, also for what was not refused', async () => {
    await using server = await serveAfter(refusing({ 'retry-after': '20' }));
    const client = clientOf(server.origin, { clock: server.clock, retries: 0 });
    const error = await errorOf(client.directory.currentUser(), 'rateLimited');
    assert.equal(error.retryAt?.getTime(), server.clock.date().getTime() + 20_000);
    await client.directory.user(25);
    assert.deepEqual(server.clock.waits, [20_000]);
  });

  it('a pause longer than the bound fails at once, unsent, and says when', async () => {
    await using server = await serveAfter(refusing({ 'retry-after': '3600' }));
    const { client } = server;
    const until = server.clock.date().getTime() + 3_600_000;
    const refused = await errorOf(client.directory.currentUser(), 'rateLimited');
    assert.deepEqual([refused.retryAt?.getTime(), refused.status], [until, 429]);
    const unsent = await errorOf(client.errorTracking.createClientKey(1), 'rateLimited');
    assert.deepEqual([unsent.retryAt?.getTime(), unsent.status], [until, undefined]);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(server.clock.waits, []);
  });

  it('a last request that is used up pauses before the refusal comes', async () => {
    const headers = { date, 'ratelimit-remaining': '0', 'ratelimit-reset': String(Date.parse(date) / 1000 + 4) };
    await using server = await serveAfter(steady({ json: sampleUser, headers }));
    const { directory } = server.client;
    await directory.currentUser();
    await directory.currentUser();
    assert.deepEqual(server.clock.waits, [4_000]);
  });

  it('that none is left is believed for a minute at most, whatever day it is to change', async () => {
    const headers = { date, 'ratelimit-remaining': '0', 'ratelimit-reset': '9999999999' };
    await using server = await serveAfter(steady({ json: sampleUser, headers }));
    const { directory } = server.client;
    await directory.currentUser();
    await errorOf(directory.currentUser(), 'rateLimited');
    server.clock.jump(60_000);
    await directory.currentUser();
    assert.equal(server.requests.length, 2);
  });

  it('a refusal without headers is waited out ever longer, and then an error without a time', async () => {
    const message = { error: 'This endpoint has been requested too many times. Try again later.' };
    await using server = await serveClient({ json: { message }, status: 429 });
    const error = await errorOf(server.client.directory.currentUser(), 'rateLimited');
    assert.equal(error.retryAt, undefined);
    assert.equal(server.requests.length, 3);
    assertGrowing(server.clock);
  });

  it('beyond the maximum offset the instance refuses, and the client says so', async () => {
    const error =
      'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project.';
    await using server = await serveClient({ json: { error }, status: 405 });
    const refused = await errorOf(allPages(server.client.events.mine()), 'refused');
    assert.equal(refused.sentence, error);
  });

  it('GET, PUT and DELETE are repeated after 502, 503, 504 and network faults, with growing waits', async () => {
    for (const fault of [failing(502), failing(503), failing(504), resetting]) {
      await using server = await serveAfter(fault, fault);
      await server.client.directory.currentUser();
      assertGrowing(server.clock);
      assert.equal(server.requests.length, 3);
    }
    await using server = await serveClient((_, response) =>
      server.requests.length === 1 ? response.destroy() : sendJson(response, { active: true }),
    );
    await server.client.errorTracking.create(1, { active: true, integrated: true });
    assert.equal(server.requests.length, 2);
  });

  it('a change of notification settings is repeated only where it cannot have been made', async () => {
    for (const [fault, requests] of [
      [failing(502), 1],
      [failing(503), 1],
      [resetting, 1],
      [failing(429, { 'retry-after': '1' }), 2],
    ] as const) {
      await using server = await serveAfter(fault);
      await server.client.notificationSettings.update('global', { level: 'watch' }).catch(() => undefined);
      assert.equal(server.requests.length, requests);
    }
  });

  it('Retry-After of a 503 is waited for, unless it is too long', async () => {
    await using server = await serveAfter(...['12', '999'].map((time) => failing(503, { 'retry-after': time })));
    await errorOf(server.client.directory.currentUser(), 'unavailable');
    assert.deepEqual(server.clock.waits, [12_000]);
    assert.equal(server.requests.length, 2);
  });

  it('a repeated DELETE that finds nothing has done its work; a first one has not', async () => {
    const missing = steady({ json: { message: '404 Not found' }, status: 404 });
    await using server = await serveAfter(resetting, missing, missing);
    const { errorTracking } = server.client;
    await errorTracking.deleteClientKey(1, 2);
    await errorOf(errorTracking.deleteClientKey(1, 2), 'notFound');
    assert.equal(server.requests.length, 3);
    await using limited = await serveAfter(refusing({}), missing);
    await errorOf(limited.client.errorTracking.deleteClientKey(1, 2), 'notFound');
  });

  it('an answer that stays away, or does not end, is a timeout and is not asked for again', async () => {
    await using server = await serveClient((_, response) => {
      if (server.requests.length === 2) {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"id"');
      }
      server.clock.expire();
    });
    const { directory } = server.client;
    const error = await errorOf(directory.currentUser(), 'unavailable');
    assert.deepEqual([error.kind, error.detail], ['timeout', 'headers']);
    assert.equal((await errorOf(directory.currentUser(), 'unavailable')).kind, 'timeout');
    assert.equal(server.requests.length, 2);
  });

  it('equal GETs in flight share one request, others do not', async () => {
    const answers: (() => void)[] = [];
    await using server = await serveClient((_, response) => {
      answers.push(() => sendJson(response, sampleUser));
      if (answers.length === 2) {
        answers.forEach((answer) => answer());
      }
    });
    const { directory } = server.client;
    const users = await Promise.all([directory.user(1), directory.user(2), directory.user(1), directory.user(2)]);
    assert.equal(server.requests.length, 2);
    assert.deepEqual(users[0], users[2]);
    assert.notEqual(users[0], users[2]);
  });

  it('a GET after a change whose answer was lost does not share the answer of one before it', async () => {
    const firstArrived = Promise.withResolvers<void>();
    let answerFirst: (() => void) | undefined;
    await using server = await serveClient(({ method }, response) => {
      if (method === 'PATCH') {
        response.destroy();
      } else if (answerFirst === undefined) {
        answerFirst = () => sendJson(response, { active: true, integrated: true });
        firstArrived.resolve();
      } else {
        sendJson(response, { active: false, integrated: true });
      }
    });
    const { errorTracking } = server.client;
    const before = errorTracking.settings(1);
    await firstArrived.promise;
    await errorOf(errorTracking.change(1, { active: false }), 'unavailable');
    assert.equal((await errorTracking.settings(1)).active, false);
    answerFirst?.();
    await before;
  });
});
