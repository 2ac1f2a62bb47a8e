import assert from 'node:assert/strict';
import { summaryAsCsv, type SummaryEntry } from '../../../src/activity/commands/summary.ts';
import { eventHtml } from '../../../src/activity/document/eventHtml.ts';
import { eventKind, eventLabel, kindLabel, rowTexts } from '../../../src/activity/events/eventLabel.ts';
import { eventLink } from '../../../src/activity/events/targets.ts';
import { conditionsOfKind, passes } from '../../../src/activity/feed/filter.ts';
import { choose } from '../../../src/activity/insights/charts.ts';
import { eventReader, type EventRecord } from '../../../src/api/events.ts';
import { insideWindow } from '../../support/insideWindow.ts';

const places = { instanceUrl: 'https://gitlab.example.com', projectUrl: 'https://gitlab.example.com/g/p' };
const [from, to] = ['a'.repeat(40), 'b'.repeat(40)];

/** A record as an instance sends it, read as the client does. */
function read(fields: object): EventRecord {
  const { items } = eventReader.read([{ id: 1, project_id: 7, created_at: '2026-02-03T10:00:00.000Z', ...fields }]);
  assert.ok(items[0]);
  return items[0];
}

function push(fields: object): EventRecord {
  return read({ action_name: 'pushed to', push_data: { action: 'pushed', ref_type: 'branch', ...fields } });
}

insideWindow(import.meta.filename);

describe('events as instances were seen to send them', () => {
  it('name branches with spaces that git allows', () => {
    const counted = push({ ref: 'fix\u00A02s\u00A0score', commit_count: 3, commit_from: from, commit_to: to });
    assert.equal(eventLabel(counted), 'Pushed 3 commits to fix\u00A02s\u00A0score');
    assert.deepEqual(rowTexts(counted), { label: '3 commits', detail: 'fix\u00A02s\u00A0score' });
    const made = push({ action: 'created', ref: '機能\u3000追加', commit_to: to });
    assert.equal(eventLabel(made), 'Created branch 機能\u3000追加');
    assert.match(eventLink(made, places), /\/-\/commits\/%E6%A9%9F/);
    for (const ref of ['a b', 'a\u0000b', 'a\u007Fb', 'a..b']) {
      assert.equal(push({ ref }).push_data?.ref, null, ref);
    }
  });

  it('are whole sentences without a ref or title, and lead to the commits that they name', () => {
    const cases: readonly (readonly [object, string, string])[] = [
      [{ action: 'created', commit_to: to }, 'Created a branch', `/commit/${to}`],
      [{ action: 'created', ref_type: 'tag', commit_to: to }, 'Created a tag', `/commit/${to}`],
      [{ action: 'removed', commit_from: from }, 'Deleted a branch', ''],
      [{ commit_count: 3, commit_from: from, commit_to: to }, 'Pushed 3 commits', `/compare/${from}...${to}`],
      [{ commit_count: 1, commit_title: 'Fix', commit_to: to }, 'Pushed “Fix”', `/commit/${to}`],
      [{ commit_count: 1, commit_title: '  ', ref: 'main', commit_to: to }, 'Pushed to main', `/commit/${to}`],
      [{ ref: ' ' }, 'Pushed commits', ''],
    ];
    for (const [fields, label, path] of cases) {
      const event = push(fields);
      assert.equal(eventLabel(event), label);
      assert.ok(rowTexts(event).label.length > 2);
      assert.equal(eventLink(event, places), path === '' ? places.projectUrl : `${places.projectUrl}/-${path}`);
    }
    assert.equal(
      rowTexts(read({ action_name: 'opened', target_type: 'Issue', target_title: '   ' })).label,
      'Opened an issue',
    );
  });

  const zeros = '0'.repeat(40);
  const issue = { action_name: 'opened', target_type: 'Issue', target_id: 70, target_iid: 3, target_title: 'Fix it' };
  const on = (noteable_type: string | null, fields: object = {}) => ({
    ...{ action_name: 'commented on', target_type: 'Note', target_iid: 9, target_title: 'Fix it' },
    note: { id: 9, body: 'x', noteable_id: 70, noteable_iid: 3, noteable_type, ...fields },
  });
  const wiki = { action_name: 'updated', target_type: 'WikiPage::Meta' };
  const odd: readonly (readonly [name: string, fields: object, label: string, path: string])[] = [
    ['a title that cannot be seen', { ...issue, target_title: '\u200b\u00a0' }, '#3', '/-/issues/3'],
    ['a title from right to left', { ...issue, target_title: '\u202eשלום\u202c' }, '#3 שלום', '/-/issues/3'],
    ['a title of lines', { ...issue, target_title: 'a\tb\r\nc' }, '#3 a b c', '/-/issues/3'],
    ['a title that is none', { ...issue, target_title: ['x'] }, '#3', '/-/issues/3'],
    ['a number that is none', { ...issue, target_iid: -3 }, 'Fix it', ''],
    ['a number as text', { ...issue, target_iid: '3' }, 'Fix it', ''],
    ['a time to come', { ...issue, created_at: '2099-01-01T00:00:00Z' }, '#3 Fix it', '/-/issues/3'],
    ['a time beyond all dates', { ...issue, created_at: '+010000-01-01T00:00:00Z' }, '#3 Fix it', '/-/issues/3'],
    ['an action of blanks', { ...issue, action_name: ' ' }, 'Issue #3 “Fix it”', '/-/issues/3'],
    ['an action of two lines', { ...issue, action_name: 'a\nb' }, 'A b issue #3 “Fix it”', '/-/issues/3'],
    ['a design', on('DesignManagement::Design'), 'Fix it', ''],
    ['an alert', on('AlertManagement::Alert'), '^alert#3 Fix it', '/-/alert_management/3/details#note_9'],
    ['a commit that is not named', on('Commit', { noteable_iid: null }), 'Fix it', ''],
    ['a commit of zeros', on('Commit', { noteable_iid: null, commit_id: zeros }), 'Fix it', ''],
    ['a snippet', on('Snippet', { noteable_iid: null }), 'Fix it', '/-/snippets/70#note_9'],
    ['a wiki page', on('WikiPage::Meta', { noteable_iid: null }), 'Fix it', '/-/wikis/pages#note_9'],
    ['a comment without a text', on('Issue', { body: null }), '#3 Fix it', '/-/issues/3#note_9'],
    ['a comment without an id', on('Issue', { id: null }), '#3 Fix it', '/-/issues/3'],
    [
      'a wiki page without an address',
      { ...wiki, wiki_page: { slug: null, title: 'On call' } },
      'On call',
      '/-/wikis/pages',
    ],
    ['a type to come', on('AbuseReport'), 'Fix it', ''],
    ['no type', on(null), 'Fix it', ''],
    ['a vulnerability', on('Vulnerability', { noteable_id: 88 }), 'Fix it', '/-/security/vulnerabilities/88#note_9'],
    ['a vulnerability without an id', on('Vulnerability', { noteable_id: null }), 'Fix it', ''],
    [
      'a wiki page that is gone',
      { action_name: 'destroyed', wiki_page: { slug: 'x', title: 'On call' } },
      'On call',
      '',
    ],
  ];
  for (const [name, fields, label, path] of odd) {
    it(`are rows that lead to their page or to the project: ${name}`, () => {
      const event = read(fields);
      assert.deepEqual([rowTexts(event).label, eventLink(event, places)], [label, places.projectUrl + path]);
    });
  }

  it('have a kind that can be named and chosen without an action and a target', () => {
    const kind = eventKind(read({ action_name: 7 }));
    assert.equal(kindLabel(kind), 'something');
    assert.equal(kindLabel('\u200b'), 'something');
    const chosen = choose({}, 'kinds', kind, () => undefined);
    assert.ok(passes(chosen, new Date())(read({ action_name: 7 })));
    assert.ok(!passes(chosen, new Date())(read(issue)));
    assert.deepEqual(
      choose(chosen, 'kinds', kind, () => undefined),
      {},
      'chosen once more, it is let go',
    );
  });

  it('are comments to charts and filters by their note or their action', () => {
    for (const fields of [
      { ...on('Issue'), action_name: 'noted' },
      { ...on('Issue'), note: null },
    ]) {
      const event = read(fields);
      const isAskedFor = passes(conditionsOfKind(eventKind(event)), new Date(), true);
      assert.deepEqual([eventKind(event), isAskedFor(event), isAskedFor(read(issue))], ['comment', true, false]);
    }
  });

  it('leave no line, link or heading of their page without a name', () => {
    const push_data = { action: 'pushed', ref: '\u00a0', commit_title: '\u200b', commit_count: 1, commit_to: to };
    const event = read({ project_id: null, action_name: 'pushed to', push_data });
    const feed = { state: { instanceUrl: places.instanceUrl } };
    const target = {
      id: 1,
      title: '\u200b ',
      author: { id: 1, name: '\u2060', web_url: 'https://gitlab.example.com/x' },
    };
    const around = { target, commits: [], files: [], isProjectHidden: true, render: () => '' } as never;
    const facts = { path: 'g/p', webUrl: places.projectUrl };
    const html = eventHtml({ item: event, feed, facts } as never, around);
    assert.match(html, /<h2>Now<\/h2>/);
    assert.doesNotMatch(eventHtml({ item: event, feed } as never, around), /is not named/, 'outside of projects');
    assert.doesNotMatch(html, /<(?:a|h2|dd|li|code)\b[^>]*>\s*<\/|role="alert"/);
    const ofOther = { ...(around as object), banner: 'Not of <bob>', account: 'ada' } as never;
    assert.match(
      eventHtml({ item: event, feed } as never, ofOther),
      /role="alert"[^>]*><p><strong>Not of &#60;bob&#62;<.* data-action="switchAccount">Use ada</,
    );
  });

  it('are a short page also for a push of thousands of commits and files', () => {
    const event = push({ ref: 'main', commit_count: 5000, commit_from: from, commit_to: to });
    const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
    const around = { commits: lines, files: lines, render: () => '' } as never;
    const html = eventHtml({ item: event, feed: { state: {} } } as never, around);
    const drawn = html.match(/(?<=<li>)[^<]*/g) ?? [];
    assert.deepEqual(
      [drawn.length, drawn[19], drawn[20], drawn[21], drawn.at(-1)],
      [...[122, 'line 19', 'and 4,980 more commits', 'line 0', '…']],
    );
  });

  it('of pushes have one button that stands out: what shows the changes, or else opens the browser', () => {
    const event = push({ ref: 'main', commit_from: from, commit_to: to });
    const primary = (hasGit: boolean): readonly string[] => {
      const around = {
        hasGit,
        commits: [],
        files: [],
        link: 'https://gitlab.example.com/x',
        render: () => '',
      } as never;
      const html = eventHtml({ item: event, feed: { state: {} } } as never, around);
      return [...html.matchAll(/class="" data-action="(\w+)"/g)].flatMap(([, action]) => action ?? []);
    };
    assert.deepEqual([primary(true), primary(false)], [['showChanges'], ['openInBrowser']]);
  });

  it('have no time on a day that no month has', () => {
    assert.equal(read({ ...issue, created_at: '2026-02-31T10:00:00Z' }).created_at, null);
    assert.equal(read({ ...issue, created_at: '2028-02-29T23:59:59+09:00' }).created_at, '2028-02-29T23:59:59+09:00');
  });

  it('name no commit of zeros, as pushes of older instances do for what was not there', () => {
    for (const [fields, label, path] of [
      [{ ref: 'main', commit_count: 3, commit_from: zeros, commit_to: to }, '3 commits', `/-/commit/${to}`],
      [{ ref: 'main', commit_count: 1, commit_from: from, commit_to: zeros }, 'main', '/-/commits/main'],
      [
        { ref: 'main', commit_count: 1e9, commit_from: from, commit_to: to },
        '1,000,000,000 commits',
        `/-/compare/${from}...${to}`,
      ],
      [{ ref: 'main', commit_count: -4, commit_title: 'Fix', commit_to: to }, 'Fix', `/-/commit/${to}`],
    ] as const) {
      const event = push(fields);
      assert.deepEqual([rowTexts(event).label, eventLink(event, places)], [label, places.projectUrl + path]);
    }
  });

  it('are no formula in a spreadsheet, whatever blank or unseen character is before the sign', () => {
    const blanks = ' \u00A0\u3000\t\u200B\u2060\uFEFF\u2800\u3164\u00AD'.split('');
    for (const start of ['', ...blanks, '"\u2007']) {
      for (const sign of ['=', '+', '-', '@', '＝']) {
        const text = `${start}${sign}1+1`;
        const entry = { text, author: `x;${text}` } as SummaryEntry;
        const row = summaryAsCsv({ entries: [entry] }).split('\r\n')[1] ?? '';
        assert.equal(row.match(/'[=+\-@＝]/g)?.length, 2, JSON.stringify(row));
      }
    }
  });
});
