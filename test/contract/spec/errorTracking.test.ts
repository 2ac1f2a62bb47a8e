import assert from 'node:assert/strict';
import { allPages, allRecords, errorOf, numberedPages, serveClient } from '../../support/clientSamples.ts';
import { sendJson } from '../../support/hostileServer.ts';

const settings = { active: true, project_name: null, tracker_external_url: null, api_url: null, integrated: true };
const key = {
  id: 1,
  active: true,
  public_key: 'glet_aa77551d849c083f76d0bc545ed053a3',
  tracker_dsn: 'https://glet_aa77551d849c083f76d0bc545ed053a3@gitlab.example.com/errortracking/api/v1/projects/5',
};

describe('the API documentation: error tracking', () => {
  it('GET settings', async () => {
    await using server = await serveClient({ json: settings });
    assert.deepEqual(await server.client.errorTracking.settings('house/door'), settings);
    assert.equal(server.targets[0], '/api/v4/projects/house%2Fdoor/error_tracking/settings');
  });

  it('PUT settings sends active and integrated', async () => {
    await using server = await serveClient({ json: settings });
    assert.deepEqual(await server.client.errorTracking.create(5, { active: true, integrated: true }), settings);
    assert.deepEqual(server.sent, ['PUT /api/v4/projects/5/error_tracking/settings {"active":true,"integrated":true}']);
  });

  it('PATCH settings sends active, and integrated if given', async () => {
    await using server = await serveClient({ json: settings });
    const { errorTracking } = server.client;
    await errorTracking.change(5, { active: false });
    await errorTracking.change(5, { active: true, integrated: false });
    assert.deepEqual(server.sent, [
      'PATCH /api/v4/projects/5/error_tracking/settings {"active":false}',
      'PATCH /api/v4/projects/5/error_tracking/settings {"active":true,"integrated":false}',
    ]);
  });

  it('GET client_keys', async () => {
    await using server = await serveClient(numberedPages(() => [key], 2));
    assert.deepEqual(await allRecords(server.client.errorTracking.clientKeys(5)), [key, key]);
    assert.equal(server.targets[0], '/api/v4/projects/5/error_tracking/client_keys');
  });

  it('POST client_keys', async () => {
    await using server = await serveClient({ json: key, status: 201 });
    assert.deepEqual(await server.client.errorTracking.createClientKey(5), key);
    assert.deepEqual(server.sent, ['POST /api/v4/projects/5/error_tracking/client_keys']);
  });

  it('DELETE client_keys/:key_id, answered with the key, with nothing, or with no status but success', async () => {
    const headers = { 'content-type': 'application/json' };
    for (const answer of [{ json: key }, { status: 204, headers }, { status: 200, headers }]) {
      await using server = await serveClient(answer);
      await server.client.errorTracking.deleteClientKey('house/door', 3);
      assert.deepEqual(server.sent, ['DELETE /api/v4/projects/house%2Fdoor/error_tracking/client_keys/3']);
    }
  });

  it('the names of the live platform are accepted and given as those of the API documentation', async () => {
    const url = 'https://sentry.example.com/x';
    const { tracker_dsn: sentry_dsn, ...rest } = key;
    const { tracker_external_url: _, ...others } = settings;
    await using server = await serveClient(({ target }, response) =>
      sendJson(
        response,
        target.endsWith('client_keys') ? [{ ...rest, sentry_dsn }] : { ...others, sentry_external_url: url },
      ),
    );
    const { errorTracking } = server.client;
    assert.deepEqual(await allRecords(errorTracking.clientKeys(5)), [key]);
    assert.deepEqual(await errorTracking.settings(5), { ...settings, tracker_external_url: url });
  });

  it('where both names are given, that of the API documentation holds', async () => {
    await using server = await serveClient({ json: [{ sentry_dsn: 'https://other@gitlab.example.com/1', ...key }] });
    assert.deepEqual(await allRecords(server.client.errorTracking.clientKeys(5)), [key]);
  });

  it('null booleans are false, in settings and in keys', async () => {
    await using server = await serveClient(({ target }, response) =>
      sendJson(
        response,
        target.endsWith('client_keys') ? [{ ...key, active: null }] : { ...settings, active: null, integrated: null },
      ),
    );
    const { errorTracking } = server.client;
    const { active, integrated } = await errorTracking.settings(5);
    assert.deepEqual([active, integrated], [false, false]);
    assert.deepEqual(await allRecords(errorTracking.clientKeys(5)), [{ ...key, active: false }]);
  });

  it('a failing service reported with status 200 is unavailable', async () => {
    await using server = await serveClient({
      json: { status: 'error', message: 'Error tracking failed', http_status: 'bad_gateway' },
    });
    const { errorTracking } = server.client;
    await errorOf(errorTracking.settings(5), 'unavailable');
    await errorOf(allPages(errorTracking.clientKeys(5)), 'unavailable');
    await errorOf(errorTracking.createClientKey(5), 'unavailable');
  });

  it('missing parameters are validation errors by field', async () => {
    await using server = await serveClient({ json: { error: 'active is missing, integrated is empty' }, status: 400 });
    const { errorTracking } = server.client;
    const error = await errorOf(errorTracking.create(5, { active: true, integrated: true }), 'validation');
    assert.deepEqual(error.fields, { active: ['is missing'], integrated: ['is empty'] });
  });
});
