import assert from 'node:assert/strict';
import { allRecords, clientOf, errorOf } from '../../support/clientSamples.ts';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { type Answer, type Call, call, callAllPages, startTestSandbox } from './caller.ts';

/** All that differs: everything else is tested in the dialect of the documentation. */
describe('On the live platform', () => {
  let [spec, live]: Sandbox[] = [];
  before(async () => {
    [spec, live] = await Promise.all([startTestSandbox(), startTestSandbox({ dialect: 'live' })]);
  });
  after(() => Promise.all([spec?.close(), live?.close()]));

  type Records = readonly Record<string, unknown>[];
  /** The answers in the words of the documentation and on the live platform. */
  async function inBoth<T>(ask: (sandbox: Sandbox) => Promise<T>): Promise<readonly T[]> {
    assert.ok(spec && live);
    return await Promise.all([ask(spec), ask(live)]);
  }
  const one = (path: string, options: Call = {}) => inBoth((sandbox) => call(sandbox, path, options));
  const all = (path: string) => inBoth((sandbox) => callAllPages(sandbox, path));

  it('pushes, and what is opened again, have other names; pushes are of their project, or of none', async () => {
    const path = '/projects/501/events?per_page=100';
    const actions = (records: Records = []) => new Set(records.map((record) => record['action_name']));
    const types = (records: Records = []) => new Set(records.map((record) => record['target_type']));
    const [ofSpec, ofLive] = await all(`${path}&action=pushed`);
    assert.deepEqual(
      [actions(ofSpec), actions(ofLive)],
      [new Set(['pushed']), new Set(['deleted', 'pushed new', 'pushed to'])],
    );
    assert.deepEqual([types(ofSpec), types(ofLive)], [new Set([null]), new Set(['Project', null])]);
    const reopened = await all(`${path}&action=reopened`);
    assert.deepEqual(reopened.map(actions), [new Set(['reopened']), new Set(['opened'])]);
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
      const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
      assert.deepEqual(statuses(await one(path, { token: null })), anonymous, path);
      assert.deepEqual(
        statuses(await inBoth((sandbox) => call(sandbox, path, { token: sandbox.tokens.readUser }))),
        readUser,
        path,
      );
    }
  });

  it('events of others are left out of a page after they were counted', async () => {
    const [ofSpec, ofLive] = await inBoth(async (sandbox) => {
      const options = { token: sandbox.tokens.reader };
      const { headers } = await call(sandbox, '/users/marta/events', options);
      const { length } = await callAllPages(sandbox, '/users/marta/events', options);
      return { counted: Number(headers.get('x-total')), length };
    });
    assert.equal(ofSpec?.counted, ofSpec?.length);
    assert.ok(ofLive && ofLive.length > 0 && ofLive.counted > ofLive.length);
  });

  it('error tracking has other names', async () => {
    const [urls, dsns] = [
      await one('/projects/503/error_tracking/settings'),
      await one('/projects/501/error_tracking/client_keys'),
    ];
    const namesOf = (record: unknown) => Object.keys(record as object).filter((name) => /tracker|sentry/.test(name));
    assert.deepEqual(
      urls.map(({ json }) => namesOf(json)),
      [['tracker_external_url'], ['sentry_external_url']],
    );
    assert.deepEqual(
      dsns.map(({ records }) => namesOf(records[0])),
      [['tracker_dsn'], ['sentry_dsn']],
    );
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
      moved.map(({ status, headers }) => [status, headers.get('location')]),
      [
        [301, `${spec?.url}/api/v4/groups/13`],
        [404, null],
      ],
    );
  });

  it('the client reads what has other names, and knows what it may not', async () => {
    assert.ok(live);
    const client = clientOf(live.url, { token: live.tokens.owner });
    assert.match((await client.errorTracking.settings('harbor/tools/winch')).tracker_external_url ?? '', /^https:/);
    const [key] = await allRecords(client.errorTracking.clientKeys('harbor/tide-table'));
    assert.match(key?.tracker_dsn ?? '', /errortracking/);
    const change = { level: 'custom', new_note: true } as const;
    assert.equal((await client.notificationSettings.update('global', change)).events?.new_note, true);
    const reader = clientOf(live.url, { token: live.tokens.readUser });
    const error = await errorOf(allRecords(reader.events.ofProject('harbor/tide-table')), 'missingScope');
    assert.ok(error.requiredScopes.length > 0);
  });
});
