import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventReader, type EventNote, type EventPush, type EventRecord } from '../../../src/api/events.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { allRecords, clientOf } from '../../support/clientSamples.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { sampleEvent } from './anyEvent.ts';
import { filtering, pageOf, places, said, summaryEntry, summaryOf, withKind } from './eventTexts.ts';

insideWindow(import.meta.filename);

type Fields = Partial<EventRecord>;

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
const library = join(import.meta.dirname, '../../../node_modules/@vscode/codicons/dist/codiconsLibrary.ts');
const codicons = readFileSync(library, 'utf8');

const [from, to, zeros] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];
const none = { target_id: null, target_iid: null, target_type: null, target_title: null };
const issue = { action_name: 'opened', target_type: 'Issue', target_id: 70, target_iid: 3, target_title: 'Fix it' };
const wiki = { action_name: 'updated', target_type: 'WikiPage::Meta' };

function titled(action_name: string, target_type: string, target_title: string | null): Fields {
  return { action_name, target_type, target_title, target_iid: null };
}

/** A comment on something that is called "Fix it". */
function on(noteable_type: string | null, fields: object = {}, target_title: string | null = 'Fix it'): Fields {
  const note = { id: 9, body: 'x', noteable_id: 70, noteable_iid: 3, noteable_type, ...fields } as EventNote;
  return { action_name: 'commented on', target_type: 'Note', target_iid: 9, target_title, note };
}

/** A push of one commit with the title "Fix it" to main. */
function pushed(fields: Partial<EventPush> = {}): Fields {
  const commit = { commit_count: 1, commit_from: from, commit_to: to, commit_title: 'Fix it' };
  const push_data = { ...commit, action: 'pushed', ref_type: 'branch', ref: 'main', ...fields };
  return { action_name: 'pushed to', ...none, push_data };
}

/** A record as an instance sends it, read as the client does. */
function read(fields: object): EventRecord {
  const { items } = eventReader.read([{ id: 1, project_id: 7, created_at: '2026-02-03T10:00:00.000Z', ...fields }]);
  assert.ok(items[0]);
  return items[0];
}

/** A push of which the instance says no more than this. */
function barePush(push_data: object): EventRecord {
  return read({ action_name: 'pushed to', push_data: { action: 'pushed', ref_type: 'branch', ...push_data } });
}

/** Where an event leads to, below its project. */
function pathOf(event: EventRecord): string {
  const { link } = said(event);
  assert.ok(link.startsWith(places.projectUrl), link);
  return link.slice(places.projectUrl.length);
}

function assertRendered(event: EventRecord, where = places): void {
  const name = `${event.action_name} ${event.target_type ?? String(event.target_type)}`;
  const { sentence, sentenceBy, label, detail = 'none', icon, link } = said(event, where);
  for (const text of [sentence, sentenceBy, label, detail]) {
    assert.ok(text.trim().length > 1, `${name}: "${text}"`);
    assert.doesNotMatch(text, /undefined|null|NaN|\{\d\}|^\s|\s$|\s\s/, `${name}: "${text}"`);
  }
  assert.match(codicons, new RegExp(`register\\('${icon.split(' ')[0]}'`), `${name}: the icon ${icon}`);
  assert.match(link, /^https?:\/\/[^\s]+$/, name);
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
    for (const { path_with_namespace: project } of await allRecords(client.directory.projects())) {
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

  const severalRefs = (action: string, ref_type: string, ref_count: number): Fields =>
    pushed({ action, ref_type, ref_count, commit_count: 0, ref: null });
  const sentences: readonly [fields: Fields, sentence: string, icon: string][] = [
    [{}, 'Opened issue #3 “Crash at start”', 'issues'],
    [on('Issue'), 'Commented on issue #3 “Fix it”', 'comment'],
    [on('Commit', { noteable_iid: null }, null), 'Commented on a commit', 'comment'],
    [{ action_name: 'accepted', target_type: 'MergeRequest' }, 'Merged merge request !3 “Crash at start”', 'git-merge'],
    [{ target_type: 'Epic' }, 'Opened epic &3 “Crash at start”', 'layers'],
    [{ action_name: 'joined', ...none }, 'Joined the project', 'person-add'],
    [pushed(), 'Pushed to main: Fix it', 'repo-push'],
    [pushed({ commit_count: 3 }), 'Pushed 3 commits to main', 'repo-push'],
    [pushed({ action: 'created', ref_type: 'tag', ref: 'v1' }), 'Created tag v1', 'tag'],
    [pushed({ action: 'removed', commit_to: null }), 'Deleted branch main', 'trash'],
    [severalRefs('pushed', 'branch', 12), 'Pushed 12 branches', 'repo-push'],
    [severalRefs('pushed', 'tag', 1), 'Pushed 1 tag', 'repo-push'],
    [severalRefs('created', 'tag', 3), 'Created 3 tags', 'tag'],
    [severalRefs('removed', 'branch', 12), 'Deleted 12 branches', 'trash'],
    [pushed({ ref_type: 'tag', ref: 'latest' }), 'Moved tag latest', 'repo-push'],
    [{ target_type: 'WorkItem' }, 'Opened issue #3 “Crash at start”', 'issues'],
    [{ target_type: 'WorkItem', project_id: null }, 'Opened epic &3 “Crash at start”', 'layers'],
    [{ target_type: 'AlertManagement::Alert' }, 'Opened alert 3 “Crash at start”', 'bell'],
    [on('AlertManagement::Alert'), 'Commented on alert 3 “Fix it”', 'comment'],
    [on('WikiPage::Meta'), 'Commented on wiki page “Fix it”', 'comment'],
    [on('PersonalSnippet'), 'Commented on snippet “Fix it”', 'comment'],
    [titled('opened', 'Snippet', 'My aliases'), 'Opened snippet “My aliases”', 'symbol-snippet'],
    [titled('created', 'Project', 'Tide Table'), 'Created project “Tide Table”', 'repo'],
    [{ action_name: 'created', ...none }, 'Created the project', 'repo'],
    [titled('joined', 'Project', 'Tide Table'), 'Joined project “Tide Table”', 'person-add'],
    [titled('created', 'Milestone', null), 'Created a milestone', 'milestone'],
    [titled('created', 'WikiPage::Meta', 'On call'), 'Created wiki page “On call”', 'book'],
    [{ action_name: 'teleported', target_type: 'Wormhole' }, 'Teleported Wormhole “Crash at start”', 'pulse'],
    [{ action_name: 'teleported', ...none }, 'Teleported the project', 'pulse'],
  ];
  it('are distinguished by their sentence and icon', () => {
    for (const [fields, text, id] of sentences) {
      const { sentence, icon } = said(sampleEvent(fields));
      assert.deepEqual([sentence, icon.split(' ')[0]], [text, id]);
    }
  });

  // What has no sign says what it is after all, unless the icon does; what has no name of its own is said in a sentence.
  const rows: readonly [fields: Fields, row: string, icon: string][] = [
    [{ action_name: 'closed' }, '#3 Crash at start', 'issue-closed charts.purple'],
    [on('MergeRequest'), '!3 Fix it', 'comment'],
    [titled('created', 'Milestone', 'Winter'), 'Winter', 'milestone charts.green'],
    [titled('closed', 'Milestone', 'Winter'), 'Winter · milestone', 'issue-closed charts.purple'],
    [on('Commit', { noteable_iid: null }), 'Fix it · commit', 'comment'],
    [titled('closed', 'Wormhole', 'W1'), 'W1 · Wormhole', 'issue-closed charts.purple'],
    [pushed({ ref: 'fix/it' }), 'Fix it · fix/it', 'repo-push charts.blue'],
    [pushed({ ref: 'fix/it', commit_count: 12 }), '12 commits · fix/it', 'repo-push charts.blue'],
    [pushed(), 'Fix it', 'repo-push charts.blue'],
    [pushed({ ref_type: 'tag', ref: 'latest' }), 'latest · tag', 'repo-push charts.blue'],
    [pushed({ action: 'created' }), 'main', 'git-branch gitDecoration.addedResourceForeground'],
    [pushed({ action: 'removed' }), 'main · branch', 'trash gitDecoration.deletedResourceForeground'],
    [{ action_name: 'joined', ...none }, 'Joined the project', 'person-add'],
  ];
  it('are rows with the whole title, and what the icon does not say beside it', () => {
    for (const [fields, row, icon] of rows) {
      const texts = said(sampleEvent(fields), { ...places, defaultBranch: 'main' });
      assert.deepEqual([[texts.label, texts.detail].filter(Boolean).join(' · '), texts.icon], [row, icon]);
    }
    const { detail } = said(sampleEvent(pushed()));
    assert.equal(detail, 'main', 'as long as the default branch is not known');
  });

  it('name their author in one way, by a name that can be read', () => {
    const named = (author: EventRecord['author'], author_username: string | null = null) =>
      said(sampleEvent({ author, author_username })).author;
    const ada = { id: 7, username: 'ada', name: 'Ada Byron' };
    assert.deepEqual(named(ada), ['ada', 'Ada Byron', 'Ada Byron (@ada)']);
    assert.deepEqual(named(null, 'ada'), ['ada', 'ada', 'ada']);
    for (const unseen of ['', ' ', '\u200b', '\u202e\u2066 ']) {
      assert.deepEqual(named({ ...ada, name: unseen }), ['ada', 'ada', 'ada']);
      assert.deepEqual(named({ ...ada, username: unseen }), ['Ada Byron', 'Ada Byron', 'Ada Byron']);
      assert.deepEqual(named({ ...ada, name: unseen, username: unseen }, 'ada'), ['ada', 'ada', 'ada']);
    }
    assert.deepEqual(named({ ...ada, name: '\u200b', username: '' }), ['Someone', 'Someone', 'Someone']);
  });

  it('are one kind for issues and work items, and for joining with and without a target', () => {
    const kinds = (...fields: Fields[]) => new Set(fields.map((one) => said(sampleEvent(one)).kind));
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
      '\u200b': 'something',
    };
    const found = Object.keys(names).map((kind) => [kind, filtering({ kind }).label]);
    assert.deepEqual(Object.fromEntries(found), names);
    const filter = { actions: ['pushed', 'destroyed', 'toString'], types: ['merge_request', 'wiki', 'x_y', 'valueOf'] };
    assert.equal(filtering(filter).label, 'pushed, deleted, toString · merge request, wiki page, x_y, valueOf');
  });
});

describe('the link of an event', () => {
  const links: readonly [fields: Fields, path: string][] = [
    [{ target_type: 'Issue' }, '/-/issues/3'],
    [{ target_type: 'WorkItem' }, '/-/work_items/3'],
    [{ target_type: 'MergeRequest' }, '/-/merge_requests/3'],
    [{ target_type: 'Milestone' }, '/-/milestones/3'],
    [{ target_type: 'Snippet', target_iid: null }, '/-/snippets/70'],
    [on('Issue'), '/-/issues/3#note_9'],
    [on('Commit', { noteable_iid: null, commit_id: 'abc1' }), '/-/commit/abc1#note_9'],
    [on('Commit', { noteable_iid: null, position: { head_sha: 'c0ffee' } }), '/-/commit/c0ffee#note_9'],
    [{ ...wiki, wiki_page: { slug: 'on call/night shift' } }, '/-/wikis/on%20call/night%20shift'],
    [{ ...none, wiki_page: { slug: '../../../../other/x' } }, ''],
    [pushed(), `/-/commit/${to}`],
    [pushed({ commit_count: 4 }), `/-/compare/${from}...${to}`],
    [pushed({ action: 'created', ref_type: 'tag', ref: 'v1.0' }), '/-/tags/v1.0'],
    [pushed({ action: 'created', ref: 'half \ud83d of it' }), '/-/commits/half%20%EF%BF%BD%20of%20it'],
    [pushed({ action: 'removed', commit_to: null }), ''],
    [none, ''],
    [{ target_type: 'Project' }, ''],
    [{ action_name: 'destroyed', target_type: 'Milestone' }, ''],
    [{ target_type: 'Issue', target_iid: null }, ''],
  ];
  it('leads to what it is about, else to the project', () => {
    for (const [fields, path] of links) {
      assert.equal(pathOf(sampleEvent(fields)), path, JSON.stringify(fields));
    }
  });

  it('does not follow a project to what is no address of the web', () => {
    for (const projectUrl of ['javascript:alert(1)', 'command:x', 'file:///etc/passwd', 'not a url', '']) {
      const { link } = said(sampleEvent(), { ...places, projectUrl });
      assert.equal(link, `${places.instanceUrl}/projects/7`);
    }
  });

  it('leads outside of projects to a snippet or a group, else to the author, else to the instance', () => {
    const instanceUrl = 'https://host/gitlab';
    const ada = { id: 1, name: 'Ada', username: 'ada', web_url: 'https://host/gitlab/ada' };
    const ofAda = { author: ada };
    const group = { group_id: 12 };
    for (const [fields, link] of [
      [{ target_type: 'Snippet', target_id: 3 }, '/-/snippets/3'],
      [{ target_type: 'User', ...ofAda }, '/ada'],
      [{ author: { ...ada, web_url: 'https://host/gitlab/people/1' } }, '/people/1'],
      [{ author: { ...ada, web_url: 'javascript:alert(1)' } }, '/ada'],
      [{ author_username: 'a/../b' }, '/a%2F..%2Fb'],
      [{ author_username: '\ud83d' }, '/%EF%BF%BD'],
      [on('PersonalSnippet', { noteable_iid: null }), '/-/snippets/70#note_9'],
      [{ target_type: 'WorkItem', target_iid: 7, ...group }, '/-/g/12'],
      [{ ...on('WorkItem'), ...group, ...ofAda }, '/-/g/12'],
      [{ target_type: 'WorkItem', target_iid: 7, ...ofAda }, '/ada'],
      [{}, ''],
    ] satisfies [Fields, string][]) {
      const event = { id: 1, project_id: null, action_name: 'opened', created_at: '', ...fields };
      assert.equal(said(event, { instanceUrl }).link, instanceUrl + link, JSON.stringify(fields));
    }
  });
});

describe('events as instances were seen to send them', () => {
  it('name branches with spaces that git allows', () => {
    const counted = said(
      barePush({ ref: 'fix\u00A02s\u00A0score', commit_count: 3, commit_from: from, commit_to: to }),
    );
    assert.equal(counted.sentence, 'Pushed 3 commits to fix\u00A02s\u00A0score');
    assert.deepEqual([counted.label, counted.detail], ['3 commits', 'fix\u00A02s\u00A0score']);
    const made = said(barePush({ action: 'created', ref: '機能\u3000追加', commit_to: to }));
    assert.equal(made.sentence, 'Created branch 機能\u3000追加');
    assert.match(made.link, /\/-\/commits\/%E6%A9%9F/);
    for (const ref of ['a b', 'a\u0000b', 'a\u007Fb', 'a..b']) {
      assert.equal(barePush({ ref }).push_data?.ref, null, ref);
    }
  });

  it('are whole sentences without a ref or title, and lead to the commits that they name', () => {
    for (const [fields, sentence, path] of [
      [{ action: 'created', commit_to: to }, 'Created a branch', `/-/commit/${to}`],
      [{ action: 'created', ref_type: 'tag', commit_to: to }, 'Created a tag', `/-/commit/${to}`],
      [{ action: 'removed', commit_from: from }, 'Deleted a branch', ''],
      [{ commit_count: 3, commit_from: from, commit_to: to }, 'Pushed 3 commits', `/-/compare/${from}...${to}`],
      [{ commit_count: 1, commit_title: 'Fix', commit_to: to }, 'Pushed “Fix”', `/-/commit/${to}`],
      [{ commit_count: 1, commit_title: '  ', ref: 'main', commit_to: to }, 'Pushed to main', `/-/commit/${to}`],
      [{ ref: ' ' }, 'Pushed commits', ''],
    ] as const) {
      const event = barePush(fields);
      assert.deepEqual([said(event).sentence, pathOf(event)], [sentence, path]);
      assert.ok(said(event).label.length > 2);
    }
    assert.equal(said(read({ ...issue, target_iid: null, target_title: '   ' })).label, 'Opened an issue');
  });

  const odd: readonly (readonly [name: string, fields: object, label: string, path: string])[] = [
    ['a title that cannot be seen', { ...issue, target_title: '\u200b\u00a0' }, '#3', '/-/issues/3'],
    ['a title from right to left', { ...issue, target_title: '\u202eשלום\u202c' }, '#3 שלום', '/-/issues/3'],
    ['a title that is none', { ...issue, target_title: ['x'] }, '#3', '/-/issues/3'],
    ['a number that is none', { ...issue, target_iid: -3 }, 'Fix it', ''],
    ['a time to come', { ...issue, created_at: '2099-01-01T00:00:00Z' }, '#3 Fix it', '/-/issues/3'],
    ['a time beyond all dates', { ...issue, created_at: '+010000-01-01T00:00:00Z' }, '#3 Fix it', '/-/issues/3'],
    ['an action of blanks', { ...issue, action_name: ' ' }, 'Issue #3 “Fix it”', '/-/issues/3'],
    ['an action of two lines', { ...issue, action_name: 'a\nb' }, 'A b issue #3 “Fix it”', '/-/issues/3'],
    ['an alert', on('AlertManagement::Alert'), '^alert#3 Fix it', '/-/alert_management/3/details#note_9'],
    ['a commit that is not named', on('Commit', { noteable_iid: null }), 'Fix it', ''],
    ['a commit of zeros', on('Commit', { noteable_iid: null, commit_id: zeros }), 'Fix it', ''],
    ['a snippet', on('Snippet', { noteable_iid: null }), 'Fix it', '/-/snippets/70#note_9'],
    ['a wiki page', on('WikiPage::Meta', { noteable_iid: null }), 'Fix it', '/-/wikis/pages#note_9'],
    ['a comment without a text', on('Issue', { body: null }), '#3 Fix it', '/-/issues/3#note_9'],
    ['a comment without an id', on('Issue', { id: null }), '#3 Fix it', '/-/issues/3'],
    [
      'a page without an address',
      { ...wiki, wiki_page: { slug: null, title: 'On call' } },
      'On call',
      '/-/wikis/pages',
    ],
    ['a type to come', on('AbuseReport'), 'Fix it', ''],
    ['a vulnerability', on('Vulnerability', { noteable_id: 88 }), 'Fix it', '/-/security/vulnerabilities/88#note_9'],
    ['a vulnerability without an id', on('Vulnerability', { noteable_id: null }), 'Fix it', ''],
    ['a page that is gone', { action_name: 'destroyed', wiki_page: { slug: 'x', title: 'On call' } }, 'On call', ''],
  ];
  it('are rows that lead to their page or to the project', () => {
    for (const [name, fields, label, path] of odd) {
      const event = read(fields);
      assert.deepEqual([said(event).label, pathOf(event)], [label, path], name);
    }
  });

  it('name no commit of zeros, as pushes of older instances do for what was not there', () => {
    const [range, many] = [`/-/compare/${from}...${to}`, '1,000,000,000 commits'];
    for (const [fields, label, path] of [
      [{ ref: 'main', commit_count: 3, commit_from: zeros, commit_to: to }, '3 commits', `/-/commit/${to}`],
      [{ ref: 'main', commit_count: 1, commit_from: from, commit_to: zeros }, 'main', '/-/commits/main'],
      [{ ref: 'main', commit_count: 1e9, commit_from: from, commit_to: to }, many, range],
      [{ ref: 'main', commit_count: -4, commit_title: 'Fix', commit_to: to }, 'Fix', `/-/commit/${to}`],
    ] as const) {
      const event = barePush(fields);
      assert.deepEqual([said(event).label, pathOf(event)], [label, path]);
    }
  });

  it('have a kind that can be named and chosen without an action and a target', () => {
    const event = read({ action_name: 7 });
    const { kind, kindName } = said(event);
    assert.equal(kindName, 'something');
    const { passes } = filtering(withKind(kind));
    assert.deepEqual([passes(event), passes(read(issue))], [true, false]);
    assert.deepEqual(withKind(kind, withKind(kind)), {}, 'chosen once more, it is let go');
  });

  it('are comments to charts and filters by their note or their action', () => {
    for (const fields of [
      { ...on('Issue'), action_name: 'noted' },
      { ...on('Issue'), note: null },
    ]) {
      const event = read(fields);
      const { passesOfAll } = filtering(withKind(said(event).kind));
      assert.deepEqual([said(event).kind, passesOfAll(event), passesOfAll(read(issue))], ['comment', true, false]);
    }
  });

  it('leave no line, link or heading of their page without a name', () => {
    const push_data = { action: 'pushed', ref: '\u00a0', commit_title: '\u200b', commit_count: 1, commit_to: to };
    const event = read({ project_id: null, action_name: 'pushed to', push_data });
    const author = { id: 1, name: '\u2060', web_url: 'https://gitlab.example.com/x' };
    const around = { target: { id: 1, title: '\u200b ', author }, isProjectHidden: true };
    const html = pageOf(event, { ...around, project: 'g/p' });
    assert.match(html, /<h2>Now<\/h2>/);
    assert.doesNotMatch(html, /<(?:a|h2|dd|li|code)\b[^>]*>\s*<\/|role="alert"/);
    assert.doesNotMatch(pageOf(event, around), /is not named/, 'outside of projects');
    assert.match(
      pageOf(event, { ...around, banner: 'Not of <bob>', account: 'ada' }),
      /role="alert"[^>]*><p>Not of &#60;bob&#62;<.* data-action="switchAccount">Use ada</,
    );
  });

  it('are a short page also for a push of thousands of commits and files', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
    const html = pageOf(sampleEvent(pushed({ commit_count: 5000 })), { commits: lines, files: lines });
    const drawn = html.match(/(?<=<li>)[^<]*/g) ?? [];
    const some = [drawn.length, drawn[19], drawn[20], drawn[21], drawn.at(-1)];
    assert.deepEqual(some, [122, 'line 19', 'and 4,980 more commits', 'line 0', '…']);
  });

  it('of pushes have one button that stands out: what shows the changes, or else opens the browser', () => {
    const primary = (hasGit: boolean): readonly string[] => {
      const html = pageOf(sampleEvent(pushed()), { hasGit, link: 'https://gitlab.example.com/x' });
      return [...html.matchAll(/class="" data-action="(\w+)"/g)].flatMap(([, action]) => action ?? []);
    };
    assert.deepEqual([primary(true), primary(false)], [['showChanges'], ['openInBrowser']]);
  });

  it('have no time on a day that no month has', () => {
    assert.equal(read({ ...issue, created_at: '2026-02-31T10:00:00Z' }).created_at, null);
    assert.equal(read({ ...issue, created_at: '2028-02-29T23:59:59+09:00' }).created_at, '2028-02-29T23:59:59+09:00');
  });

  it('are no formula in a spreadsheet, whatever blank or unseen character is before the sign', () => {
    const blanks = ' \u00A0\u3000\t\u200B\u2060\uFEFF\u2800\u3164\u00AD'.split('');
    for (const start of ['', ...blanks, '"\u2007']) {
      for (const sign of ['=', '+', '-', '@', '＝']) {
        const text = `${start}${sign}1+1`;
        const { csv } = summaryOf([summaryEntry({ text, author: `x;${text}` })]);
        const row = csv.split('\r\n')[1] ?? '';
        assert.equal(row.match(/'[=+\-@＝]/g)?.length, 2, JSON.stringify(row));
      }
    }
  });
});
