import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  actionLabel,
  authorDetails,
  authorFullName,
  authorName,
  eventIcon,
  eventKind,
  eventLabel,
  fill,
  kindLabel,
  rowTexts,
} from '../../../src/activity/events/eventLabel.ts';
import { eventLink } from '../../../src/activity/events/targets.ts';
import { targetTypeLabel } from '../../../src/activity/events/targets.ts';
import { clientOf } from '../../support/clientSamples.ts';
import type { EventPush, EventRecord } from '../../../src/api/events.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { sampleEvent } from './anyEvent.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);

/** Every `action_name` that the platform is known to send, and some that it is not. */
const actionNames = [
  ...['opened', 'created', 'imported', 'added', 'updated', 'closed', 'accepted', 'approved', 'joined', 'left'],
  ...['reopened', 'merged', 'pushed', 'pushed to', 'pushed new', 'deleted', 'commented on', 'destroyed', 'removed'],
  ...['removed due to membership expiration from', 'teleported', ''],
];
/** Every `target_type` that the platform is known to send, and some that it is not. */
const targetTypes = [
  ...['Issue', 'WorkItem', 'MergeRequest', 'Epic', 'Milestone', 'Note', 'DiffNote', 'DiscussionNote', 'Project'],
  ...['Snippet', 'User', 'WikiPage::Meta', 'DesignManagement::Design', null, undefined, 'Wormhole', ''],
];
const places = { instanceUrl: 'https://host', projectUrl: 'https://host/group/project' };

const library = join(import.meta.dirname, '../../../node_modules/@vscode/codicons/dist/codiconsLibrary.ts');
const codicons = readFileSync(library, 'utf8');

function assertRendered(event: EventRecord, where: typeof places = places): void {
  const name = `${event.action_name} ${event.target_type ?? String(event.target_type)}`;
  for (const text of [
    eventLabel(event),
    eventLabel(event, authorName(event)),
    rowTexts(event).label,
    rowTexts(event).detail ?? 'none',
  ]) {
    assert.ok(text.trim().length > 1, `${name}: "${text}"`);
    assert.doesNotMatch(text, /undefined|null|NaN|\{\d\}|^\s|\s$|\s\s/, `${name}: "${text}"`);
  }
  assert.match(codicons, new RegExp(`register\\('${eventIcon(event).id}'`), `${name}: the icon ${eventIcon(event).id}`);
  assert.match(eventLink(event, where), /^https?:\/\/[^\s]+$/, name);
}

describe('the kinds of events', () => {
  it('all have a text, an icon and a link: every action on every type of target', () => {
    for (const action_name of actionNames) {
      for (const target_type of targetTypes) {
        const type = target_type === undefined ? {} : { target_type };
        const { target_type: _, ...base } = sampleEvent({ action_name });
        assertRendered({ ...base, ...type });
        assertRendered({ ...base, ...type, project_id: null, target_iid: null, target_title: null, author: null });
        assertRendered({ id: 1, action_name, created_at: '', ...type });
      }
    }
  });

  it('all have a text, an icon and a link: every event of the live platform', async () => {
    const sandbox = await startSandbox({ liveEvents: false, dialect: 'live' });
    const client = clientOf(sandbox.url, { token: sandbox.tokens.owner });
    const kinds = new Set<string>();
    for (const project of sandbox.projects) {
      for await (const { items, misfits } of client.events.ofProject(project, {}, { perPage: 100 })) {
        assert.deepEqual(misfits, []);
        for (const event of items) {
          kinds.add(`${event.action_name} ${event.target_type}`);
          assertRendered(event, { instanceUrl: sandbox.url, projectUrl: `${sandbox.url}/${project}` });
        }
      }
    }
    assert.ok(kinds.size > 25, `${kinds.size} kinds`);
    await client.close();
    await sandbox.close();
  });

  const push = {
    commit_count: 1,
    action: 'pushed',
    ref_type: 'branch',
    commit_from: 'a1a1a1a1a1',
    commit_to: 'b2b2b2b2b2',
    ref: 'main',
    commit_title: 'Fix it',
  };
  const none = { target_id: null, target_iid: null, target_type: null, target_title: null };
  const note = { id: 9, body: 'Me too', created_at: '', noteable_id: 70, noteable_type: 'Issue', noteable_iid: 3 };
  const commentOn = (noteable_type: string, target_title: string | null = 'Crash at start') => ({
    action_name: 'commented on',
    target_type: 'Note',
    target_iid: 9,
    target_title,
    note: { ...note, noteable_type, noteable_iid: noteable_type === 'Commit' ? null : 3 },
  });
  const titled = (action_name: string, target_type: string, target_title: string | null): Partial<EventRecord> => ({
    ...{ action_name, target_type, target_title, target_iid: null },
  });
  const pushed = (fields: Partial<EventPush>): Partial<EventRecord> => ({
    ...{ action_name: 'pushed to', ...none, push_data: { ...push, ...fields } },
  });
  const table: readonly [fields: Partial<EventRecord>, text: string, icon: string][] = [
    [{}, 'Opened issue #3 “Crash at start”', 'issues'],
    [{ action_name: 'closed' }, 'Closed issue #3 “Crash at start”', 'issue-closed'],
    [commentOn('Issue'), 'Commented on issue #3 “Crash at start”', 'comment'],
    [commentOn('MergeRequest'), 'Commented on merge request !3 “Crash at start”', 'comment'],
    [commentOn('Commit', null), 'Commented on a commit', 'comment'],
    [{ action_name: 'accepted', target_type: 'MergeRequest' }, 'Merged merge request !3 “Crash at start”', 'git-merge'],
    [{ action_name: 'opened', target_type: 'Epic' }, 'Opened epic &3 “Crash at start”', 'layers'],
    [{ action_name: 'joined', ...none }, 'Joined the project', 'person-add'],
    [{ action_name: 'pushed', ...none, push_data: push }, 'Pushed to main: Fix it', 'repo-push'],
    [pushed({ commit_count: 3 }), 'Pushed 3 commits to main', 'repo-push'],
    [pushed({ action: 'created', ref_type: 'tag', ref: 'v1' }), 'Created tag v1', 'tag'],
    [pushed({ action: 'removed', commit_to: null }), 'Deleted branch main', 'trash'],
    ...(
      [
        ['pushed', 'branch', 12, 'Pushed 12 branches', 'repo-push'],
        ['pushed', 'tag', 1, 'Pushed 1 tag', 'repo-push'],
        ['created', 'tag', 3, 'Created 3 tags', 'tag'],
        ['created', 'branch', 1, 'Created 1 branch', 'git-branch'],
        ['removed', 'branch', 12, 'Deleted 12 branches', 'trash'],
        ['removed', 'tag', 1, 'Deleted 1 tag', 'trash'],
      ] as const
    ).map(([action, ref_type, ref_count, text, icon]): [Partial<EventRecord>, string, string] => [
      { action_name: 'pushed', ...none, push_data: { action, ref_type, ref_count, commit_count: 0, ref: null } },
      text,
      icon,
    ]),
    [pushed({ ref_type: 'tag', ref: 'latest' }), 'Moved tag latest', 'repo-push'],
    [{ action_name: 'opened', target_type: 'WorkItem' }, 'Opened issue #3 “Crash at start”', 'issues'],
    [{ action_name: 'opened', target_type: 'WorkItem', project_id: null }, 'Opened epic &3 “Crash at start”', 'layers'],
    [{ action_name: 'opened', target_type: 'AlertManagement::Alert' }, 'Opened alert 3 “Crash at start”', 'bell'],
    [commentOn('AlertManagement::Alert'), 'Commented on alert 3 “Crash at start”', 'comment'],
    [commentOn('WikiPage::Meta', 'On call'), 'Commented on wiki page “On call”', 'comment'],
    [commentOn('Vulnerability'), 'Commented on vulnerability “Crash at start”', 'comment'],
    [commentOn('PersonalSnippet', 'My aliases'), 'Commented on snippet “My aliases”', 'comment'],
    [titled('opened', 'Snippet', 'My aliases'), 'Opened snippet “My aliases”', 'symbol-snippet'],
    [titled('created', 'Project', 'Tide Table'), 'Created project “Tide Table”', 'repo'],
    [{ action_name: 'created', ...none }, 'Created the project', 'repo'],
    [titled('joined', 'Project', 'Tide Table'), 'Joined project “Tide Table”', 'person-add'],
    [titled('created', 'Milestone', null), 'Created a milestone', 'milestone'],
    [titled('created', 'WikiPage::Meta', 'On call'), 'Created wiki page “On call”', 'book'],
    [{ action_name: 'teleported', target_type: 'Wormhole' }, 'Teleported Wormhole “Crash at start”', 'pulse'],
    [{ action_name: 'teleported', ...none }, 'Teleported the project', 'pulse'],
  ];
  for (const [fields, text, icon] of table) {
    it(`are distinguished: ${text}`, () => {
      const event = sampleEvent(fields);
      assert.equal(eventLabel(event), text);
      assert.equal(eventIcon(event).id, icon);
    });
  }

  const rows: readonly [
    name: string,
    fields: Partial<EventRecord>,
    label: string,
    detail: string | undefined,
    icon: string,
  ][] = [
    ['a closed one', { action_name: 'closed' }, '#3 Crash at start', undefined, 'issue-closed charts.purple'],
    ['a comment', commentOn('MergeRequest'), '!3 Crash at start', undefined, 'comment'],
    // What has no sign says what it is after all, unless the icon does.
    ['a new milestone', titled('created', 'Milestone', 'Winter'), 'Winter', undefined, 'milestone charts.green'],
    [
      'a closed milestone',
      titled('closed', 'Milestone', 'Winter'),
      'Winter',
      'milestone',
      'issue-closed charts.purple',
    ],
    ['a comment on a commit', commentOn('Commit', 'Fix it'), 'Fix it', 'commit', 'comment'],
    ['what is of no known type', titled('closed', 'Wormhole', 'W1'), 'W1', 'Wormhole', 'issue-closed charts.purple'],
    ['a push', pushed({ ref: 'fix/it' }), 'Fix it', 'fix/it', 'repo-push charts.blue'],
    ['several commits', pushed({ ref: 'fix/it', commit_count: 12 }), '12 commits', 'fix/it', 'repo-push charts.blue'],
    ['a push to the default branch', pushed({}), 'Fix it', undefined, 'repo-push charts.blue'],
    ['a tag that is moved', pushed({ ref_type: 'tag', ref: 'latest' }), 'latest', 'tag', 'repo-push charts.blue'],
    [
      'a new branch',
      pushed({ action: 'created', ref: 'fix/it' }),
      'fix/it',
      undefined,
      'git-branch gitDecoration.addedResourceForeground',
    ],
    [
      'a deleted branch',
      pushed({ action: 'removed', ref: 'fix/it' }),
      'fix/it',
      'branch',
      'trash gitDecoration.deletedResourceForeground',
    ],
    ['a push without ref', pushed({ ref: null }), 'Fix it', undefined, 'repo-push charts.blue'],
    // What has no name of its own, and what no icon stands for, is said in a sentence.
    ['a member', { action_name: 'joined', ...none }, 'Joined the project', undefined, 'person-add'],
  ];
  for (const [name, fields, label, detail, icon] of rows) {
    it(`are rows with the whole title, and what the icon does not say beside it: ${name}`, () => {
      const event = sampleEvent(fields);
      const texts = rowTexts(event, 'main');
      assert.deepEqual([texts.label, texts.detail], [label, detail]);
      const { id, color } = eventIcon(event);
      assert.equal([id, color].filter(Boolean).join(' '), icon);
    });
  }

  it('are rows that name the branch of each push as long as the default one is not known', () => {
    assert.equal(rowTexts(sampleEvent(pushed({}))).detail, 'main');
  });

  it('are described in Japanese without spaces between its own characters', () => {
    const template = '{0} が {1} にコメント';
    assert.equal(
      fill(template, ['ada', 'イシュー #3「Crash at start」']),
      'ada がイシュー #3「Crash at start」にコメント',
    );
    assert.equal(fill(template, ['ada', 'main']), 'ada が main にコメント');
    assert.equal(fill('{0} commented on {1}', ['阿田', '「起動」']), '阿田 commented on 「起動」');
  });

  it('are described with their author, in one sentence', () => {
    assert.equal(eventLabel(sampleEvent(), 'Ada Byron'), 'Ada Byron opened issue #3 “Crash at start”');
  });

  it('name their author in one way, by a name that can be read', () => {
    const named = (author: EventRecord['author'], author_username: string | null = null) => {
      const event = sampleEvent({ author, author_username });
      return [authorName(event), authorFullName(event), authorDetails(event)];
    };
    const ada = { id: 7, username: 'ada', name: 'Ada Byron' };
    assert.deepEqual(named(ada), ['ada', 'Ada Byron', 'Ada Byron (@ada)']);
    assert.deepEqual(named(null, 'ada'), ['ada', 'ada', 'ada']);
    for (const unseen of ['', ' ', '\u200b', '\u202e\u2066 ']) {
      assert.deepEqual(named({ ...ada, name: unseen }), ['ada', 'ada', 'ada']);
      assert.deepEqual(named({ ...ada, username: unseen }), ['Ada Byron', 'Ada Byron', 'Ada Byron']);
      assert.deepEqual(named({ ...ada, name: unseen, username: unseen }, 'ada'), ['ada', 'ada', 'ada']);
    }
    const none = vscode.l10n.t('Someone');
    assert.deepEqual(named({ ...ada, name: '\u200b', username: '' }), [none, none, none]);
    assert.equal(authorName({ id: 1, action_name: '', created_at: '' }), none);
  });

  it('are one kind for issues and work items, and for joining with and without a target', () => {
    const kinds = (...fields: Partial<EventRecord>[]) => new Set(fields.map((one) => eventKind(sampleEvent(one))));
    assert.deepEqual([...kinds({}, { target_type: 'WorkItem' })], ['opened Issue']);
    for (const action_name of ['joined', 'left', 'removed due to membership expiration from']) {
      assert.deepEqual([...kinds({ action_name, ...none }, { action_name, target_type: 'Project' })], [action_name]);
    }
    assert.deepEqual([...kinds({ target_type: 'WorkItem', project_id: null })], ['opened Epic']);
  });

  it('have names for people, and those to come the names of the instance', () => {
    const names = {
      push: 'pushes',
      comment: 'comments',
      joined: 'joined',
      'opened Issue': 'opened issues',
      'accepted MergeRequest': 'merged merge requests',
      'destroyed Milestone': 'deleted milestones',
      'updated WikiPage::Meta': 'updated wiki pages',
      'created DesignManagement::Design': 'created designs',
      'opened AlertManagement::Alert': 'opened alerts',
      'removed due to membership expiration from': 'expired',
      'pushed to': 'pushed',
      'teleported Wormhole': 'teleported Wormhole',
      'constructor __proto__': 'constructor __proto__',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(names).map((kind) => [kind, kindLabel(kind)])), names);
    assert.deepEqual(['pushed', 'destroyed', 'toString'].map(actionLabel), ['pushed', 'deleted', 'toString']);
    assert.deepEqual(['merge_request', 'wiki', 'worm_hole', 'valueOf'].map(targetTypeLabel), [
      'merge request',
      'wiki page',
      'worm_hole',
      'valueOf',
    ]);
  });
});
