import assert from 'node:assert/strict';
import { allPages, clientOf, errorOf, sampleUser, serveClient } from '../../support/clientSamples.ts';
import { sendJson } from '../../support/hostileServer.ts';

const sampleProject = { id: 42, name: 'Door', path_with_namespace: 'house/door' };

describe('the API documentation: requests', () => {
  it('every path is {base_url}/api/v4/<resource path>', async () => {
    await using server = await serveClient({ json: sampleUser });
    await server.client.directory.currentUser();
    await clientOf(`${server.origin}/`).directory.currentUser();
    await clientOf(`${server.origin}/gitlab`).directory.currentUser();
    await clientOf(`${server.origin}/gitlab/`).directory.currentUser();
    assert.deepEqual(server.targets, ['/api/v4/user', '/api/v4/user', '/gitlab/api/v4/user', '/gitlab/api/v4/user']);
  });

  it('an address that is not one of an instance is refused without being repeated', () => {
    for (const instanceUrl of ['ftp://host?secret', 'https://user:secret@host']) {
      assert.throws(
        () => clientOf(instanceUrl),
        (error) => error instanceof TypeError && !error.message.includes('secret'),
      );
    }
  });

  it('parameters of GET go into the query, those of PUT, POST and PATCH into a JSON body', async () => {
    await using server = await serveClient(({ method }, response) =>
      sendJson(response, method === 'GET' ? [] : { level: 'custom', active: true }),
    );
    const { client } = server;
    await allPages(client.events.mine({ action: 'pushed', sort: 'asc' }, { perPage: 5 }));
    await client.notificationSettings.update('global', { level: 'custom', new_note: true });
    await client.errorTracking.change(1, { active: true });
    assert.deepEqual(server.sent, [
      'GET /api/v4/events?action=pushed&sort=asc&per_page=5',
      'PUT /api/v4/notification_settings {"level":"custom","new_note":true}',
      'PATCH /api/v4/projects/1/error_tracking/settings {"active":true}',
    ]);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['content-type']),
      [undefined, 'application/json', 'application/json'],
    );
  });

  it('values in a path are URL-encoded', async () => {
    await using server = await serveClient({ json: [] });
    await allPages(server.client.events.ofUser('josé ?#%:@'));
    assert.equal(server.targets[0], '/api/v4/users/jos%C3%A9%20%3F%23%25%3A%40/events');
  });

  it('a value that cannot be part of a path is not sent', async () => {
    await using server = await serveClient({ json: {} });
    const { client } = server;
    for (const value of ['', '.', '..', '\uD800', 1.5, Number.NaN]) {
      await assert.rejects(client.directory.project(value), TypeError);
    }
    for (const value of [undefined, null, true, {}, [], ['a']] as unknown as string[]) {
      await assert.rejects(client.directory.project(value), TypeError);
      await assert.rejects(client.notificationSettings.get({ group: value }), TypeError);
    }
    assert.equal(server.requests.length, 0);
  });

  it('a project or group is given by its id or its URL-encoded full path', async () => {
    await using server = await serveClient({ json: { ...sampleProject, full_path: 'house' } });
    const { directory } = server.client;
    await directory.project(42);
    await directory.project('house/front/door');
    await directory.group('house/front');
    assert.deepEqual(server.targets, [
      '/api/v4/projects/42',
      '/api/v4/projects/house%2Ffront%2Fdoor',
      '/api/v4/groups/house%2Ffront',
    ]);
  });

  it('arrays, hashes and arrays of hashes have their notation in a query', async () => {
    await using server = await serveClient({ json: [] });
    const parameters = {
      ids: [1, 2],
      custom: { colour: 'red' },
      variables: [
        { key: 'a', value: 'b' },
        { key: 'c', value: 'd' },
      ],
    };
    await allPages(server.client.directory.projects({ parameters }));
    const query =
      'ids[]=1&ids[]=2&custom[colour]=red&variables[0][key]=a&variables[0][value]=b&variables[1][key]=c&variables[1][value]=d&';
    assert.ok(server.targets[0]?.startsWith(`/api/v4/projects?${query}`));
  });

  it('a plus in a query is sent as %2B, a space as %20', async () => {
    await using server = await serveClient({ json: [] });
    await allPages(server.client.events.mine({ after: '2026-01-01T00:00:00+01:00', action: 'a b' }));
    assert.equal(server.targets[0], '/api/v4/events?after=2026-01-01T00%3A00%3A00%2B01%3A00&action=a%20b');
  });

  it('what is not JSON is not taken for an answer', async () => {
    for (const [type, body] of [
      ['text/html; charset=utf-8', '<html>Sign in</html>'],
      ['text/plain', 'Hello'],
      ['application/xml', '<a/>'],
    ] as const) {
      await using server = await serveClient({ status: 200, headers: { 'content-type': type }, text: body });
      const error = await errorOf(server.client.directory.currentUser(), 'notAnInstance');
      assert.equal(error.found, type.split(';')[0]);
    }
  });

  it('JSON of something else is not taken for an answer', async () => {
    await using server = await serveClient({ json: { status: 'up' } });
    await errorOf(server.client.directory.currentUser(), 'notAnInstance');
    await errorOf(allPages(server.client.events.mine()), 'notAnInstance');
  });

  it('a moved address is followed, with its query', async () => {
    await using server = await serveClient(({ url, headers }, response) => {
      if (url.pathname.includes('old%2Fdoor')) {
        const location = `http://${headers.host}/api/v4/projects/42/events${url.search}`;
        response.writeHead(301, { location }).end(`This resource has been moved permanently to ${location}`);
      } else {
        sendJson(response, []);
      }
    });
    await allPages(server.client.events.ofProject('old/door', { action: 'pushed' }));
    assert.equal(server.targets[1], '/api/v4/projects/42/events?action=pushed');
  });

  it('a redirect keeps method and body, for 301, 307 and 308', async () => {
    for (const status of [301, 307, 308]) {
      await using server = await serveClient(({ url }, response) => {
        if (url.pathname.includes('/42/')) {
          sendJson(response, { active: false, integrated: true });
        } else {
          response.writeHead(status, { location: '/api/v4/projects/42/error_tracking/settings' }).end();
        }
      });
      const change = { active: false, integrated: true };
      const settings = await server.client.errorTracking.create('old/door', change);
      assert.equal(settings.active, false);
      assert.deepEqual(
        server.sent,
        ['old%2Fdoor', '42'].map(
          (id) => `PUT /api/v4/projects/${id}/error_tracking/settings ${JSON.stringify(change)}`,
        ),
      );
    }
  });

  it('a POST or PATCH is sent once, whatever redirect answers it', async () => {
    for (const status of [301, 307, 308]) {
      const headers = { location: '/api/v4/projects/42/error_tracking/client_keys' };
      await using server = await serveClient({ status, headers });
      const { errorTracking } = server.client;
      await errorOf(errorTracking.createClientKey('old/door'), 'refused');
      await errorOf(errorTracking.change('old/door', { active: false }), 'refused');
      assert.deepEqual(
        server.requests.map(({ method }) => method),
        ['POST', 'PATCH'],
      );
    }
  });

  it('redirects are followed five times at most', async () => {
    await using server = await serveClient(({ url }, response) => {
      const hop = Number(url.searchParams.get('hop') ?? 0) + 1;
      response.writeHead(301, { location: `/api/v4/user?hop=${hop}` }).end();
    });
    await errorOf(server.client.directory.currentUser(), 'notAnInstance');
    assert.equal(server.requests.length, 6);
  });

  it('a redirect that differs in the scheme alone is followed at the own origin', async () => {
    await using server = await serveClient(({ url, headers }, response) => {
      if (url.pathname.endsWith('/old')) {
        response.writeHead(301, { location: `https://${headers.host}/api/v4/projects/42` }).end();
      } else {
        sendJson(response, sampleProject);
      }
    });
    assert.equal((await server.client.directory.project('old')).id, 42);
  });

  it('an http address that only leads to https is named as moved', async () => {
    await using server = await serveClient(({ target, headers }, response) => {
      response.writeHead(301, { location: `https://${headers.host}${target}` }).end();
    });
    const error = await errorOf(server.client.directory.currentUser(), 'movedElsewhere');
    assert.equal(error.foreignOrigin, server.origin.replace('http:', 'https:'));
    assert.equal(server.requests.length, 1);
  });

  it('a redirect that leads nowhere is an error', async () => {
    for (const answer of [
      { status: 301 },
      ...['http://[', 'javascript:alert(1)'].map((location) => ({ status: 301, headers: { location } })),
      ...[300, 304].map((status) => ({ status, headers: { location: '/users/sign_in' } })),
    ]) {
      await using server = await serveClient(answer);
      await errorOf(server.client.directory.currentUser(), 'notAnInstance');
    }
  });

  it('a query that is too long is an error that says so', async () => {
    for (const [status, body] of [
      [414, '<html>Request-URI Too Large</html>'],
      [431, ''],
    ] as const) {
      await using server = await serveClient({ status, headers: { 'content-type': 'text/html' }, text: body });
      const refused = await errorOf(allPages(server.client.directory.users({ search: 'x'.repeat(5_000) })), 'tooLong');
      assert.deepEqual([refused.status, refused.length], [status, server.targets[0]?.length]);
    }
  });

  it('what must be URL-encoded and is not finds no endpoint: 404 with the key error', async () => {
    await using server = await serveClient({ json: { error: '404 Not Found' }, status: 404 });
    const error = await errorOf(server.client.directory.project('a/b'), 'notFound');
    assert.equal(error.sentence, '404 Not Found');
  });

  it('what cannot be sent as it is meant is not sent: null, no number, no date', async () => {
    await using server = await serveClient({ json: [] });
    const { errorTracking, events, notificationSettings } = server.client;
    // As a caller without types may.
    const nothing = null as unknown as boolean;
    await assert.rejects(notificationSettings.update('global', { new_note: nothing }), TypeError);
    await assert.rejects(errorTracking.create('group/project', { active: nothing, integrated: true }), TypeError);
    const after = new Date(Number.NaN) as unknown as string;
    await assert.rejects(events.mine({ after }).next(), TypeError);
    await assert.rejects(events.mine({}, { perPage: Number.NaN }).next(), TypeError);
    assert.equal(server.requests.length, 0);
  });
});
