import assert from 'node:assert/strict';
import {
  choiceId,
  type FeedChoice,
  feedId,
  feedRefOf,
  firstChoice,
  readChoice,
} from '../../../src/activity/feed/feedRef.ts';

const project = { kind: 'project', accountId: 'ada@host', id: 7, path: 'group/project' } as const;
const user = { kind: 'user', accountId: 'ada@host', id: 3, username: 'bo', name: 'Bo' } as const;

describe('the choice of a feed', () => {
  it('stands for the feed of the account in use, and of the project that is open', () => {
    const situation = { accountId: 'ada@host', workspaceProject: { accountId: 'bo@other', path: 'a/b' } };
    const ids = (['mine', 'allProjects', 'workspaceProject'] as const).map((kind) => {
      const feed = feedRefOf({ kind }, situation);
      return feed && feedId(feed);
    });
    assert.deepEqual(ids, ['ada@host/mine', 'ada@host/allProjects', 'bo@other/project/a/b']);
  });

  it('is at first what others did: in the project that is open, or else in all projects', () => {
    const workspaceProject = { accountId: 'bo@other', path: 'a/b' };
    assert.deepEqual(firstChoice({ accountId: 'bo@other', workspaceProject }), { kind: 'workspaceProject' });
    assert.deepEqual(firstChoice({ accountId: 'bo@other', workspaceProject: undefined }), { kind: 'allProjects' });
    // Who works with another account than the project's sees what that account sees.
    assert.deepEqual(firstChoice({ accountId: 'ada@host', workspaceProject }), { kind: 'allProjects' });
  });

  it('is another one of the user’s feeds where the setting says so, and as ever where the setting is no such feed', () => {
    const situation = { accountId: 'bo@other', workspaceProject: { accountId: 'bo@other', path: 'a/b' } };
    assert.deepEqual(firstChoice(situation, 'mine'), { kind: 'mine' });
    assert.deepEqual(firstChoice(situation, 'allProjects'), { kind: 'allProjects' });
    for (const wanted of ['workspaceProject', 'project', 7, null, { kind: 'mine' }]) {
      assert.deepEqual(firstChoice(situation, wanted), { kind: 'workspaceProject' });
    }
  });

  it('stands for nothing without an account or an open project', () => {
    const situation = { accountId: undefined, workspaceProject: undefined };
    assert.equal(feedRefOf({ kind: 'mine' }, situation), undefined);
    assert.equal(feedRefOf({ kind: 'workspaceProject' }, situation), undefined);
  });

  it('keeps projects and users of several accounts apart', () => {
    const other = { ...project, accountId: 'ada@other' };
    assert.notEqual(choiceId(project), choiceId(other));
    assert.notEqual(feedId(project), feedId(other));
    assert.notEqual(choiceId(project), choiceId(user));
  });

  for (const choice of [{ kind: 'mine' }, { kind: 'workspaceProject' }, project, user] satisfies FeedChoice[]) {
    it(`is remembered: ${choice.kind}`, () => {
      assert.deepEqual(readChoice(JSON.parse(JSON.stringify(choice))), choice);
    });
  }

  for (const odd of [
    undefined,
    null,
    7,
    'mine',
    {},
    { kind: 'galaxy' },
    { kind: 'project' },
    { kind: 'user', id: '3' },
  ]) {
    it(`is none if ${JSON.stringify(odd)} was remembered`, () => {
      assert.equal(readChoice(odd), undefined);
    });
  }
});
