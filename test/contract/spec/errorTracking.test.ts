import assert from 'node:assert/strict';
import { allPages, allRecords, clientOf, errorOf } from '../../support/clientSamples.ts';
import { sendJson, startHostileServer } from '../../support/hostileServer.ts';

const settings = { active: true, project_name: null, tracker_external_url: null, api_url: null, integrated: true };
const key = {
  id: 1,
  active: true,
  public_key: 'glet_aa77551d849c083f76d0bc545ed053a3',
  tracker_dsn: 'https://glet_aa77551d849c083f76d0bc545ed053a3@gitlab.example.com/errortracking/api/v1/projects/5',
};

describe('the API documentation: error tracking', () => {
  it('GET settings', async () => {
    await using server = await startHostileServer((_, response) => sendJson(response, settings));
    assert.deepEqual(await clientOf(server.origin).errorTracking.settings('house/door'), settings);
    assert.equal(server.requests[0]?.target, '/api/v4/projects/house%2Fdoor/error_tracking/settings');
  });

  it('PUT settings sends active and integrated', async () => {
    await using server = await startHostileServer((_, response) => sendJson(response, settings));
    assert.deepEqual(
      await clientOf(server.origin).errorTracking.create(5, { active: true, integrated: true }),
      settings,
    );
    const [request] = server.requests;
    assert.deepEqual(
      [request?.method, request?.target, request?.body],
      ['PUT', '/api/v4/projects/5/error_tracking/settings', '{"active":true,"integrated":true}'],
    );
  });

  it('PATCH settings sends active, and integrated if given', async () => {
    await using server = await startHostileServer((_, response) => sendJson(response, settings));
    const { errorTracking } = clientOf(server.origin);
    await errorTracking.change(5, { active: false });
    await errorTracking.change(5, { active: true, integrated: false });
    assert.deepEqual(
      server.requests.map(({ method, body }) => [method, body]),
      [
        ['PATCH', '{"active":false}'],
        ['PATCH', '{"active":true,"integrated":false}'],
      ],
    );
  });

  it('GET client_keys', async () => {
    await using server = await startHostileServer(({ url }, response) =>
      sendJson(response, [key], {
        headers: url.searchParams.has('page')
          ? {}
          : { link: '</api/v4/projects/5/error_tracking/client_keys?page=2>; rel="next"' },
      }),
    );
    assert.deepEqual(await allRecords(clientOf(server.origin).errorTracking.clientKeys(5)), [key, key]);
    assert.equal(server.requests[0]?.target, '/api/v4/projects/5/error_tracking/client_keys');
  });

  it('POST client_keys', async () => {
    await using server = await startHostileServer((_, response) => sendJson(response, key, { status: 201 }));
    assert.deepEqual(await clientOf(server.origin).errorTracking.createClientKey(5), key);
    const [request] = server.requests;
    assert.deepEqual(
      [request?.method, request?.target, request?.body],
      ['POST', '/api/v4/projects/5/error_tracking/client_keys', ''],
    );
  });

  it('DELETE client_keys/:key_id, answered with the key, with nothing, or with no status but success', async () => {
    for (const answer of [
      { status: 200, body: JSON.stringify(key) },
      { status: 204, body: '' },
      { status: 200, body: '' },
    ]) {
      await using server = await startHostileServer((_, response) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
      await clientOf(server.origin).errorTracking.deleteClientKey('house/door', 3);
      const [request] = server.requests;
      assert.deepEqual(
        [request?.method, request?.target],
        ['DELETE', '/api/v4/projects/house%2Fdoor/error_tracking/client_keys/3'],
      );
    }
  });

  it('the names of the live platform are accepted and given as those of the API documentation', async () => {
    await using server = await startHostileServer(({ target }, response) => {
      const { tracker_dsn: dsn, ...rest } = key;
      const { tracker_external_url: _, ...others } = settings;
      if (target.endsWith('client_keys')) {
        sendJson(response, [{ ...rest, sentry_dsn: dsn }]);
      } else {
        sendJson(response, { ...others, sentry_external_url: 'https://sentry.example.com/x' });
      }
    });
    const { errorTracking } = clientOf(server.origin);
    assert.deepEqual(await allRecords(errorTracking.clientKeys(5)), [key]);
    assert.deepEqual(await errorTracking.settings(5), {
      ...settings,
      tracker_external_url: 'https://sentry.example.com/x',
    });
  });

  it('where both names are given, that of the API documentation holds', async () => {
    await using server = await startHostileServer((_, response) =>
      sendJson(response, [{ sentry_dsn: 'https://other@gitlab.example.com/1', ...key }]),
    );
    assert.deepEqual(await allRecords(clientOf(server.origin).errorTracking.clientKeys(5)), [key]);
  });

  it('null booleans are false, in settings and in keys', async () => {
    await using server = await startHostileServer(({ target }, response) =>
      sendJson(
        response,
        target.endsWith('client_keys') ? [{ ...key, active: null }] : { ...settings, active: null, integrated: null },
      ),
    );
    const { errorTracking } = clientOf(server.origin);
    const { active, integrated } = await errorTracking.settings(5);
    assert.deepEqual([active, integrated], [false, false]);
    assert.deepEqual(await allRecords(errorTracking.clientKeys(5)), [{ ...key, active: false }]);
  });

  it('a failing service reported with status 200 is unavailable', async () => {
    await using server = await startHostileServer((_, response) =>
      sendJson(response, { status: 'error', message: 'Error tracking failed', http_status: 'bad_gateway' }),
    );
    const { errorTracking } = clientOf(server.origin);
    await errorOf(errorTracking.settings(5), 'unavailable');
    await errorOf(allPages(errorTracking.clientKeys(5)), 'unavailable');
    await errorOf(errorTracking.createClientKey(5), 'unavailable');
  });

  it('missing parameters are validation errors by field', async () => {
    await using server = await startHostileServer((_, response) =>
      sendJson(response, { error: 'active is missing, integrated is empty' }, { status: 400 }),
    );
    const error = await errorOf(
      clientOf(server.origin).errorTracking.create(5, { active: true, integrated: true }),
      'validation',
    );
    assert.deepEqual(error.fields, { active: ['is missing'], integrated: ['is empty'] });
  });
});
