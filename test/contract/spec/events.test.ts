import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import type { EventRecord } from '../../../src/api/events.ts';
import type { Pages } from '../../../src/api/pagination.ts';
import { allPages, allRecords, errorOf, sampleEvent, sampleUser, serveClient } from '../../support/clientSamples.ts';

const push = {
  ...sampleEvent(2),
  action_name: 'pushed to',
  target_id: null,
  target_iid: null,
  target_type: null,
  target_title: null,
  note: undefined,
  push_data: {
    commit_count: 1,
    action: 'pushed',
    ref_type: 'branch',
    commit_from: '50d4420237a9de7be1304607147aec22e4a14af7',
    commit_to: 'c5feabde2d8cd023215af4d2ceeb7a64839fc428',
    ref: 'main',
    commit_title: 'Oil the hinges',
  },
};

describe('the API documentation: events', () => {
  const rows: readonly (readonly [row: string, (client: Client) => Pages<EventRecord>, target: string])[] = [
    ['GET /events', ({ events }) => events.mine(), 'events'],
    ['GET /users/:id/events: by id', ({ events }) => events.ofUser(7), 'users/7/events'],
    ['GET /users/:id/events: by username', ({ events }) => events.ofUser('rosa.e'), 'users/rosa.e/events'],
    ['GET /projects/:project_id/events: by id', ({ events }) => events.ofProject(7), 'projects/7/events'],
    ['GET /projects/:project_id/events: by path', ({ events }) => events.ofProject('a/b'), 'projects/a%2Fb/events'],
    ['action', ({ events }) => events.mine({ action: 'pushed' }), 'events?action=pushed'],
    ['action: an unknown one', ({ events }) => events.mine({ action: 'juggled' }), 'events?action=juggled'],
    ...['epic', 'issue', 'merge_request', 'milestone', 'note', 'project', 'snippet', 'user'].map(
      (type) =>
        [
          `target_type ${type}`,
          ({ events }: Client) => events.mine({ target_type: type }),
          `events?target_type=${type}`,
        ] as const,
    ),
    ['before', ({ events }) => events.mine({ before: '2026-02-01' }), 'events?before=2026-02-01'],
    ['after', ({ events }) => events.mine({ after: '2026-01-01' }), 'events?after=2026-01-01'],
    ['sort', ({ events }) => events.mine({ sort: 'asc' }), 'events?sort=asc'],
    ['scope', ({ events }) => events.mine({ scope: 'all' }), 'events?scope=all'],
    ['per_page', ({ events }) => events.mine({}, { perPage: 50 }), 'events?per_page=50'],
  ];
  for (const [row, list, target] of rows) {
    it(row, async () => {
      await using server = await serveClient({ json: [] });
      await allPages(list(server.client));
      assert.equal(server.targets[0], `/api/v4/${target}`);
    });
  }

  it('records are read as the API documentation shows them, and keep fields it does not name', async () => {
    const event = { ...sampleEvent(1), reactions: [{ name: 'tada' }] };
    await using server = await serveClient({ json: [event, push] });
    const records = await allRecords(server.client.events.mine());
    assert.deepEqual(JSON.parse(JSON.stringify(records)), JSON.parse(JSON.stringify([event, push])));
  });

  it('a null boolean is false inside of records, too, which are what they were otherwise', async () => {
    const event = sampleEvent(1);
    const { note } = event;
    const withNulls = {
      ...event,
      imported: null,
      author: { ...sampleUser, locked: null, pronouns: null },
      note: { ...(note as object), system: null, confidential: null, author: { ...sampleUser, locked: null } },
      extra: { deep: [null] },
    };
    const bad = { ...withNulls, id: 'one' };
    await using server = await serveClient({ json: [withNulls, event, bad] });
    const [page] = await allPages(server.client.events.mine());
    const [first, second] = page?.items ?? [];
    assert.deepEqual(first, {
      ...withNulls,
      imported: false,
      author: { ...sampleUser, locked: false, pronouns: null },
      note: { ...(note as object), system: false, confidential: false, author: { ...sampleUser, locked: false } },
    });
    assert.deepEqual(second, event);
    assert.deepEqual(page?.misfits, [{ raw: bad, problems: ['id: has another form'] }]);
  });

  it('what the live platform leaves out, adds or writes otherwise is an event all the same', async () => {
    const { title: _title, author: _author, target_id: _id, ...sparse } = sampleEvent(1);
    const wiki_page = { format: 'markdown', slug: 'home', title: 'Home' };
    const variants = [
      sparse,
      { ...sampleEvent(2), project_id: null, target_type: 'WorkItem', created_at: '2024-12-09T13:05:25.469+01:00' },
      { ...sampleEvent(3), action_name: 'juggled', target_type: 'DesignManagement::Design' },
      { ...push, push_data: { ...push.push_data, action: 'created', commit_from: null, ref_type: 'tag' } },
      { ...sampleEvent(5), target_type: 'WikiPage::Meta', wiki_page },
      { ...push, id: 7, push_data: { ref: 'main' } },
      { id: 6, action_name: 'joined', created_at: '2026-01-01T00:00:00.000Z' },
    ];
    await using server = await serveClient({ json: variants });
    const [page] = await allPages(server.client.events.mine());
    assert.deepEqual(page?.misfits, []);
  });

  it('records without an id, as instances of 2018 send them, are events that stay the same; without a time, too, they are none', async () => {
    const { id: _id, ...withoutId } = sampleEvent(1);
    const { created_at: _time, ...withoutBoth } = withoutId;
    const later = { ...withoutId, created_at: '2026-02-09T10:43:19.668Z' };
    const another = { ...withoutId, target_title: 'Another' };
    const sent = [later, withoutId, another, withoutBoth, { ...withoutBoth, id: null }];
    await using server = await serveClient({ json: sent });
    const first = await allRecords(server.client.events.mine());
    assert.deepEqual(await allRecords(server.client.events.mine()), first);
    const [newest = 0, known = 0, other = 0, ...rest] = first.map(({ id }) => id);
    assert.deepEqual(rest, []);
    assert.ok(newest > known && newest > other && known !== other);
    assert.ok([newest, known, other].every((id) => Number.isSafeInteger(id) && id < 0));
  });

  it('an event stays one, and its author somebody, where either is told in part', async () => {
    const sent = [
      { ...sampleEvent(1), action_name: null },
      { id: 2, created_at: '2026-02-09T10:43:19.668Z' },
      { ...sampleEvent(3), author: { username: 'rosa', id: null, name: null, state: null, avatar_url: null } },
    ];
    await using server = await serveClient({ json: sent });
    const [first, second, third] = await allRecords(server.client.events.mine());
    assert.deepEqual([first?.action_name, second?.action_name, third?.author?.username], ['', '', 'rosa']);
  });

  it('a token without the scope gets an error that names it', async () => {
    const reason = { error: 'insufficient_scope', error_description: 'The request requires higher privileges' };
    await using server = await serveClient({ json: { ...reason, scope: 'api read_user' }, status: 403 });
    const error = await errorOf(allPages(server.client.events.mine()), 'missingScope');
    assert.deepEqual(error.requiredScopes, ['api', 'read_user']);
  });
});
