import assert from 'node:assert/strict';
import { addDays, calendarDate } from '../../../src/common/dates.ts';
import { type Answer, endless, withRecords } from '../../support/sandbox/transforms.ts';
import { insideWindow } from '../../support/insideWindow.ts';
import { TestWindow } from '../../support/testWindow.ts';
import { summaryEntry as entry, summaryOf } from './eventTexts.ts';

insideWindow(import.meta.filename);

describe('a summary of activity', () => {
  it('says that nothing happened only where nothing is left out', () => {
    assert.match(summaryOf([]).markdown, /\n\nNothing happened\.\n/);
    assert.match(summaryOf([], { muted: 2 }).markdown, /\n\nNothing but what you muted\.\n/);
  });

  it('is a document grouped by project and day, with links and counts', () => {
    const { markdown: text } = summaryOf([
      entry(),
      entry({ kind: 'push', commits: 3, text: 'Pushed 3 commits to main', link: 'https://host/c' }),
      entry({ date: '2026-11-17', project: 'group/one' }),
      entry({ project: 'group/two', projectUrl: undefined }),
    ]);
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

  describe('of an instance', () => {
    let window: TestWindow;
    before(async () => {
      window = await TestWindow.open({ signedInAs: 'owner' });
    });
    afterEach(() => window.sandbox.control.transform());
    after(() => window.dispose());

    async function summary(format: 'csv' | 'markdown', period = 'last 15 days'): Promise<string> {
      await window.run('beacon.activity.summarize', { feed: { kind: 'allProjects' }, period, format });
      return window.document().text;
    }
    const rowsOf = (csv: string): string[] => csv.trim().split('\r\n').slice(1);

    it('holds every event of the period once, by the names of their projects', async () => {
      const now = calendarDate(new Date());
      // Days by their dates: midnight may pass meanwhile.
      const [first, last] = [addDays(now, -14), addDays(now, -1)];
      const rows = rowsOf(await summary('csv', `${first} to ${last}`));
      const { url, tokens } = window.sandbox;
      const expected = [];
      for (let page = '1'; page !== '';) {
        const answer = await fetch(`${url}/api/v4/events?scope=all&per_page=100&page=${page}`, {
          headers: { 'PRIVATE-TOKEN': tokens.owner },
        });
        const events = (await answer.json()) as { readonly created_at: string }[];
        const days = events.map(({ created_at: at }) => calendarDate(new Date(at)));
        expected.push(...days.filter((day) => day >= first && day <= last));
        page = answer.headers.get('x-next-page') ?? '';
      }
      assert.ok(rows.length > 50);
      assert.equal(rows.length, expected.length);
      assert.deepEqual(rows, rows.toSorted());
      assert.ok(rows.every((row) => /^[^,]+Z,[a-z]+\/[a-z/-]+,.*,http[^,]*$/.test(row)));
    });

    it('leaves out what is muted, as the views do, and says how many', async () => {
      const all = rowsOf(await summary('csv'));
      await window.choose('beacon.activity', /: #\d/, 'Mute in Beacon’s Feeds > Mute This Kind of Event');
      const count = all.length - rowsOf(await summary('csv')).length;
      assert.ok(count > 0);
      assert.match(await summary('markdown'), new RegExp(`\\*Left out because you muted them: ${count} events?\\*`));
    });

    it('has the events without a date that can be read, apart from the days', async () => {
      window.sandbox.control.transform({
        path: '/events',
        answer: withRecords((event) => ({ ...event, created_at: '0001-01-01T00:00:00Z' })),
      });
      const text = await summary('markdown');
      assert.match(text, /### Without a date\n\n- \[/);
      assert.doesNotMatch(text, /Invalid/);
      assert.ok(rowsOf(await summary('csv')).every((row) => row.startsWith(',')));
    });

    it('ends where a feed has no end, and says so', async () => {
      const path = '/events';
      let pages = 0;
      // Records tell nothing after some pages, and take their time.
      const few: Answer = (own) => ((pages += 1) < 10 ? own() : Response.json([]));
      window.sandbox.control.transform({ path, answer: endless() }, { path, answer: few });
      assert.match(await summary('markdown'), /There are more events: only the first [\d,]+ were read\./);
    });

    it('can be cancelled', async () => {
      const before = window.document();
      window.sandbox.control.transform({ answer: endless(), path: '/events' });
      const summarizing = summary('csv', 'last 2 years');
      const progress = await window.until(() => window.progress.find(({ messages }) => messages.length > 2));
      progress.cancel();
      await summarizing;
      assert.equal(window.document(), before);
    });
  });
});
