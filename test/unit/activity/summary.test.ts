import assert from 'node:assert/strict';
import {
  collectSummary,
  type Summary,
  summaryAsCsv,
  summaryAsMarkdown,
  type SummaryEntry,
} from '../../../src/activity/commands/summary.ts';
import { Projects } from '../../../src/activity/feed/projects.ts';

import { addDays, calendarDate } from '../../../src/common/dates.ts';
import { SignedInWindow } from '../../support/signedInWindow.ts';
import { type Answer, endless, withRecords } from '../../support/sandbox/transforms.ts';
import { insideWindow } from '../../support/insideWindow.ts';

insideWindow(import.meta.filename);

const entry = (fields: Partial<SummaryEntry> = {}): SummaryEntry => ({
  at: '2026-11-16T09:30:00.000Z',
  date: '2026-11-16',
  time: '9:30 AM',
  project: 'group/one',
  projectUrl: 'https://host/group/one',
  author: 'Ada Byron',
  username: 'ada',
  kind: 'opened Issue',
  action: 'opened',
  targetType: 'Issue',
  targetTitle: 'Crash',
  commits: 0,
  text: 'Opened issue #3 "Crash"',
  link: 'https://host/group/one/-/issues/3',
  ...fields,
});
const summaryOf = (...entries: readonly SummaryEntry[]): Summary => ({
  title: 'Activity: Ada Byron',
  from: '2026-11-16',
  to: '2026-11-20',
  entries,
  muted: 0,
  notes: ['Something is left out.'],
});

describe('a summary of activity', () => {
  it('says that nothing happened only where nothing is left out', () => {
    assert.match(summaryAsMarkdown(summaryOf()), /\n\nNothing happened\.\n/);
    assert.match(summaryAsMarkdown({ ...summaryOf(), muted: 2 }), /\n\nNothing but what you muted\.\n/);
  });

  it('is a document grouped by project and day, with links and counts', () => {
    const text = summaryAsMarkdown(
      summaryOf(
        entry(),
        entry({ kind: 'push', commits: 3, text: 'Pushed 3 commits to main', link: 'https://host/c' }),
        entry({ date: '2026-11-17', project: 'group/one' }),
        entry({ project: 'group/two', projectUrl: undefined }),
      ),
    );
    assert.equal(
      text.replaceAll(/[\u2009\u202f]/g, ' '),
      [
        '# Activity: Ada Byron, November 16 – 20, 2026',
        String.raw`**4 events, 3 commits**: opened issues: 3, pushes: 1`,
        '*Something is left out.*',
        '## [group/one](https://host/group/one) (3)',
        '### Monday, November 16',
        String.raw`- 9:30 AM [Opened issue \#3 "Crash"](https://host/group/one/-/issues/3)`,
        '- 9:30 AM [Pushed 3 commits to main](https://host/c)',
        '### Tuesday, November 17',
        String.raw`- 9:30 AM [Opened issue \#3 "Crash"](https://host/group/one/-/issues/3)`,
        '## group/two (1)',
        '### Monday, November 16',
        String.raw`- 9:30 AM [Opened issue \#3 "Crash"](https://host/group/one/-/issues/3)`,
        '',
      ]
        .join('\n\n')
        .replaceAll(')\n\n- ', ')\n- ')
        .replace(/\n\n$/, '\n'),
    );
  });

  it('shows text of others as text, in links too', () => {
    const text = summaryAsMarkdown(
      summaryOf(
        entry({ text: '](javascript:x) <img src=x>\n# *big* `code`', link: 'https://host/a b(c)' }),
        entry({ project: '[x](y)', projectUrl: undefined }),
      ),
    );
    assert.ok(
      text.includes(String.raw`[\]\(javascript:x\) \<img src=x\> \# \*big\* \`code\`](https://host/a%20b%28c%29)`),
      text,
    );
    assert.ok(text.includes(String.raw`## \[x\]\(y\) (1)`));
    // A renderer that makes links of plain addresses would take the backslash for a part of it.
    const address = summaryAsMarkdown(summaryOf(entry({ text: 'https://evil.example/<img src=x>' })));
    assert.ok(address.includes(String.raw`[https\://evil.example/\<img src=x\>]`), address);
  });

  describe('of an instance', () => {
    let window: SignedInWindow;
    let projects: Projects;
    let now: Date;

    before(async () => {
      window = await SignedInWindow.open({ extra: { events: 2000 } });
      // Not sooner: midnight may have come since this file was loaded.
      now = new Date();
      projects = new Projects({ of: async () => window.connection } as never);
    });
    after(() => window.close());

    const request = (
      signal: AbortSignal,
      days: number,
      onProgress: (read: number, total?: number) => void = () => {},
    ) => ({
      feed: { kind: 'allProjects', accountId: 'sandbox' } as const,
      title: 'All',
      period: { from: addDays(calendarDate(now), -days), to: calendarDate(now) },
      muted: new Set<string>(),
      now,
      signal,
      onProgress,
    });

    it('holds every event of the period once, by the names of their projects', async () => {
      const steps: number[] = [];
      const { signal } = new AbortController();
      const summary = await collectSummary(
        window.connection,
        projects,
        request(signal, 14, (read) => steps.push(read)),
      );
      const all = [];
      for await (const { items } of window.connection.client.events.mine({ scope: 'all' }, { perPage: 100 })) {
        all.push(...items);
      }
      const first = addDays(calendarDate(now), -14);
      const expected = all.filter(
        (item) => 'created_at' in item && calendarDate(new Date(item.created_at ?? '')) >= first,
      );
      assert.equal(summary.entries.length, expected.length);
      assert.ok(summary.entries.length > 50);
      assert.ok(steps.length > 0);
      assert.ok(
        summary.entries.every(({ project, link }) => /^[a-z]+\/[a-z/-]+$/.test(project) && link.startsWith('http')),
      );
      assert.deepEqual(
        summary.entries.map(({ at }) => at),
        summary.entries.map(({ at }) => at).sort(),
      );
      assert.equal(summary.notes.length, 1);
    });

    it('leaves out what is muted, as the views do, and says how many', async () => {
      const asked = request(new AbortController().signal, 14);
      const all = await collectSummary(window.connection, projects, asked);
      const [{ username } = { username: '' }] = all.entries;
      const heard = await collectSummary(window.connection, projects, {
        ...asked,
        muted: new Set([`author/${username}`]),
      });
      const left = all.entries.filter((entry) => entry.username !== username);
      assert.deepEqual(heard.entries, left);
      const count = all.entries.length - left.length;
      assert.equal(
        heard.notes.at(-1),
        `Left out because you muted them: ${count === 1 ? '1 event' : `${count} events`}`,
      );
      assert.deepEqual(heard.notes.slice(0, -1), all.notes);
    });

    it('has the events without a date that can be read, apart from the days', async () => {
      window.sandbox.control.transform({
        path: '/events',
        times: 1,
        answer: withRecords((event) => ({ ...event, created_at: '0001-01-01T00:00:00Z' })),
      });
      const summary = await collectSummary(window.connection, projects, request(new AbortController().signal, 14));
      const undated = summary.entries.filter(({ at }) => at === '');
      assert.ok(undated.length > 50);
      const text = summaryAsMarkdown(summary);
      assert.match(text, /### Without a date\n\n- \[/);
      assert.doesNotMatch(text, /Invalid/);
      assert.equal(summaryAsCsv(summary).split('\r\n').length, summary.entries.length + 2);
    });

    for (const by of ['page', 'cursor'] as const) {
      it(`ends where a feed has no end, and says so (${by})`, async () => {
        const path = '/events';
        let pages = 0;
        // Its records tell nothing after some pages, and take their time.
        const few: Answer = (own) => (pages < 10 ? own() : Response.json([]));
        window.sandbox.control.transform({ path, answer: endless(by) }, { path, answer: few });
        const summary = await collectSummary(
          window.connection,
          projects,
          request(new AbortController().signal, 14, () => (pages += 1)),
        );
        window.sandbox.control.transform();
        assert.equal(pages, 500);
        assert.match(summary.notes.join(), /There are more events: only the first [\d,]+ were read\./);
      });
    }

    it('can be cancelled', async () => {
      const abort = new AbortController();
      const collecting = collectSummary(
        window.connection,
        projects,
        request(abort.signal, 400, () => abort.abort()),
      );
      await assert.rejects(collecting, { reason: 'aborted' });
    });
  });
});
