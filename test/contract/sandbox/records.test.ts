import assert from 'node:assert/strict';
import { createClient } from '../../../src/api/client.ts';
import { isUnrecognized } from '../../../src/api/unrecognized.ts';
import type { Sandbox } from '../../support/sandbox/sandbox.ts';
import { startTestSandbox } from './caller.ts';

describe("The sandbox's records", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startTestSandbox();
  });
  after(() => sandbox.close());

  it('all have the shape that the client knows', async () => {
    const { events, directory } = createClient({ instanceUrl: sandbox.url, token: sandbox.tokens.owner });
    const lists = [
      events.mine({ scope: 'all' }),
      events.ofUser('marta'),
      ...[501, 502, 503, 504, 505].map((id) => events.ofProject(id)),
      directory.projects(),
      directory.projects({ parameters: { membership: true, simple: true } }),
      directory.groups(),
      directory.users(),
    ];
    for (const list of lists) {
      let count = 0;
      for await (const { items } of list) {
        count += items.length;
        assert.deepEqual(items.filter(isUnrecognized), []);
      }
      assert.ok(count > 0);
    }
    await Promise.all([directory.currentUser(), directory.token(), directory.version(), directory.user(104)]);
    await Promise.all([directory.project('harbor/tide-table'), directory.group('harbor/tools')]);
  });
});
