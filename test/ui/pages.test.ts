import assert from 'node:assert/strict';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchChromium } from '../../scripts/workbench/chromium.ts';
import { NotificationPage, sentSince } from '../support/notificationPage.ts';
import { PlainPage, themeKinds } from './plainPage.ts';
import { TestWindow } from '../support/testWindow.ts';

const path = '/projects/harbor%2Ftide-table/notification_settings';

describe('in a browser', () => {
  let browser: Browser;
  let context: BrowserContext;
  let window: TestWindow;

  before(async () => {
    browser = await launchChromium();
    context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
  });
  after(() => browser.close());
  afterEach(async () => {
    await Promise.all(context.pages().map((page) => page.close()));
    await window.dispose();
  });

  /** Tries four themes, and widths as far as they matter. */
  async function assertAccessible(plain: PlainPage, ...widths: readonly number[]): Promise<void> {
    for (const width of widths) {
      await plain.page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await plain.cut(), [], `at ${width} px`);
      assert.deepEqual(await plain.violations(), [], `at ${width} px`);
    }
    assert.deepEqual(await plain.linksByColour(), []);
    for (const kind of themeKinds) {
      const scheme = await plain.useTheme(kind);
      assert.deepEqual(await plain.violations('color-contrast'), [], kind);
      const drawn = await plain.page.evaluate('getComputedStyle(document.documentElement).colorScheme');
      assert.equal(drawn, scheme, `controls of the browser in ${kind}`);
    }
  }

  it('the page of an event has no barrier and nothing cut, in four themes', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await window.click('beacon.activity', /: #\d/);
    const plain = await PlainPage.open(context, window, 'activityEvent', 'h1');
    await plain.page.getByText('Reading what it is about…').waitFor({ state: 'hidden' });
    await assertAccessible(plain, 1200, 320);
  });

  it('the page of insights has a table for each chart, no barrier and nothing cut, and is used by the keyboard', async () => {
    window = await TestWindow.open({ signedInAs: 'owner' });
    await window.run('beacon.activity.showInsights');
    const plain = await PlainPage.open(context, window, 'activityInsights');
    const { page } = plain;
    for (const name of ['Days', 'Hours by weekday']) {
      await page.getByText(`Table – ${name}`).focus();
      await page.keyboard.press('Enter');
    }
    await page.getByRole('region').nth(4).waitFor();
    assert.equal(
      await page
        .getByRole('region')
        .filter({ has: page.getByRole('row').nth(1) })
        .count(),
      5,
    );
    assert.deepEqual(await plain.cut(), []);
    await assertAccessible(plain, 300);
    await page.getByRole('region', { name: 'Days' }).getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('tr.chosen').getByRole('button', { pressed: true }).waitFor();
  });

  describe('the page of notification settings', () => {
    /** Opens the page with all scopes; the one of the project holds events. */
    async function open(language: 'en' | 'de' | 'ja' = 'en'): Promise<PlainPage> {
      window = await TestWindow.open({ language });
      window.answer(/token|トークン/i, window.sandbox.tokens.owner);
      await window.run('beacon.signIn', { url: window.sandbox.url });
      await window.elsewhere(path, { level: 'custom', new_note: true, new_issue: false });
      await NotificationPage.open(window);
      return await PlainPage.open(context, window, 'notificationSettings');
    }

    /** Opens the form of a project, with a change. */
    async function openForm(language: 'en' | 'de' | 'ja' = 'en'): Promise<PlainPage> {
      const plain = await open(language);
      const { page } = plain;
      await page.getByRole('rowheader').getByRole('button', { name: 'harbor/tide-table', exact: true }).click();
      await page.locator('#new_merge_request').check();
      await page.locator('.event.modified').waitFor();
      return plain;
    }

    it('has no barrier and nothing cut, in four themes, as columns and as blocks', async () => {
      await assertAccessible(await openForm(), 1200, 700, 300);
    });

    for (const language of ['de', 'ja'] as const) {
      it(`has nothing cut in ${language}, from 300 px on`, async () => {
        const plain = await openForm(language);
        for (const width of [300, 700, 1200]) {
          await plain.page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await plain.cut(), [], `at ${width} px`);
        }
      });
    }

    it('changes and saves by the keyboard alone', async () => {
      const { page } = await open();
      const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent.trim()');
      const isFocused = async (text: string): Promise<boolean> => (await focused()) === text;
      while (!(await isFocused('harbor/tide-table'))) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 2, name: 'Project harbor/tide-table' }).waitFor();
      let tabs = 0;
      while ((await page.evaluate('document.activeElement.name')) !== 'level') {
        await page.keyboard.press('Tab');
        tabs += 1;
      }
      assert.ok(tabs <= 2, 'from a row to its form, however many rows follow');
      await page.keyboard.press('Tab');
      await page.keyboard.type('new comment');
      while ((await page.evaluate('document.activeElement.id')) !== 'new_note') {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Space');
      await page.getByText('1 change').waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('Saved: Project harbor/tide-table').first().waitFor();
      const isOn = async (): Promise<unknown> =>
        ((await window.elsewhere(path))['events'] as Record<string, unknown>)['new_note'];
      assert.equal(await isOn(), false);
      while (!(await isFocused('Undo'))) {
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByText('Undone: Project harbor/tide-table').first().waitFor();
      assert.equal(await isOn(), true);
    });

    it('does not say that there are no changes while one is in conflict', async () => {
      const { page } = await open();
      const bar = page.getByRole('region', { name: 'Changes' });
      await bar.getByText('No changes').waitFor();
      await page.getByRole('radio', { name: /^Watch/ }).check();
      await bar.getByText('1 change').waitFor();
      await window.elsewhere('/notification_settings', { level: 'mention' });
      await bar.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'The settings were changed elsewhere' }).waitFor();
      await bar.getByText('Nothing can be saved yet').waitFor();
    });

    it('sets three projects at once by six clicks, the one that opens it among them', async () => {
      const { page } = await open();
      let clicks = 1;
      const click = async (...[role, text]: Parameters<typeof page.getByRole>): Promise<void> => {
        clicks += 1;
        await page.getByRole(role, { exact: true, ...text }).click();
      };
      const start = window.requests.length;
      await click('checkbox', { name: 'Select harbor/berth-planner' });
      await click('checkbox', { name: 'Select harbor/tools/winch' });
      await click('checkbox', { name: 'Select website/landing-page' });
      await page.getByRole('heading', { level: 2, name: '3 projects' }).waitFor();
      // What is ticked is shown whatever the filter is.
      await page.getByRole('searchbox', { name: 'Filter projects and groups' }).fill('winch');
      assert.equal(await page.getByRole('row').count(), 4);
      await click('radio', { name: /^On mention/, exact: false });
      await page.getByText('3 changes').waitFor();
      await click('button', { name: 'Save 3 Scopes' });
      await page.getByText('3 projects now have the level On mention').first().waitFor();
      assert.equal(clicks, 6);
      assert.deepEqual(
        sentSince(window.requests, start),
        Array.from({ length: 3 }, () => ({ level: 'mention' })),
      );
    });

    it('lists first what brings the most e-mails a week, on a click', async () => {
      const { page } = await open();
      await page.getByRole('button', { name: 'Estimate E-mails a Week' }).click();
      await page.getByRole('columnheader', { name: 'E-mails a week' }).getByRole('button').click();
      await page.getByText('Reading events…').waitFor({ state: 'hidden' });
      const cells = await page.locator('table:has(th[aria-sort=descending]) tr td:last-child').allTextContents();
      const numbers = cells.map((text) => Number(/\d+/.exec(text)?.[0] ?? -1));
      assert.ok((numbers[0] ?? 0) > (numbers.at(-1) ?? 0));
      const sorted = numbers.toSorted((one, other) => other - one);
      assert.deepEqual(numbers, sorted);
    });

    it('says that every scope is refused, with a button, and does not read for ever', async () => {
      await open();
      window.sandbox.control.transform({ path: '*/notification_settings', answer: 403 });
      await window.restart();
      const host = await NotificationPage.open(window);
      await host.until(({ phase }) => phase === 'ready');
      host.send({ type: 'select', keys: host.state.rows.slice(0, 2).map(({ key }) => key) });
      const { page } = await PlainPage.open(context, window, 'notificationSettings');
      await page
        .getByText(/does not allow this/)
        .first()
        .waitFor();
      await page.locator('.notice button').first().waitFor();
      assert.equal(await page.locator('main').getByText('Reading the settings…').count(), 0);
    });

    it('shows names of a hostile instance as text, in their cells', async () => {
      const plain = await open();
      const { page } = plain;
      await page.evaluate('globalThis.hit = 0');
      const hostile = '<img src=x onerror="hit=1">\u202Eevil\n\n<script>hit=1</script>'.padEnd(10_000, 'x');
      const { state } = new NotificationPage(window);
      const rows = state.rows.map((row) => ({ ...row, name: hostile, note: hostile, effect: hostile, level: hostile }));
      await page.evaluate(`postMessage(${JSON.stringify({ ...state, account: hostile, rows })}, '*')`);
      await page.getByText('onerror').first().waitFor();
      assert.equal(await page.locator('main img, main script').count(), 0);
      assert.equal(await page.evaluate('globalThis.hit'), 0);
      await page.setViewportSize({ width: 300, height: 900 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= 300'), true, 'nothing is wider');
    });
  });
});
