import assert from 'node:assert/strict';
import { eventLink } from '../../../src/activity/events/targets.ts';
import type { EventRecord } from '../../../src/api/events.ts';

const project = 'https://host/gitlab/group/project';
const instanceUrl = 'https://host/gitlab';

describe('the link of an event', () => {
  const note = { id: 9, body: '', created_at: '', noteable_id: 70, noteable_type: 'Issue', noteable_iid: 3 };
  const push = {
    commit_count: 1,
    action: 'pushed',
    ref_type: 'branch',
    commit_from: 'aa',
    commit_to: 'bb',
    ref: 'main',
  };
  const cases: readonly [kind: string, fields: Partial<EventRecord>, path: string][] = [
    ['an issue', { target_type: 'Issue', target_id: 70, target_iid: 3 }, '/-/issues/3'],
    ['a work item', { target_type: 'WorkItem', target_iid: 3 }, '/-/work_items/3'],
    ['a merge request', { target_type: 'MergeRequest', target_iid: 3 }, '/-/merge_requests/3'],
    ['a milestone', { target_type: 'Milestone', target_iid: 3 }, '/-/milestones/3'],
    ['a snippet', { target_type: 'Snippet', target_id: 70, target_iid: null }, '/-/snippets/70'],
    ['a comment, by what it is on', { target_type: 'Note', target_iid: 9, note }, '/-/issues/3#note_9'],
    [
      'a comment on a commit that the instance names',
      { target_type: 'Note', note: { ...note, noteable_type: 'Commit', noteable_iid: null, commit_id: 'abc1' } },
      '/-/commit/abc1#note_9',
    ],
    [
      'a wiki page',
      { target_type: 'WikiPage::Meta', wiki_page: { slug: 'on call/night shift' } },
      '/-/wikis/on%20call/night%20shift',
    ],
    ['a wiki page that is to lead elsewhere', { wiki_page: { slug: '../../../../other/x' } }, ''],
    ['a push of one commit', { push_data: push }, '/-/commit/bb'],
    ['a push of several', { push_data: { ...push, commit_count: 4 } }, '/-/compare/aa...bb'],
    ['a new tag', { push_data: { ...push, action: 'created', ref_type: 'tag', ref: 'v1.0' } }, '/-/tags/v1.0'],
    ['a deleted branch', { push_data: { ...push, action: 'removed', commit_to: null } }, ''],
    [
      'a comment on a line of a commit, by its position',
      {
        target_type: 'DiffNote',
        note: { ...note, noteable_type: 'Commit', noteable_iid: null, position: { head_sha: 'c0ffee' } },
      },
      '/-/commit/c0ffee#note_9',
    ],
    ['joining', { target_type: null }, ''],
    ['a project', { target_type: 'Project', target_id: 1 }, ''],
    ['an unknown kind', { target_type: 'Wormhole', target_id: 1, target_iid: 1 }, ''],
    ['what is gone', { action_name: 'destroyed', target_type: 'Milestone', target_iid: 3 }, ''],
    ['an issue without a number', { target_type: 'Issue', target_iid: null }, ''],
  ];
  for (const [kind, fields, path] of cases) {
    it(`leads to ${path === '' ? 'the project' : path} for ${kind}`, () => {
      const event: EventRecord = { id: 1, project_id: 7, action_name: 'x', created_at: '', ...fields };
      assert.equal(eventLink(event, { instanceUrl, projectUrl: project }), project + path);
    });
  }

  for (const projectUrl of ['javascript:alert(1)', 'command:x', 'file:///etc/passwd', 'not a url', '']) {
    it(`does not follow a project to "${projectUrl}"`, () => {
      const event = { id: 1, project_id: 7, action_name: 'x', created_at: '' };
      assert.equal(eventLink(event, { instanceUrl, projectUrl }), `${instanceUrl}/projects/7`);
    });
  }

  const outside = (fields: Partial<EventRecord>) =>
    eventLink(
      { id: 1, project_id: null, action_name: 'opened', created_at: '', ...fields },
      { instanceUrl, projectUrl: undefined },
    );

  it('leads outside of projects to a snippet, else to the author, else to the instance', () => {
    assert.equal(outside({ target_type: 'Snippet', target_id: 3 }), `${instanceUrl}/-/snippets/3`);
    const author = { id: 1, name: 'Ada', username: 'ada', web_url: 'https://host/gitlab/ada' };
    assert.equal(outside({ target_type: 'User', author }), 'https://host/gitlab/ada');
    assert.equal(outside({ author: { ...author, web_url: 'javascript:alert(1)' } }), `${instanceUrl}/ada`);
    assert.equal(outside({ author_username: 'a/../b' }), `${instanceUrl}/a%2F..%2Fb`);
    const onSnippet = { ...note, noteable_type: 'PersonalSnippet', noteable_iid: null };
    assert.equal(
      outside({ target_type: 'Note', target_id: 9, note: onSnippet }),
      `${instanceUrl}/-/snippets/70#note_9`,
    );
    assert.equal(outside({ target_type: 'WorkItem', target_iid: 7, group_id: 12 }), `${instanceUrl}/-/g/12`);
    const onEpic = { ...note, noteable_type: 'WorkItem' };
    assert.equal(outside({ target_type: 'Note', note: onEpic, group_id: 12, author }), `${instanceUrl}/-/g/12`);
    assert.equal(outside({ target_type: 'WorkItem', target_iid: 7, author }), 'https://host/gitlab/ada');
    assert.equal(outside({}), instanceUrl);
  });
});
