import assert from 'node:assert/strict';
import type { Locator, Page, Request } from 'playwright-core';
import { activityRows, countShownEvents, findRow } from '../../scripts/workbench/activityView.ts';
import type { EventRecord } from '../../src/api/events.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { callAsOwner } from '../support/callAsOwner.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { answerSignIn } from '../support/signIn.ts';
import { WebviewPage } from '../support/webviewPage.ts';
import {
  chooseFromMenu,
  keepPictureOfFailure,
  quickInput,
  reloadWindow,
  runCommand,
  takeFound,
  Workbench,
} from '../support/workbench.ts';

describe('the feeds of the Activity view', () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    // Half of what the sandbox makes up is by the user who is signed in.
    const settings = { 'beacon.activity.pollingInterval': 10, 'beacon.activity.ownEventsAreNew': true };
    workbench = await Workbench.start({ settings });
    page = await workbench.open();
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
    await countShownEvents(page, 1);
  });
  after(async () => {
    await workbench.stop();
    await sandbox.close();
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  const title = (): Locator => page.locator('.pane-header, .composite.title').filter({ hasText: 'Activity' }).first();
  const option = (name: string | RegExp): Locator => page.getByRole('option', { name }).first();
  const row = (hasText: string | RegExp): Locator => activityRows(page).filter({ hasText }).first();
  const sentence = (name: RegExp): Locator => page.getByRole('treeitem', { name }).first();

  /** The latest event of a feed for which something holds, from the instance. */
  async function latestEvent(path: string, isWanted: (event: EventRecord) => boolean): Promise<EventRecord> {
    const event = ((await callAsOwner(sandbox, path)) as EventRecord[]).find(isWanted);
    assert.ok(event);
    return event;
  }

  /** Lets so many events happen. */
  async function happen(count: number): Promise<void> {
    sandbox.control.addEvents({ count, project: 'harbor/tide-table' });
  }

  async function selectFeed(name: string): Promise<void> {
    await runCommand(page, 'Beacon: Select Feed…');
    await takeFound(page, name);
  }

  it('switch to everyone’s events, by name of who did them', async () => {
    await selectFeed('All My Projects');
    await title().getByText('All My Projects').waitFor();
    const { author } = await latestEvent('/events?scope=all', (event) => event.author?.username !== 'marta');
    await findRow(page, author?.username ?? '');
  });

  it('switch to a project that is searched as one types, with its merge requests', async () => {
    await runCommand(page, 'Beacon: Select Feed…');
    await quickInput(page).field.fill('tide');
    await option('All My Projects').waitFor({ state: 'hidden' });
    await option(/harbor\/tide-table/).click();
    await title().getByText('harbor/tide-table').waitFor();
    const { target_iid: iid } = await latestEvent(
      '/projects/501/events',
      (event) => event.target_type === 'MergeRequest',
    );
    await findRow(page, `!${iid}`);
  });

  it('are filtered by action and by relative days, and shown in full again by one click', async () => {
    await runCommand(page, 'Beacon: Filter Activity…');
    await option('pushed').click();
    await sentence(/Filtered: pushed/).waitFor();
    await title().hover();
    assert.equal(
      await title()
        .getByRole('button', { name: /Feed|Filter|Refresh|Read|Collapse/ })
        .count(),
      3,
    );
    await title().getByRole('button', { name: 'Change Activity Filter' }).click();
    await option(/^Since/).click();
    await quickInput(page).field.fill('last mont');
    await quickInput(page).message.getByText('This is not a day').waitFor();
    await quickInput(page).field.fill('last month');
    await quickInput(page).field.press('Enter');
    await title().getByText('pushed · since last month').waitFor();
    await sentence(/commented on/).waitFor({ state: 'hidden' });
    await sentence(/Filtered: pushed · since last month/).click();
    await findRow(page, /commented on/);
  });

  it('remember their filters each', async () => {
    await runCommand(page, 'Beacon: Filter Activity…');
    await option('commented').click();
    await title().getByText('commented').waitFor();
    await selectFeed('My Activity');
    await findRow(page, /pushed/);
    await selectFeed('harbor/tide-table');
    await title().getByText('commented').waitFor();
    await runCommand(page, 'Beacon: Clear Activity Filter');
    await findRow(page, /marta pushed/);
  });

  it('are worked by keyboard: open a day, read an event, come back', async () => {
    const tree = page.getByRole('tree', { name: 'Activity' });
    const day = activityRows(page).first();
    // The editor drops keys, and the focus of the row, while it draws the rows again, such as after a look for new events.
    while ((await day.getAttribute('aria-expanded')) === 'true') {
      await tree.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowLeft');
    }
    while ((await day.getAttribute('aria-expanded')) === 'false') {
      await tree.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
    }
    // The editor asks for the events of the day; until then the next row is the next day.
    await activityRows(page).nth(1).and(page.locator('[aria-level="2"]')).waitFor();
    while ((await tree.locator('.monaco-list-row.focused[aria-level="2"]').count()) === 0) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    // Until the page is there the editor is still opening, and takes no keys for the view.
    const heading = new WebviewPage(page).content.getByRole('heading', { level: 1 });
    await heading.waitFor();
    assert.equal(await page.locator('.part.sidebar :focus').count(), 1, 'the focus stays in the view');
    const first = await heading.innerText();
    await page.keyboard.press('Alt+ArrowDown');
    await heading.filter({ hasNotText: first }).waitFor();
    assert.equal(await page.locator('.part.sidebar :focus').count(), 1, 'the focus stays in the view');
    await page.keyboard.press('Alt+ArrowUp');
    await heading.filter({ hasText: first }).waitFor();
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Control+Enter');
    assert.match((await opened).url(), /harbor\/tide-table/);
    await page.bringToFront();
  });

  it('show an event as it looks, by mouse and by keys, in every kind of theme and at any width, and load nothing for it', async () => {
    const webview = new WebviewPage(page);
    const { content } = webview;
    const heading = content.getByRole('heading', { level: 1 });
    const asked: string[] = [];
    const record = (request: Request): void => {
      if (request.frame().name() === 'active-frame' && !request.isNavigationRequest()) {
        asked.push(request.url());
      }
    };
    page.on('request', record);
    await (await findRow(page, /commented on/)).click();
    await content.getByRole('article', { name: 'Comment' }).waitFor();
    await heading.filter({ hasText: 'Commented on' }).waitFor();
    assert.match((await heading.getByRole('link').getAttribute('href')) ?? '', /harbor\/tide-table\/.*#note_/);
    assert.equal(await content.locator('html').getAttribute('lang'), 'en');
    assert.deepEqual(await webview.violationsInAllThemes(), []);

    for (const width of [1200, 600, 320]) {
      await webview.setEditorWidth(width);
      assert.equal(await content.locator('html').evaluate(isWiderThanShown), false, `${width} pixels`);
    }
    assert.deepEqual(await webview.violations(), [], 'where it is narrow');
    await page.setViewportSize({ width: 1200, height: 800 });

    // Inside the page, too, keys lead on, and Tab from link to link.
    const first = await heading.innerText();
    await runCommand(page, 'View: Focus Active Editor Group');
    await page.keyboard.press('Tab');
    await heading.locator('a:focus').waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await heading.filter({ hasNotText: first }).waitFor();
    // What the title offers is about the event of the page, whatever row is selected.
    const opened = page.context().waitForEvent('page');
    await page.locator('.editor-actions').getByRole('button', { name: 'Open in Browser' }).click();
    const { pathname } = new URL((await heading.getByRole('link').getAttribute('href')) ?? '');
    // The server of the workbench stands between.
    assert.ok(new URL((await opened).url()).pathname.endsWith(pathname));
    await page.bringToFront();
    await page.getByRole('button', { name: 'Show Previous Event' }).click();
    await heading.filter({ hasText: first }).waitFor();
    await page.getByRole('button', { name: 'Show Source' }).click();
    await page.locator('.editor-instance .view-line').filter({ hasText: '#' }).first().waitFor();
    assert.deepEqual(asked, []);
    page.off('request', record);
    await runCommand(page, 'View: Close All Editors');
  });

  it('open an event in the browser by a double click', async () => {
    const opened = page.context().waitForEvent('page');
    await (await findRow(page, /marta pushed/)).dblclick();
    assert.match((await opened).url(), /harbor\/tide-table/);
    await page.bringToFront();
  });

  it('go on where "Load More" was, with the days of what it has brought open', async () => {
    const tree = page.getByRole('tree', { name: 'Activity' });
    const positionOfMore = async (): Promise<number> => {
      await tree.focus();
      for (;;) {
        await page.keyboard.press('End');
        // While rows come in, it is out of sight; the list's end may be below it.
        const [more] = await activityRows(page).filter({ hasText: 'Load More' }).all();
        const index = await more?.getAttribute('data-index', { timeout: 1000 }).catch(() => undefined);
        if (typeof index === 'string') {
          return Number(index);
        }
      }
    };
    let position = await positionOfMore();
    // What the last day has so far takes up rows once it is open, and the editor has asked for them.
    const lastDay = activityRows(page).and(page.locator('[aria-level="1"][aria-expanded]')).last();
    if ((await lastDay.getAttribute('aria-expanded')) === 'false') {
      const closed = position;
      await lastDay.click();
      while (position === closed) {
        position = await positionOfMore();
      }
    }
    await row('Load More').click();
    const focused = tree.locator('.monaco-list-row.focused[aria-level="2"]');
    await focused.filter({ hasNotText: 'Load More' }).waitFor();
    // A new day may begin there.
    assert.ok([position, position + 1].includes(Number(await focused.getAttribute('data-index'))));
  });

  /** Where the user is in the view: which rows are selected and have the focus, and how far down it is scrolled, in pixels. */
  async function place() {
    const tree = page.getByRole('tree', { name: 'Activity' });
    const focused = tree.locator('.monaco-list-row.focused');
    const selected = await tree.locator('.monaco-list-row.selected').all();
    const [list, box] = [await tree.boundingBox(), await focused.boundingBox()];
    assert.ok(list && box);
    const index = Number(await focused.getAttribute('data-index'));
    // Without whether it is new, and how long ago it was.
    const nameOf = async (element: Locator): Promise<string | undefined> =>
      (await element.getAttribute('aria-label'))?.replace(/^New: /, '').split(', ')[0];
    return {
      focused: await nameOf(focused),
      selected: await Promise.all(selected.map(nameOf)),
      scrolled: Math.round(index * box.height - (box.y - list.y)),
    };
  }

  /** Waits until there are more rows above the one that has the focus, or fewer, while something is done. */
  async function untilRowsMove(action: () => Promise<void>): Promise<void> {
    const focused = page.getByRole('tree', { name: 'Activity' }).locator('.monaco-list-row.focused');
    const index = await focused.getAttribute('data-index');
    await action();
    await focused.and(page.locator(`:not([data-index="${index}"])`)).waitFor();
  }

  it('keep what is selected, has the focus and is open, and how far they are scrolled', async () => {
    const tree = page.getByRole('tree', { name: 'Activity' });
    const badge = page.getByRole('tab', { name: /Beacon/ }).locator('.badge-content');
    const focused = tree.locator('.monaco-list-row.focused');
    // At any hour the first day has more rows than fit.
    await happen(15);
    await runCommand(page, 'Beacon: Refresh Activity');
    await badge.filter({ hasText: '15' }).waitFor();
    await runCommand(page, 'Beacon: Mark All Feeds as Read');
    await badge.filter({ hasText: /\d/ }).waitFor({ state: 'hidden' });
    // A day is closed, one that has the same name after midnight, and an event of the first one selected.
    const dated = await findRow(page, /^\w{3}, \w{3} \d/);
    const closed = ((await dated.getAttribute('aria-label')) ?? '').replace(/, \d+ events?$/, '');
    const day = activityRows(page).and(page.locator('[aria-level="1"]')).filter({ hasText: closed });
    if ((await day.getAttribute('aria-expanded')) === 'true') {
      await day.click();
    }
    await day.and(page.locator('[aria-expanded="false"]')).waitFor();
    await page.keyboard.press('Home');
    await focused.and(page.locator('[data-index="0"]')).waitFor();
    await activityRows(page).and(page.locator('[data-index="6"]')).click();
    await focused.and(page.locator('[data-index="6"]')).waitFor();
    await page.mouse.wheel(0, 66);
    let before = await place();
    while (before.scrolled === 0) {
      before = await place();
    }
    assert.deepEqual(before.selected, [before.focused]);

    await runCommand(page, 'Beacon: Refresh Activity');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    assert.deepEqual(await place(), before, 'after a refresh');

    await untilRowsMove(async () => {
      await happen(2);
      await runCommand(page, 'Beacon: Refresh Activity');
    });
    assert.deepEqual(await place(), before, 'after a refresh that has brought events');
    await badge.filter({ hasText: '2' }).waitFor();
    await runCommand(page, 'Beacon: Mark All Feeds as Read');
    await badge.filter({ hasText: /\d/ }).waitFor({ state: 'hidden' });
    assert.deepEqual(await place(), before, 'after reading them');

    // A row says that there is a filter.
    await untilRowsMove(async () => {
      await runCommand(page, 'Beacon: Filter Activity…');
      await option(/^Since/).click();
      await quickInput(page).field.fill('2020-01-01');
      await quickInput(page).field.press('Enter');
    });
    assert.deepEqual(await place(), before, 'after a filter');
    await untilRowsMove(() => runCommand(page, 'Beacon: Clear Activity Filter'));
    assert.deepEqual(await place(), before, 'after it is cleared');

    await findRow(page, closed);
    await day.and(page.locator('[aria-expanded="false"]')).waitFor();
    const after = Number(await day.getAttribute('aria-posinset')) + 1;
    const more = await findRow(page, 'Load More');
    // What is loaded opens its days: the closed one if it was the last.
    const isOpened = Number(await more.getAttribute('aria-posinset')) === after;
    await more.click();
    await focused.and(page.locator('[aria-level="2"]')).filter({ hasNotText: 'Load More' }).waitFor();
    await findRow(page, closed);
    await day.and(page.locator(`[aria-expanded="${isOpened}"]`)).waitFor();
    if (!isOpened) {
      await day.click();
    }
  });

  it('count what is new, and are read up to an event', async () => {
    await happen(3);
    await runCommand(page, 'Beacon: Refresh Activity');
    const badge = page.getByRole('tab', { name: /Beacon/ }).locator('.badge-content');
    await badge.filter({ hasText: '3' }).waitFor();
    await page.getByRole('tree', { name: 'Activity' }).focus();
    await page.keyboard.press('Home');
    await chooseFromMenu(page.getByRole('treeitem', { name: /^New: / }).nth(1), 'Mark as Read up to Here');
    await badge.filter({ hasText: '1' }).waitFor();
    await runCommand(page, 'Beacon: Mark All Feeds as Read');
    await badge.filter({ hasText: /\d/ }).waitFor({ state: 'hidden' });
  });

  it('let new events slide in by themselves', async () => {
    const news = page.getByRole('treeitem', { name: /^New: / }).first();
    await news.waitFor({ state: 'hidden' });
    await happen(1);
    await news.waitFor();
  });

  it('stand side by side when they are pinned', async () => {
    await runCommand(page, 'Beacon: Pin Feed');
    await selectFeed('My Activity');
    const roots = activityRows(page).and(page.locator('[aria-level="1"]'));
    await roots.filter({ hasText: 'harbor/tide-table' }).waitFor();
    await roots.filter({ hasText: 'My Activity' }).waitFor();
    await roots.filter({ hasText: 'harbor/tide-table' }).hover();
    await roots.filter({ hasText: 'harbor/tide-table' }).getByRole('button', { name: 'Unpin Feed' }).click();
    await roots.filter({ hasText: 'harbor/tide-table' }).waitFor({ state: 'hidden' });
  });

  it('describe each row in a sentence', async () => {
    const rows = await activityRows(page).all();
    assert.ok(rows.length > 0);
    for (const label of await Promise.all(rows.map(async (element) => element.getAttribute('aria-label')))) {
      assert.match(label ?? '', /^.{5,}$/);
      assert.doesNotMatch(label ?? '', /undefined|\[object|\{\d\}/);
    }
  });

  it('are drawn as charts, whose marks filter them and follow their filter, by mouse and by keyboard', async () => {
    await runCommand(page, 'Beacon: Show Activity Insights');
    const insights = new NotificationForm(page);
    const { content } = insights;
    await content.locator('main[aria-busy=false]').waitFor();
    const marks = (chart: string): Locator =>
      content.getByRole('listbox', { name: chart, exact: true }).getByRole('option');
    await marks('Kinds of events').first().waitFor();

    await content.getByRole('option', { name: /^pushes: / }).click();
    await sentence(/Filtered: pushed/).waitFor();
    await content.getByText('Filter of the feed: pushed').waitFor();
    assert.equal(await content.getByRole('option', { name: /^pushes: / }).getAttribute('aria-selected'), 'true');

    await content.getByLabel('Period:').focus();
    const focused = content.locator('[role=option]:focus');
    for (let tabs = 0; tabs < 10 && (await focused.count()) === 0; tabs += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('End');
    const label = (await focused.getAttribute('aria-label')) ?? '';
    assert.equal(await content.locator('.tip').textContent(), label);
    await page.keyboard.press('Escape');
    await content.locator('.tip').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await content.locator('[role=option][aria-selected=true]:focus').waitFor();
    await content.getByText(/Filter of the feed: pushed · \d{4}-/).waitFor();
    await sentence(/Filtered: pushed · \d{4}-/).waitFor();
    await content.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    await content.getByRole('region', { name: 'Days' }).getByRole('table').waitFor();

    await runCommand(page, 'Beacon: Clear Activity Filter');
    await content.getByText('Filter of the feed').waitFor({ state: 'detached' });

    const showDays = async (days: 365 | 30): Promise<void> => {
      await content.getByLabel('Period:').selectOption(String(days));
      await marks('Days')
        .nth(30)
        .waitFor({ state: days === 30 ? 'detached' : 'attached' });
    };
    // Rules look at each mark: a month has all kinds of them.
    await showDays(30);
    assert.deepEqual(await insights.violationsInAllThemes(), []);
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    for (const width of [1200, 600, 320]) {
      await insights.setEditorWidth(width);
      for (const days of [365, 30] as const) {
        await showDays(days);
        assert.equal(
          await content.locator('html').evaluate('document.documentElement.scrollWidth <= innerWidth'),
          true,
        );
      }
    }
    assert.deepEqual(await insights.violations(), [], 'where it is narrow');
    await page.setViewportSize({ width: 1200, height: 800 });
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');

    await reloadWindow(page);
    await content.locator('main[aria-busy=false]').waitFor();
    assert.equal(await content.getByLabel('Period:').inputValue(), '30');
  });
});

function isWiderThanShown({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }): boolean {
  return scrollWidth > clientWidth;
}
