import assert from 'node:assert/strict';

import {
  type ScopeLookupDeps,
  scopeOfArgument,
  scopeOfWorkspace,
} from '../../../src/notifications/settings/scopeArgument.ts';
import { SignedInWindow } from '../../support/signedInWindow.ts';

const tideTable = { kind: 'project', accountId: 'sandbox', id: 501, path: 'harbor/tide-table' };

describe('what the form is opened with', () => {
  let window: SignedInWindow;
  let sources: ScopeLookupDeps;

  before(async () => {
    window = await SignedInWindow.open();
    sources = { connections: window.connections, workspaceProjects: { current: undefined } };
  });
  after(() => window.close());

  const rows: readonly (readonly [string, unknown, unknown])[] = [
    ['a scope', { kind: 'global', accountId: 'other' }, { kind: 'global', accountId: 'other' }],
    ['a project by path', { kind: 'project', path: 'harbor/tide-table' }, tideTable],
    ['a project by id', { kind: 'project', id: 501 }, tideTable],
    [
      'a group by path',
      { kind: 'group', path: 'harbor' },
      { kind: 'group', accountId: 'sandbox', id: 11, path: 'harbor' },
    ],
    ['a project that has moved', { kind: 'project', path: 'harbor/almanac' }, tideTable],
    ['an item of a view', { kind: 'any', project: { accountId: 'sandbox', idOrPath: 'harbor/tide-table' } }, tideTable],
    ['an item by its id', { kind: 'any', project: { accountId: 'sandbox', idOrPath: 501 } }, tideTable],
    ['an item without a project', { kind: 'any', project: undefined }, undefined],
    ['something else', 'harbor', undefined],
  ];
  for (const [what, argument, expected] of rows) {
    it(`${what}: ${expected === undefined ? 'nothing' : 'its scope'}`, async () => {
      assert.deepEqual(await scopeOfArgument(argument, sources), expected);
    });
  }

  it("the workspace's project, if there is one", async () => {
    assert.equal(await scopeOfWorkspace(sources), undefined);
    const current = { accountId: 'sandbox', path: 'harbor/tide-table', folder: undefined as never };
    assert.deepEqual(await scopeOfWorkspace({ ...sources, workspaceProjects: { current } }), tideTable);
  });

  it('fails for what is not there', async () => {
    await assert.rejects(scopeOfArgument({ kind: 'project', path: 'harbor/nothing' }, sources), { reason: 'notFound' });
  });
});
