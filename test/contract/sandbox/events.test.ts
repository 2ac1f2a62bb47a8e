import assert from 'node:assert/strict';
import { eventReader } from '../../../src/api/events.ts';
import { suiteSandbox } from './caller.ts';

describe("The sandbox's events", () => {
  const { call, callAllPages, outcomeOf } = suiteSandbox();
  const distinct = (records: readonly Record<string, unknown>[], field: string) =>
    new Set(records.map((record) => record[field]));

  it('match the schema of the client, with every kind of the documentation', async () => {
    const records = await callAllPages('/projects/501/events?per_page=100');
    // Nothing of them counts as unknown, either.
    assert.deepEqual(eventReader.read(records), { items: records, misfits: [] });
    const actions = distinct(records, 'action_name');
    const expected = ['opened', 'closed', 'commented on', 'joined', 'destroyed', 'removed', 'imported', 'anchored'];
    for (const name of [...expected, 'pushed']) {
      assert.ok(actions.has(name), name);
    }
    const types = distinct(records, 'target_type');
    for (const type of ['Issue', 'MergeRequest', 'Milestone', 'DiffNote', 'WikiPage::Meta', 'Epic', 'Lighthouse']) {
      assert.ok(types.has(type), type);
    }
  });

  it('include bulk pushes with their limited detail', async () => {
    const records = await callAllPages('/events?scope=all&per_page=100&action=pushed');
    const pushes = records.map((record) => record['push_data'] as Record<string, unknown>);
    const bulk = pushes.filter((push) => push['ref_count']);
    assert.ok(bulk.length > 0);
    for (const { commit_count, commit_from, commit_to, ref, commit_title } of bulk) {
      assert.deepEqual([commit_count, commit_from, commit_to, ref, commit_title], [0, null, null, null, null]);
    }
  });

  it('leave epics and merge requests out of the feeds of users', async () => {
    for (const path of ['/events', '/events?scope=all', '/users/marta/events', '/users/104/events']) {
      const records = await callAllPages(path);
      const types = distinct(records, 'target_type');
      assert.ok(records.length > 0, path);
      assert.ok(!types.has('MergeRequest') && !types.has('Epic'), path);
    }
    const own = await callAllPages('/events?per_page=100');
    assert.deepEqual([...distinct(own, 'author_username')], ['marta']);
    const everyone = await callAllPages('/events?scope=all&per_page=100');
    assert.ok(distinct(everyone, 'author_id').size > 3);
    assert.ok(!distinct(everyone, 'project_id').has(506));
  });

  it('are filtered by action and target type', async () => {
    for (const [query, field, only] of [
      ['action=commented', 'action_name', 'commented on'],
      ['target_type=milestone&action=destroyed', 'target_type', 'Milestone'],
      ['target_type=note', 'target_type', 'Note'],
      ['target_type=issue&per_page=100', 'target_type', 'Issue'],
    ] as const) {
      assert.deepEqual([...distinct(await callAllPages(`/projects/501/events?${query}`), field)], [only]);
    }
  });

  it('are filtered by day, both days themselves excluded', async () => {
    const days = distinct(await callAllPages('/events?after=2026-03-1&before=2026-03-10'), 'created_at');
    const sorted = [...days].map((time) => new Date(String(time)).toISOString()).sort();
    assert.ok((sorted[0] ?? '') >= '2026-03-02');
    assert.ok((sorted.at(-1) ?? '') < '2026-03-10');
    const march2 = await callAllPages('/events?after=2026-03-01&before=2026-03-03');
    assert.ok(march2.every((event) => new Date(String(event['created_at'])).toISOString().startsWith('2026-03-02')));
  });

  it('are sorted, the newest first unless asked otherwise', async () => {
    const descending = await callAllPages('/events');
    const ascending = await callAllPages('/events?sort=asc');
    assert.deepEqual(ascending.toReversed(), descending);
    const ids = ascending.map((event) => Number(event['id']));
    assert.deepEqual(
      ids.toSorted((a, b) => a - b),
      ids,
    );
  });

  it('refuse bad values', async () => {
    for (const [query, error] of [
      ['action=sing', 'action does not have a valid value'],
      ['target_type=door', 'target_type does not have a valid value'],
      ['sort=up', 'sort does not have a valid value'],
      ['after=yesterday', 'after is invalid'],
      ['before=2026-02-30', 'before is invalid'],
      ['action=sing&before=x', 'action does not have a valid value, before is invalid'],
      ['page=x', 'page is invalid'],
      ['per_page=0', 'per_page has a value not allowed'],
    ] as const) {
      assert.deepEqual(await outcomeOf(`/events?${query}`), [400, { error }], query);
    }
  });

  it('are not found for unknown users and what the caller may not see', async () => {
    assert.deepEqual(await outcomeOf('/users/nobody/events'), [404, { message: '404 User Not Found' }]);
    for (const path of ['/projects/506/events', '/projects/999/events', '/projects/harbor%2Fnothing/events']) {
      assert.deepEqual(await outcomeOf(path), [404, { message: '404 Project Not Found' }]);
    }
    assert.deepEqual((await call('/users/ines/events')).json, []);
  });

  it('of other users are those in projects that the caller may see', async () => {
    const projects = distinct(await callAllPages('/users/femi/events?per_page=100'), 'project_id');
    assert.ok(projects.size > 1 && !projects.has(506) && !projects.has(null));
  });
});
