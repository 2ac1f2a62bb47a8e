import assert from 'node:assert/strict';
import { allRecords, clientOf, errorOf } from '../../support/clientSamples.ts';
import { type Call, suiteSandbox } from './caller.ts';

/** All that differs: everything else is tested in the dialect of the documentation. */
describe('On the live platform', () => {
  const [spec, live] = [suiteSandbox(), suiteSandbox({ dialect: 'live' })];

  type Records = readonly Record<string, unknown>[];
  /** What is found in the words of the documentation and on the live platform. */
  const inBoth = <T>(ask: (instance: typeof spec) => Promise<T>) => Promise.all([ask(spec), ask(live)]);
  const one = (path: string, init: Call = {}) => inBoth(({ call }) => call(path, init));
  const all = (path: string) => inBoth(({ callAllPages }) => callAllPages(path));
  const distinct = (records: Records, field: string) => new Set(records.map((record) => record[field]));

  it('pushes, and what is opened again, have other names; pushes are of their project, or of none', async () => {
    const path = '/projects/501/events?per_page=100';
    const pushes = await all(`${path}&action=pushed`);
    assert.deepEqual(
      pushes.map((records) => [distinct(records, 'action_name'), distinct(records, 'target_type')]),
      [
        [new Set(['pushed']), new Set([null])],
        [new Set(['deleted', 'pushed new', 'pushed to']), new Set(['Project', null])],
      ],
    );
    const reopened = await all(`${path}&action=reopened`);
    assert.deepEqual(
      reopened.map((records) => [...distinct(records, 'action_name')]),
      [['reopened'], ['opened']],
    );
    const ofProjects = await all(`${path}&target_type=project`);
    assert.deepEqual(
      ofProjects.map((records) => records.some((record) => 'push_data' in record)),
      [false, true],
    );
  });

  it('events have no title and no data, pushes a number of refs, comments more fields, and times may have an offset', async () => {
    const feeds = await all('/projects/501/events?per_page=100');
    const facts = feeds.map((records) => {
      const note = records.find((record) => record['target_type'] === 'DiffNote')?.['note'] as object | undefined;
      return {
        title: records.some((record) => 'title' in record),
        data: records.some((record) => 'data' in record),
        isEveryAuthorKnown: records.every((record) => 'author' in record),
        offset: records.some((record) => String(record['created_at']).endsWith('+01:00')),
        refCount: records.every(({ push_data: push }) => push === undefined || 'ref_count' in (push as object)),
        note: ['type', 'position', 'resolvable', 'internal'].every((name) => note !== undefined && name in note),
      };
    });
    assert.deepEqual(facts, [
      { title: true, data: true, isEveryAuthorKnown: true, offset: false, refCount: false, note: false },
      { title: false, data: false, isEveryAuthorKnown: false, offset: true, refCount: true, note: true },
    ]);
  });

  it('what is public of the events needs no token, and those of projects more than read_user', async () => {
    for (const [path, anonymous, readUser] of [
      ['/events', [401, 401], [200, 200]],
      ['/users/marta/events', [401, 200], [200, 200]],
      ['/projects/503/events', [401, 200], [200, 403]],
      ['/projects/501/events', [401, 404], [200, 403]],
    ] as const) {
      const withoutToken = await one(path, { token: null });
      const narrow = await inBoth(({ call, sandbox }) => call(path, { token: sandbox.tokens.readUser }));
      const statuses = [withoutToken, narrow].map((answers) => answers.map(({ status }) => status));
      assert.deepEqual(statuses, [anonymous, readUser], path);
    }
  });

  it('events of others are left out of a page after they were counted', async () => {
    const [ofSpec, ofLive] = await inBoth(async ({ sandbox, call, callAllPages }) => {
      const init = { token: sandbox.tokens.reader };
      const { headers } = await call('/users/marta/events', init);
      const { length } = await callAllPages('/users/marta/events', init);
      return { counted: Number(headers.get('x-total')), length };
    });
    assert.equal(ofSpec.counted, ofSpec.length);
    assert.ok(ofLive.length > 0 && ofLive.counted > ofLive.length);
  });

  it('error tracking has other names', async () => {
    for (const [path, ...names] of [
      ['503/error_tracking/settings', 'tracker_external_url', 'sentry_external_url'],
      ['501/error_tracking/client_keys', 'tracker_dsn', 'sentry_dsn'],
    ] as const) {
      const answers = await one(`/projects/${path}`);
      const records = answers.map(({ json }) => [json].flat()[0] as object);
      const found = records.flatMap((record) => Object.keys(record).filter((name) => /tracker|sentry/.test(name)));
      assert.deepEqual(found, names);
    }
  });

  it('notification settings show events globally, too, and those of the place and of service accounts alone', async () => {
    const names = ['new_note', 'new_epic', 'approver', 'service_account_failed_pipeline'];
    for (const [path, ofSpec, ofLive] of [
      ['/notification_settings', [], [null, null, false, false]],
      ['/groups/11/notification_settings', [null, null], [null, null, undefined, false]],
      ['/projects/501/notification_settings', [null, null], [null, undefined, false, false]],
    ] as const) {
      const answers = await one(`${path}?level=custom`, { method: 'PUT' });
      const flags = answers.map(({ json }) => {
        const { events = {} } = json as { events?: Record<string, unknown> };
        return names.map((name) => events[name]);
      });
      const none = [undefined, undefined, undefined, undefined];
      assert.deepEqual(flags, [[...ofSpec, ...none].slice(0, 4), ofLive], path);
    }
  });

  it('a page by keyset names the next cursor in a header, and a moved group is not redirected', async () => {
    const pages = await one('/groups?pagination=keyset&order_by=name&sort=asc&per_page=1');
    assert.deepEqual(
      pages.map(({ headers }) => headers.has('x-next-cursor')),
      [false, true],
    );
    const moved = await one('/groups/shipyard');
    assert.deepEqual(
      moved.map(({ headers, status }) => headers.get('location') ?? status),
      [`${spec.sandbox.url}/api/v4/groups/13`, 404],
    );
  });

  it('the client reads what has other names, and knows what it may not', async () => {
    const { url, tokens } = live.sandbox;
    const client = clientOf(url, { token: tokens.owner });
    assert.match((await client.errorTracking.settings('harbor/tools/winch')).tracker_external_url ?? '', /^https:/);
    const [key] = await allRecords(client.errorTracking.clientKeys('harbor/tide-table'));
    assert.match(key?.tracker_dsn ?? '', /errortracking/);
    const change = { level: 'custom', new_note: true } as const;
    assert.equal((await client.notificationSettings.update('global', change)).events?.new_note, true);
    const reader = clientOf(url, { token: tokens.readUser });
    const error = await errorOf(allRecords(reader.events.ofProject('harbor/tide-table')), 'missingScope');
    assert.ok(error.requiredScopes.length > 0);
  });
});
