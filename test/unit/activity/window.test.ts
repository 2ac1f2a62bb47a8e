import assert from 'node:assert/strict';
import { TestWindow } from '../../support/testWindow.ts';
import { idle } from '../../support/window/idle.ts';
import type { InsightsState } from './activityWindow.ts';

const view = 'beacon.activity';

describe('the Activity view, as its users know it', () => {
  let window: TestWindow;
  beforeEach(async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await window.run('beacon.activity.focus').catch(() => undefined);
    await rowsOf();
  });
  afterEach(() => window.dispose());

  async function rowsOf(): Promise<readonly string[]> {
    await window.until(async () => (await window.rows(view)).length > 5);
    return await window.rows(view);
  }

  /** What the page of an event shows by now. */
  async function page(): Promise<string> {
    const { posted, webview } = await window.panel('beacon.activityEvent');
    const last = posted.findLast((message) => (message as { type: string }).type === 'state');
    return (last as { html: string } | undefined)?.html ?? webview.html.replaceAll(String.raw`\u003c`, '<');
  }

  /** Ticks these in the list of filters alone. */
  async function filter(...ticked: readonly string[]): Promise<void> {
    window.answer('Filter Activity', ticked);
    await window.chooseOfTitle(view, 'Filter Activity…');
  }
  const firstRow = async () => (await window.rows(view))[0] ?? '';

  describe('shows an event', () => {
    it('by a click, with what it is about as it is now, read once', async () => {
      await window.click(view, /: #\d/);
      await window.until(async () => /<section class="target"/.test(await page()), 'what the event is about');
      const html = await page();
      for (const part of [/<dt>State<\/dt>/, /<dt>Author<\/dt>/, /<dt>Assigned to<\/dt>/, /class="label">planning</]) {
        assert.match(html, part);
      }
      assert.match(html, / · \w+day, \w+ \d+, \d{4}\b[^]*data-action="openInBrowser"/);
      const read = window.requests.filter(({ path }) => /\/issues\/\d+$/.test(path));
      assert.equal(read.length, 1);
      const { received } = await window.panel('beacon.activityEvent');
      received.fire({ type: 'openInBrowser' });
      await window.until(() => window.opened.length > 0);
      assert.match(window.opened[0] ?? '', /\/-\/issues\/\d+/);
      await window.run('beacon.activity.copyLink', undefined);
      assert.match(window.clipboard, /^http/);
    });

    it('and does nothing for a page that is closed, such as with the event of the selected row', async () => {
      await window.click(view, /: #\d/);
      const { received } = await window.panel('beacon.activityEvent');
      await window.select(view, /: \d+ commits$/);
      window.panels[0]?.dispose();
      for (const type of ['openInBrowser', 'showChanges', 'switchAccount', 'ready']) {
        received.fire({ type });
      }
      await idle();
      assert.deepEqual([window.opened, window.messages, window.panels], [[], [], []]);
    });

    it('with its comment, also as it was written, and says that it is internal and where it comes from', async () => {
      window.sandbox.control.transform({
        path: '/events',
        answer: async (own) => {
          const events = (await (await own()).json()) as { readonly note?: object }[];
          const imported = { imported: true, imported_from: 'github' };
          return Response.json(
            events.map((event) => ({ ...event, ...imported, note: event.note && { ...event.note, internal: true } })),
          );
        },
      });
      await filter('commented');
      await window.row(view, 'Clear Filter');
      await window.until(async () => /\bcomment\b/.test((await window.row(view, /: [#!]\d/)).contextValue));
      await window.click(view, /: [#!]\d/);
      await window.until(async () => (await page()).includes('<article class="text"'));
      assert.match(await page(), / · internal comment · imported from github</);
      assert.match(String(window.contextKeys.get('beacon.activity.event')), /\bcomment\b/);
      await window.run('beacon.activity.showEventSource', undefined);
      const events = await window.elsewhere<{ note: { body: string } }[]>(
        '/events?scope=all&action=commented&per_page=100',
      );
      const bodies = events.map(({ note }) => note.body);
      const document = window.document();
      assert.equal(document.languageId, 'markdown');
      assert.ok(bodies.includes(document.getText()));
    });

    it('and says why what it is about cannot be read, reads it on another click, and goes on to the next one', async () => {
      window.sandbox.control.transform({ path: '/projects/*/issues/*', answer: 404 });
      await window.click(view, /: #\d/);
      await window.until(async () => /could not be read: Not found on/.test(await page()), 'why');
      window.sandbox.control.transform();
      await window.click(view, /: #\d/);
      await window.until(
        async () => (await page()).includes('<section class="target"'),
        'what it is about, on a second click',
      );
      // Its link becomes that of the project as soon as that is known.
      const title = async () => (await page()).match(/<h1>.*?<\/h1>/)?.[0].replaceAll(/<[^>]*>/g, '');
      const before = await title();
      await window.run('beacon.activity.showNextEvent');
      await window.until(async () => (await title()) !== before, 'the next event');
      await window.run('beacon.activity.showPreviousEvent');
      await window.until(async () => (await title()) === before, 'the one before');
      await window.run('beacon.activity.showPreviousEvent');
      await window.until(() => window.statusBar.some((text) => text.includes('first event of the feed')));
    });

    it('that is a push with its branch and commits', async () => {
      await window.click(view, /: \d+ commits$/);
      const html = await page();
      assert.match(html, /<dt>Branch<\/dt>[^]*<dt>Range<\/dt>[^]*<h2>Commits<\/h2>/);
      assert.match(html, /\/-\/compare\/|\/projects\/\d+/);
      await window.until(async () => /<h2>Files<\/h2>[^]*README\.md/.test(await page()), 'files of the instance');
      assert.match(await page(), /<h2>Commits<\/h2>[^]*<li>Step 2<\/li>/);
      assert.equal(window.requests.filter(({ path }) => path.includes('/repository/compare')).length, 1);
    });
  });

  it('shows an event and insights again after a reload, and no event that is gone', async () => {
    await window.click(view, /: #\d/);
    const { posted, received } = await window.panel('beacon.activityEvent');
    received.fire({ type: 'ready' });
    const shown = posted.at(-1) as { readonly id: object; readonly said: string };
    await window.restart(shown.id);
    await window.until(async () => /<section class="target"/.test(await page()), 'what it is about');
    await window.until(async () => /<h1><a href="[^"]*\/-\/(?:issues|work_items)\/\d+/.test(await page()), 'its link');
    await window.restart({ ...shown.id, event: 1 });
    assert.deepEqual(window.panels, []);
    await window.run('beacon.activity.showInsights');
    const insights = await window.panel('beacon.activityInsights');
    await window.until(() => insights.posted.some((state) => !(state as InsightsState).isReading));
    const { kept, total } = insights.posted.at(-1) as InsightsState;
    await window.restart(kept);
    const again = await window.panel('beacon.activityInsights');
    await window.until(() => again.posted.some((state) => (state as InsightsState).total === total));
  });

  it('says nothing in its title while nobody is signed in', async () => {
    await window.chooseOfTitle(view, 'Unread Only');
    assert.match((await window.view(view)).description ?? '', /^All My Projects · .*unread only/);
    window.answer('Sign out', 'Sign Out');
    await window.run('beacon.signOut');
    await window.until(async () => (await window.view(view)).description === '', 'an empty title');
    const { badge, message } = await window.view(view);
    assert.deepEqual([badge, message ?? ''], [undefined, '']);
  });

  describe('marks what is read', () => {
    it('by row and by day, and makes it new again', async () => {
      const row = await window.row(view, /: #\d/);
      assert.ok(row.menu.includes('Mark as Unread') && !row.menu.includes('Mark as Read'), row.menu.join());
      await window.choose(view, /: #\d/, 'Mark as Unread');
      assert.deepEqual((await window.view(view)).badge?.value, 1);
      assert.match((await window.row(view, /: #\d/)).accessibleName ?? '', /^New: /);
      await window.choose(view, /: #\d/, 'Mark as Read');
      assert.equal((await window.view(view)).badge, undefined);
      await window.choose(view, /: #\d/, 'Mark as Unread');
      const day = (await window.rows(view)).find((line) => /^(?:Today|Yesterday)/.test(line))?.split(' ')[0] ?? '';
      await window.choose(view, day, 'Mark Day as Read');
      await window.message('1 event was marked as read.');
      assert.equal((await window.view(view)).badge, undefined);
      await window.press('Undo');
      await window.message('Undone: 1 event was marked as read.');
      assert.equal((await window.view(view)).badge?.value, 1);
    });

    it('in all feeds, with Undo, and shows what is unread alone by a toggle of the title', async () => {
      await window.choose(view, /: #\d/, 'Mark as Unread');
      assert.ok(window.menu(view).includes('Unread Only'));
      await window.chooseOfTitle(view, 'Unread Only');
      assert.equal((await window.rows(view)).filter((line) => /^ {2}\S/.test(line)).length, 1);
      await window.chooseOfTitle(view, 'Mark All as Read');
      await window.message('also what is filtered out');
      assert.ok((await window.rows(view)).some((line) => line.includes('Nothing is unread')));
      await window.press('Undo');
      await window.message('Unread again: ');
      assert.equal((await window.view(view)).badge?.value, 1);
      await window.chooseOfTitle(view, 'Show Read Activity');
      assert.ok((await rowsOf()).length > 5);
    });
  });

  it('offers the feeds of the project and of the author of the event that is selected', async () => {
    await window.select(view, /: #\d/);
    const named = /^(?:New: )?(\S+) .*, (\S+\/\S+), /;
    const sentence = await window.until(async () => {
      const { accessibleName = '' } = await window.row(view, /: #\d/);
      return named.test(accessibleName) && accessibleName;
    });
    const [, author = '', project = ''] = named.exec(sentence) ?? [];
    window.answer('Select Feed', ({ lines }) => {
      assert.ok(lines.includes(project), lines.join());
      return new RegExp(`@${author}`);
    });
    await window.run('beacon.activity.selectFeed');
    await window.until(() => window.requests.some(({ path }) => /^\/users\/\d+\/events/.test(path)));
  });

  it('filters by several actions at once, and says how far it has searched', async () => {
    await filter('closed', 'commented');
    const types = /,issue,merge request[^,]*,comment,milestone,epic[^,]*,project,snippet,user,wiki page,design,/;
    assert.match(String(window.asked.at(-1)?.lines), types);
    await window.until(async () => /^Clear Filter (?:commented, closed|closed, commented)/.test(await firstRow()));
    const events = (await window.rows(view)).filter((line) => /^ {2}\S/.test(line));
    assert.ok(events.length > 0);
    for (const line of events.slice(0, 5)) {
      const label = line.trim().split(' ')[0] ?? '';
      const { accessibleName } = await window.row(view, new RegExp(`^${label}`));
      assert.match(accessibleName ?? '', /(?:closed|commented on) /);
    }
    assert.ok(!window.requests.some(({ path }) => /[?&]action=/.test(path)), 'the instance knows one action alone');
    assert.match((await window.rows(view)).at(-1) ?? '', /^Load More searched back to \w+ \d+, \d{4}$/);
    await filter('closed');
    await window.until(() => window.requests.some(({ path }) => path.includes('action=closed')));
  });

  it('filters by days, of a list or typed, which the filter can be rid of again', async () => {
    window.answer('Choose the days', 'Last Week');
    await filter('Days…');
    // The days of the label are those of the clock.
    await window.until(async () => /^Clear Filter \w{3} \d+.* \d{4}/.test(await firstRow()));
    const lastWeek = await firstRow();
    window.answer('Choose the days', 'Other Days…');
    window.answer('Such as last 3 weeks', 'last 3 weeks to today');
    await filter('Days…');
    await window.until(async () => (await firstRow()).startsWith('Clear Filter') && (await firstRow()) !== lastWeek);
    window.answer('Choose the days', 'Other Days…');
    window.answer('until 2026-11-13', 'until today');
    await filter('Days…');
    await window.until(async () => /^Clear Filter until \w{3} \d+, \d{4}$/.test(await firstRow()));
    await filter();
    await window.until(async () => !(await firstRow()).startsWith('Clear Filter'));
  });

  it('separates what it filters by as the language does', async () => {
    await window.dispose();
    window = await TestWindow.open({ sandbox: false, language: 'ja' });
    await window.run('beacon.trySandbox');
    await rowsOf();
    window.answer('アクティビティのフィルター', ({ lines }) =>
      lines.filter((line) => !/ · |^---/.test(line)).slice(0, 2),
    );
    await window.chooseOfTitle(view, 'Filter Activity…');
    await window.until(async () => /^フィルターのクリア [^ ,]+、[^ ,]+$/.test(await firstRow()));
  });

  it('says what comes of pinning a feed, and shows pinned and chosen ones side by side', async () => {
    await window.chooseOfTitle(view, 'Pin Feed');
    await window.message('Pinned All My Projects: it stays in the view of all windows');
    window.answer('Select Feed', 'My Activity');
    await window.press('Select Another Feed…');
    await window.until(async () => (await window.rows(view)).some((row) => row.startsWith('My Activity')));
    const feed = await window.row(view, 'All My Projects');
    assert.match(feed.accessibleName ?? '', /^Feed All My Projects, pinned/);
    assert.ok(feed.menu.includes('Unpin Feed'));
    const second = await window.second();
    assert.ok((await second.until(async () => (await second.rows(view)).length > 0 && second.rows(view))).length > 0);
  });

  it('leaves the lines of Select Feed where they are while one is pinned', async () => {
    const found = /^harbor\/tide-table/;
    window.answer('Select Feed', { button: 'Pin', of: found });
    window.answer('Select Feed', ({ lines }) => {
      const section = lines.findIndex((line) => line.startsWith('--- projects'));
      assert.ok(section >= 0 && lines.findIndex((line) => found.test(line)) > section, lines.join('\n'));
      return undefined;
    });
    await window.run('beacon.activity.selectFeed');
  });

  it('mutes, and shows again what is selected in the list of mutes', async () => {
    const offers = () => window.menu(view).includes('Muted Activity…');
    const isMuted = async () => (await window.rows(view)).some((row) => row.startsWith('Muted events:'));
    assert.equal(offers(), false);
    await window.choose(view, /: #\d/, 'Mute in Beacon’s Feeds > Mute This Kind of Event');
    await window.until(isMuted);
    window.answer('Manage Muted Activity', []);
    await window.until(offers);
    await window.run('beacon.activity.manageMutes');
    assert.ok(await isMuted());
    window.answer('Manage Muted Activity', [/./]);
    await window.run('beacon.activity.manageMutes');
    await window.until(async () => !(await isMuted()));
    assert.equal(offers(), false);
  });

  it('counts events in charts, whose marks filter them and the feed', async () => {
    await window.run('beacon.activity.showInsights');
    const panel = await window.panel('beacon.activityInsights');
    assert.match(panel.webview.html, /total\W+[1-9]\d* events/, 'what the feed has shows at once');
    const state = () => panel.posted.at(-1) as InsightsState;
    await window.until(() => state() && !state().isReading);
    assert.deepEqual(
      state().charts.map(({ name }) => name),
      ['days', 'hours', 'kinds', 'projects', 'people'],
    );
    assert.ok(state().charts.every(({ marks }) => marks.some(({ count }) => count > 0)));
    assert.equal(state().period, '30');
    const total = state().charts[2]?.marks.reduce((sum, { count }) => sum + count, 0);
    assert.equal(state().total, `${total} events`);
    panel.received.fire({ type: 'choose', chart: 'kinds', id: 'push' });
    await window.until(() => state().filter === 'pushed');
    assert.match(state().total, /^\d+ of \d+ events$/);
    assert.ok(state().charts[2]?.marks.some(({ id, isChosen }) => id === 'push' && isChosen));
    await window.until(async () => (await firstRow()).startsWith('Clear Filter pushed'));
    panel.received.fire({ type: 'clear' });
    await window.until(() => state().filter === '');
    panel.received.fire({ type: 'period', period: '365' });
    await window.until(() => state().period === '365' && !state().isReading);
    const days = state().charts[0]?.marks ?? [];
    assert.ok(days.length <= 366 && days.length >= 28, 'no blank months before the first event');
    panel.received.fire({ type: 'unknown' });
    await window.message('An unexpected error occurred.');
  });

  it('summarizes first the feed that is shown, without the account in its heading', async () => {
    window.answer('Select Feed', 'My Activity');
    await window.chooseOfTitle(view, 'Select Feed…');
    window.answer('Summarize Activity', ({ lines }) => {
      assert.match(lines[0] ?? '', /^My Activity · shown now/);
      return 'My Activity';
    });
    window.answer('Summarize Activity: My Activity', 'Last 7 Days');
    window.answer('Summarize Activity: My Activity', 'CSV');
    // As the title of the view does while a row has the focus.
    await window.run('beacon.activity.summarize', { kind: 'day', feed: { id: 'sandbox/mine', ref: { kind: 'mine' } } });
    assert.match(window.document().text, /^at,project,author,username,/);
    window.answer('Summarize Activity: My Activity', 'Today');
    const noDay = '2026-02-31';
    await window.run('beacon.activity.summarize', { feed: { kind: 'mine' }, period: noDay, format: 'markdown' });
    await window.run('beacon.activity.summarize', { feed: { kind: 'mine' }, period: 'today', format: 'markdown' });
    assert.match(window.document().text, /^# Activity: My Activity, /);
  });

  it('offers what can be done where no repository has the commits of a push', async () => {
    await window.click(view, /: \d+ commits$/);
    await window.until(async () => /\/-\/(?:compare|commit)\//.test(await page()), 'the project');
    for (const button of ['Open Folder…', 'Clone…', 'Open in Browser']) {
      const showing = window.choose(view, /: \d+ commits$/, 'Show Changes');
      await window.message('No open repository can show these changes.');
      await window.press(button);
      await showing;
    }
    assert.ok(window.calls.some(([command]) => command === 'vscode.openFolder'));
    const [, from = ''] = window.calls.find(([command]) => command === 'git.clone') ?? [];
    assert.match(String(from), new RegExp(`^${window.sandbox.url}/[\\w/-]+\\.git$`));
    await window.until(() => window.opened.some((address) => /\/-\/(?:compare|commit)\//.test(address)));
  });
});
