import assert from 'node:assert/strict';
import { choiceId, type FeedChoice, feedId, readChoice } from '../../../src/activity/feed/feedRef.ts';

const project = { kind: 'project', accountId: 'ada@host', id: 7, path: 'group/project' } as const;
const own = { kind: 'mine', accountId: 'ada@host' } as const;
const user = { kind: 'user', accountId: 'ada@host', id: 3, username: 'bo', name: 'Bo' } as const;

describe('the choice of a feed', () => {
  it('keeps projects and users of several accounts apart', () => {
    const other = { ...project, accountId: 'ada@other' };
    assert.notEqual(choiceId(project), choiceId(other));
    assert.notEqual(feedId(project), feedId(other));
    assert.notEqual(choiceId(project), choiceId(user));
  });

  for (const choice of [own, { kind: 'workspaceProject' }, project, user] satisfies FeedChoice[]) {
    it(`is remembered: ${choice.kind}`, () => {
      assert.deepEqual(readChoice(JSON.parse(JSON.stringify(choice))), choice);
    });
  }

  it('is none if what was remembered is none', () => {
    const none = [
      undefined,
      'mine',
      { kind: 'galaxy' },
      { kind: 'project' },
      { kind: 'mine' },
      { kind: 'user', id: '3' },
    ];
    assert.deepEqual(
      none.map((one) => readChoice(one)),
      none.map(() => undefined),
    );
  });
});
