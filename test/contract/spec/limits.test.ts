import assert from 'node:assert/strict';

import { SleeplessClock } from '../../support/fakeClock.ts';
import { allPages, clientOf, errorOf, sampleUser } from '../../support/clientSamples.ts';
import { type Handler, sendJson, startHostileServer } from '../../support/hostileServer.ts';

/** A server that answers the first requests by these handlers, and all later ones with a user. */
async function startFailing(...first: Handler[]) {
  const failures = [...first];
  return await startHostileServer((request, response) => {
    const failure = failures.shift();
    if (failure === undefined) {
      sendJson(response, sampleUser);
    } else {
      failure(request, response);
    }
  });
}

const refusing =
  (headers: Record<string, string>): Handler =>
  (_, response) => {
    response.writeHead(429, { 'content-type': 'text/plain', ...headers }).end('Retry later');
  };

const failing =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, headers).end();
  };

const resetting: Handler = (_, response) => response.destroy();

/** Two waits between half and all of 500 and 1000 milliseconds. */
function assertGrowing({ waits: [first = 0, second = 0, ...others] }: SleeplessClock): void {
  assert.ok(first >= 250 && first <= 500 && second >= 500 && second <= 1000 && others.length === 0);
}

describe('the API documentation: limits', () => {
  it('per_page: the default is left to the instance, the maximum to the caller', async () => {
    await using server = await startHostileServer((_, response) => sendJson(response, []));
    const { events } = clientOf(server.origin);
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
      const clock = new SleeplessClock();
      await using server = await startFailing(refusing(headers));
      await clientOf(server.origin, { clock }).directory.currentUser();
      assert.deepEqual(clock.waits, [wait]);
    });
  }

  it('Retry-After that asks for no wait, or makes no sense, does not make the client ask at once', async () => {
    for (const value of ['0', '-5', '1.5', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      const clock = new SleeplessClock();
      await using server = await startFailing(refusing({ 'retry-after': value }));
      await clientOf(server.origin, { clock }).directory.currentUser();
      assert.ok((clock.waits[0] ?? 0) >= 250, value);
    }
  });

  it('after a refusal the whole instance pauses, also for what was not refused', async () => {
    const clock = new SleeplessClock();
    await using server = await startFailing(refusing({ 'retry-after': '20' }));
    const client = clientOf(server.origin, { clock, retries: 0 });
    const error = await errorOf(client.directory.currentUser(), 'rateLimited');
    assert.equal(error.retryAt?.getTime(), clock.date().getTime() + 20_000);
    await client.directory.user(25);
    assert.deepEqual(clock.waits, [20_000]);
  });

  it('a pause longer than the bound fails at once, unsent, and says when', async () => {
    const clock = new SleeplessClock();
    await using server = await startFailing(refusing({ 'retry-after': '3600' }));
    const client = clientOf(server.origin, { clock });
    const until = clock.date().getTime() + 3_600_000;
    const refused = await errorOf(client.directory.currentUser(), 'rateLimited');
    assert.deepEqual([refused.retryAt?.getTime(), refused.status], [until, 429]);
    const unsent = await errorOf(client.errorTracking.createClientKey(1), 'rateLimited');
    assert.deepEqual([unsent.retryAt?.getTime(), unsent.status], [until, undefined]);
    assert.equal(server.requests.length, 1);
    assert.deepEqual(clock.waits, []);
  });

  it('a last request that is used up pauses before the refusal comes', async () => {
    const clock = new SleeplessClock();
    await using server = await startFailing((_, response) =>
      sendJson(response, sampleUser, {
        headers: { date, 'ratelimit-remaining': '0', 'ratelimit-reset': String(Date.parse(date) / 1000 + 4) },
      }),
    );
    const { directory } = clientOf(server.origin, { clock });
    await directory.currentUser();
    await directory.currentUser();
    assert.deepEqual(clock.waits, [4_000]);
  });

  it('that none is left is believed for a minute at most, whatever day it is to change', async () => {
    const clock = new SleeplessClock();
    const headers = { date, 'ratelimit-remaining': '0', 'ratelimit-reset': '9999999999' };
    await using server = await startFailing((_, response) => sendJson(response, sampleUser, { headers }));
    const { directory } = clientOf(server.origin, { clock });
    await directory.currentUser();
    await errorOf(directory.currentUser(), 'rateLimited');
    clock.jump(60_000);
    await directory.currentUser();
    assert.equal(server.requests.length, 2);
  });

  it('a refusal without headers is waited out ever longer, and then an error without a time', async () => {
    const clock = new SleeplessClock();
    const message = { error: 'This endpoint has been requested too many times. Try again later.' };
    await using server = await startHostileServer((_, response) => sendJson(response, { message }, { status: 429 }));
    const error = await errorOf(clientOf(server.origin, { clock }).directory.currentUser(), 'rateLimited');
    assert.equal(error.retryAt, undefined);
    assert.equal(server.requests.length, 3);
    assertGrowing(clock);
  });

  it('beyond the maximum offset the instance refuses, and the client says so', async () => {
    const error =
      'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type Project.';
    await using server = await startHostileServer((_, response) => sendJson(response, { error }, { status: 405 }));
    const refused = await errorOf(allPages(clientOf(server.origin).events.mine()), 'refused');
    assert.equal(refused.sentence, error);
  });

  it('GET, PUT and DELETE are repeated after 502, 503, 504 and network faults, with growing waits', async () => {
    for (const fault of [failing(502), failing(503), failing(504), resetting]) {
      const clock = new SleeplessClock();
      await using server = await startFailing(fault, fault);
      await clientOf(server.origin, { clock }).directory.currentUser();
      assertGrowing(clock);
      assert.equal(server.requests.length, 3);
    }
    await using server = await startHostileServer((_, response) =>
      server.requests.length === 1 ? response.destroy() : sendJson(response, { active: true }),
    );
    await clientOf(server.origin).errorTracking.create(1, { active: true, integrated: true });
    assert.equal(server.requests.length, 2);
  });

  it('a change of notification settings is repeated only where it cannot have been made', async () => {
    for (const [fault, requests] of [
      [failing(502), 1],
      [failing(503), 1],
      [resetting, 1],
      [failing(429, { 'retry-after': '1' }), 2],
    ] as const) {
      await using server = await startFailing(fault);
      const { notificationSettings } = clientOf(server.origin, { clock: new SleeplessClock() });
      await notificationSettings.update('global', { level: 'watch' }).catch(() => undefined);
      assert.equal(server.requests.length, requests);
    }
  });

  it('Retry-After of a 503 is waited for, unless it is too long', async () => {
    const clock = new SleeplessClock();
    await using server = await startFailing(
      failing(503, { 'retry-after': '12' }),
      failing(503, { 'retry-after': '999' }),
    );
    const { directory } = clientOf(server.origin, { clock });
    await errorOf(directory.currentUser(), 'unavailable');
    assert.deepEqual(clock.waits, [12_000]);
    assert.equal(server.requests.length, 2);
  });

  it('a repeated DELETE that finds nothing has done its work; a first one has not', async () => {
    const missing: Handler = (_, response) => sendJson(response, { message: '404 Not found' }, { status: 404 });
    await using server = await startFailing(resetting, missing, missing);
    const { errorTracking } = clientOf(server.origin);
    await errorTracking.deleteClientKey(1, 2);
    await errorOf(errorTracking.deleteClientKey(1, 2), 'notFound');
    assert.equal(server.requests.length, 3);
    await using limited = await startFailing(refusing({}), missing);
    const { errorTracking: refused } = clientOf(limited.origin, { clock: new SleeplessClock() });
    await errorOf(refused.deleteClientKey(1, 2), 'notFound');
  });

  it('an answer that stays away, or does not end, is a timeout and is not asked for again', async () => {
    const clock = new SleeplessClock();
    await using server = await startHostileServer((_, response) => {
      if (server.requests.length === 2) {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"id"');
      }
      clock.expire();
    });
    const { directory } = clientOf(server.origin, { clock });
    const error = await errorOf(directory.currentUser(), 'unavailable');
    assert.deepEqual([error.kind, error.detail], ['timeout', 'headers']);
    assert.equal((await errorOf(directory.currentUser(), 'unavailable')).kind, 'timeout');
    assert.equal(server.requests.length, 2);
  });

  it('equal GETs in flight share one request, others do not', async () => {
    const answers: (() => void)[] = [];
    await using server = await startHostileServer((_, response) => {
      answers.push(() => sendJson(response, sampleUser));
      if (answers.length === 2) {
        answers.forEach((answer) => answer());
      }
    });
    const { directory } = clientOf(server.origin);
    const users = await Promise.all([directory.user(1), directory.user(2), directory.user(1), directory.user(2)]);
    assert.equal(server.requests.length, 2);
    assert.deepEqual(users[0], users[2]);
    assert.notEqual(users[0], users[2]);
  });

  it('a GET after a change whose answer was lost does not share the answer of one before it', async () => {
    const firstArrived = Promise.withResolvers<void>();
    let answerFirst: (() => void) | undefined;
    await using server = await startHostileServer(({ method }, response) => {
      if (method === 'PATCH') {
        response.destroy();
      } else if (answerFirst === undefined) {
        answerFirst = () => sendJson(response, { active: true, integrated: true });
        firstArrived.resolve();
      } else {
        sendJson(response, { active: false, integrated: true });
      }
    });
    const { errorTracking } = clientOf(server.origin);
    const before = errorTracking.settings(1);
    await firstArrived.promise;
    await errorOf(errorTracking.change(1, { active: false }), 'unavailable');
    assert.equal((await errorTracking.settings(1)).active, false);
    answerFirst?.();
    await before;
  });
});
