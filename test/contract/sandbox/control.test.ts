import assert from 'node:assert/strict';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { dropped, endless, failing, truncated, withRecords } from '../../support/sandbox/transforms.ts';
import type { Write } from '../../support/sandbox/writes.ts';
import { call, startTestSandbox } from './caller.ts';

describe('The sandbox of tests', () => {
  let sandbox: Sandbox;
  const writes: Write[] = [];
  beforeEach(async () => {
    sandbox = await startTestSandbox({ onWrite: (write) => writes.push(write) });
  });
  afterEach(() => sandbox.close());

  it('fails at a path, so many times', async () => {
    sandbox.control.transform(
      { answer: 503, times: 2, path: '/projects/*' },
      { answer: failing(429, 'Retry later'), times: 1, path: '/user' },
    );
    const statuses = [];
    for (const path of ['/projects/501', '/events', '/projects/501/events', '/projects/501', '/user', '/user']) {
      statuses.push((await call(sandbox, path)).status);
    }
    assert.deepEqual(statuses, [503, 200, 503, 200, 429, 200]);
  });

  it('drops connections before a request is carried out, and cuts off answers after it', async () => {
    const settings = '/projects/501/notification_settings';
    for (const [answer, level] of [
      [dropped, 'global'],
      [truncated, 'watch'],
    ] as const) {
      sandbox.control.transform({ answer, method: 'PUT' });
      await assert.rejects(call(sandbox, `${settings}?level=watch`, { method: 'PUT' }), TypeError);
      assert.deepEqual((await call(sandbox, settings)).json, { level });
    }
    assert.deepEqual(
      writes.map(({ method, path, username, status }) => [method, path, username, status]),
      [['PUT', settings, 'marta', 200]],
    );
  });

  it('changes records, and names pages without an end', async () => {
    sandbox.control.transform({ answer: withRecords((record) => ({ ...record, id: null })) });
    assert.ok((await call(sandbox, '/events')).records.every(({ id }) => id === null));
    sandbox.control.transform({ answer: endless('cursor') });
    const { headers } = await call(sandbox, '/events?page=999');
    assert.match(headers.get('link') ?? '', /cursor=2>; rel="next"$/);
  });

  it('moves a project, and deletes it with its events', async () => {
    sandbox.control.moveProject('504', 'ship-log');
    const moved = await call(sandbox, '/projects/harbor%2Ftools%2Flogbook/events');
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, `${sandbox.url}/api/v4/projects/504/events`]);
    assert.equal((await call(sandbox, '/projects/harbor%2Ftools%2Fship-log')).status, 200);
    const count = async () => Number((await call(sandbox, '/events?scope=all')).headers.get('x-total'));
    const before = await count();
    sandbox.control.deleteProject('504');
    assert.equal((await call(sandbox, '/projects/504/events')).status, 404);
    assert.equal((await call(sandbox, '/projects/harbor%2Ftools%2Flogbook')).status, 404);
    assert.ok((await count()) < before);
    const made = sandbox.control.addEvents({ count: 50, rare: true });
    assert.ok(made.every((event) => event.project_id !== 504));
    const { records } = await call(sandbox, '/projects/501/events?per_page=100');
    assert.ok(
      made.filter((event) => event.project_id === 501).every(({ id }) => records.some((one) => one['id'] === id)),
    );
  });
});
