import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { NotificationForm } from '../../support/notificationForm.ts';
import { SignedInSuite } from '../../support/signIn.ts';
import { closeQuickInput, quickInput, reloadWindow, runCommand } from '../../support/workbench.ts';
import { never } from '../../support/sandbox/transforms.ts';

describe('notification settings of many scopes', () => {
  const suite = new SignedInSuite();
  let webview: NotificationForm;

  beforeEach(() => {
    webview = new NotificationForm(suite.page);
  });

  async function openOverview(): Promise<void> {
    await runCommand(suite.page, 'Beacon: Notification Overview');
    await webview.content.locator('main[aria-busy=false]').waitFor();
    await levelOf('harbor/tide-table').waitFor();
  }

  const row = (name: string): Locator => webview.content.getByRole('row', { name: new RegExp(name) });
  const levelOf = (name: string): Locator =>
    webview.content.getByRole('combobox', { name: `Level of ${name}`, exact: true });

  /** The level on the instance. */
  async function levelAt(path: string): Promise<unknown> {
    return (await suite.call(`${path}/notification_settings`))['level'];
  }

  /** Confirms a list of several. */
  async function confirm(): Promise<void> {
    await suite.page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
  }

  /** Uses the sandbox. In the end Activity takes the focus, which would close a palette that is opened before. */
  async function trySandbox(): Promise<void> {
    const signedIn = suite.page.getByText('Signed in as marta@sandbox');
    // That of the time before stays for some seconds.
    await signedIn.waitFor({ state: 'hidden' });
    await runCommand(suite.page, 'Beacon: Try Sandbox');
    await signedIn.waitFor();
  }

  async function choose(option: string | RegExp): Promise<void> {
    await suite.page.getByRole('option', { name: option }).first().click();
  }

  /** Shows the notifications, where one stays as long as its toast may not, and waits for one. */
  async function shown(sentence: string): Promise<Locator> {
    await runCommand(suite.page, 'Notifications: Show Notifications');
    const items = suite.page.locator('.notifications-center .notification-list-item');
    const item = items.filter({ hasText: sentence }).first();
    await item.waitFor();
    return item;
  }

  describe('the overview', () => {
    beforeEach(openOverview);

    it('shows levels and where they come from, changes several after a review, and follows', async () => {
      const { content, page } = webview;
      await row('harbor/tide-table').getByText('from the global settings').waitFor();
      await row('harbor/tide-table').getByText('Threads you took part in').waitFor();
      await content.getByRole('checkbox', { name: 'Select harbor/tools/winch' }).check();
      await content.getByRole('checkbox', { name: 'Select harbor/tide-table' }).check();
      await content.getByRole('combobox', { name: /Level of selected scopes \(2\)/ }).selectOption('watch');
      await levelOf('harbor').selectOption('mention');
      await content.getByRole('button', { name: 'Review Changes…' }).click();
      await page.getByText('Level: from Global to Watch').first().waitFor();
      await webview.spoken('status', 'being prepared and reviewed').waitFor({ state: 'attached' });
      assert.equal(await levelAt('/projects/501'), 'global', 'nothing is sent before the review');
      await confirm();
      await row('harbor/tools/winch').getByText('(after saving)').waitFor({ state: 'detached' });
      await row('harbor/tools/winch').getByText('set here').waitFor();
      await webview
        .spoken('status', 'Set Group harbor to On mention · Set Project')
        .or(webview.spoken('status', 'to Watch · Set Group harbor to On mention'))
        .waitFor({ state: 'attached' });
      assert.equal(await levelAt('/projects/501'), 'watch');
      assert.equal(await levelAt('/projects/503'), 'watch');
      assert.equal(await levelAt('/groups/11'), 'mention');
      await row('harbor/tools \\(|harbor/tools parent').getByText('from group harbor').waitFor();
      assert.equal(await content.getByRole('button', { name: 'Review Changes…' }).count(), 0);
      await content.getByRole('button', { name: 'Global settings' }).click();
      await content.getByRole('heading', { name: 'Notification Settings' }).waitFor();
    });

    it('offers at a row that could not be read what helps', async () => {
      const fault = { answer: 403, path: '/groups/12/notification_settings' };
      suite.sandbox.control.transform(fault);
      await webview.button('Reload').click();
      await row('harbor/tools').getByText('Your role on').waitFor();
      suite.sandbox.control.transform();
      await webview.button('harbor/tools: Try Again').click();
      await levelOf('harbor/tools').waitFor();
      // That no project could be listed does not mean that there is none.
      suite.sandbox.control.transform({ ...fault, path: '/projects' });
      await webview.button('Reload').click();
      await webview.text(/^Your projects: /).waitFor();
      assert.equal(await webview.content.locator('tbody tr').count(), 1);
      assert.equal(await webview.text('You are not a member of any project').count(), 0);
    });

    it('keeps what was chosen while another editor is in front, and when the review is given up', async () => {
      const { content, page } = webview;
      await levelOf('harbor/tide-table').selectOption('disabled');
      await row('harbor/tide-table').getByText('Disabled (after saving)').waitFor();
      await content.getByRole('button', { name: 'Review Changes…' }).click();
      await page.getByText('Level: from Global to Disabled').first().waitFor();
      await closeQuickInput(page);
      assert.equal(await levelOf('harbor/tide-table').inputValue(), 'disabled');
      await runCommand(page, 'File: New Untitled Text File');
      await page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
      await runCommand(page, 'Beacon: Notification Overview');
      await content.getByText('1 change', { exact: true }).waitFor();
      assert.equal(await levelOf('harbor/tide-table').inputValue(), 'disabled');
      await row('harbor/tide-table').getByText('Disabled (after saving)').waitFor();
      await content.getByRole('button', { name: 'Discard' }).click();
      await row('harbor/tide-table').getByText('from the global settings').waitFor();
      assert.equal(await levelOf('harbor/tide-table').inputValue(), 'global');
      assert.equal(await levelAt('/projects/501'), 'global');
    });

    it('keeps its account when the window works with another one, and says so until it is asked to change', async () => {
      const { page } = webview;
      await trySandbox();
      await runCommand(page, 'Beacon: Notification Overview');
      const banner = webview.text(/This overview is about the account marta@.*; the window works as marta@sandbox\./);
      // The command shows the account of the window, which leaves it in its turn.
      await webview.text('Account: marta@sandbox').waitFor();
      await runCommand(page, 'Beacon: Switch Account…');
      await choose(/^marta/);
      await webview.text('This window has left the sandbox: nothing can be changed here.').last().waitFor();
      await webview
        .button('Export…')
        .and(webview.content.locator('[aria-disabled=true][title^="This window has"]'))
        .waitFor();
      assert.equal(await banner.or(webview.text(/^This overview is about/)).count(), 0);
      assert.ok(await levelOf('harbor/tide-table').isDisabled());
      assert.deepEqual(await webview.violations(), []);
      await webview.content.getByRole('button', { name: /^Open Notification Overview of marta@/ }).click();
      await webview.text(/Account: marta@/).waitFor();
      await levelOf('harbor/tide-table').selectOption('watch');
      await trySandbox();
      await runCommand(page, 'Beacon: Notification Overview');
      await banner.waitFor();
      await webview.button('Review Changes…').click();
      await page.getByText('Level: from Global to Watch').first().waitFor();
      await confirm();
      // Before it is saved, the row says that it will be set here.
      await row('harbor/tide-table').getByText('(after saving)').waitFor({ state: 'detached' });
      await row('harbor/tide-table').getByText('set here').waitFor();
      assert.equal(await levelAt('/projects/501'), 'watch');
      await banner.waitFor();
      await runCommand(page, 'Beacon: Switch Account…');
      await choose(/^marta/);
      await banner.waitFor({ state: 'hidden' });
    });

    it('works by keyboard', async () => {
      const { content, page } = webview;
      await content.getByRole('searchbox', { name: 'Filter projects and groups' }).focus();
      await page.keyboard.type('tide');
      await content.getByText('Rows shown: 1').waitFor({ state: 'attached' });
      await content.getByRole('checkbox', { name: 'Select All' }).focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await content.locator('select:focus').and(levelOf('harbor/tide-table')).waitFor();
      await page.keyboard.type('Watch');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('Level: from Global to Watch').first().waitFor();
      // The review shows before it has the focus.
      await page.locator('.quick-input-widget input[type=text]:focus').waitFor();
      await page.keyboard.press('Enter');
      await row('harbor/tide-table').getByText('(after saving)').waitFor({ state: 'detached' });
      await row('harbor/tide-table').getByText('set here').waitFor();
      assert.equal(await levelAt('/projects/501'), 'watch');
    });

    it('breaks no rule of accessibility in any kind of theme, and fits into 200 pixels', async () => {
      const { page, content } = webview;
      await levelOf('harbor/tide-table').selectOption('watch');
      await webview.button('Show E-mails a Week').click();
      const heading = content.getByRole('columnheader', { name: 'E-mails a week' });
      await webview.button('Include Merge Requests').click();
      await webview.button('Estimate Again').waitFor();
      assert.equal(await heading.getAttribute('aria-sort'), 'none');
      await heading.getByRole('button').focus();
      await page.keyboard.press('Enter');
      await heading.and(content.locator('[aria-sort=descending]')).waitFor();
      const counts = (await content.locator('.count').allTextContents()).map((text) =>
        text.includes('none') ? 0 : Number(text.match(/[\d.]+/g)?.at(-1) ?? -1),
      );
      assert.deepEqual(
        counts,
        counts.toSorted((one, other) => other - one),
        'the loudest first',
      );
      assert.ok((counts[0] ?? 0) > 0);
      assert.deepEqual(await webview.violationsInAllThemes(), []);
      await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
      await webview.setEditorWidth(200);
      assert.equal(await content.locator('.scroll').evaluate(isWiderThanShown), false);
      assert.equal(await content.locator('body').evaluate(isWiderThanShown), false);
      assert.deepEqual(await webview.violations(), []);
      await page.setViewportSize({ width: 1200, height: 800 });
      await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    });

    it('exports what it shows to a file, and imports it after a review', async () => {
      const { content, page } = webview;
      const file = join(suite.workbench.folder, 'notification-settings.json');
      await content.getByRole('button', { name: 'Export…' }).click();
      // The editor's dialog offers a place in the workspace.
      await page.waitForFunction(
        `document.querySelector('.quick-input-widget input')?.value === ${JSON.stringify(file)}`,
      );
      await page.getByRole('option', { name: '..' }).first().waitFor();
      await quickInput(page).field.press('Enter');
      await shown('Exported the settings of');
      const text = await readFile(file, 'utf8');
      const { settings } = JSON.parse(text) as { settings: { scope: string; level: string }[] };
      assert.deepEqual([settings[0]?.scope, settings[0]?.level], ['global', 'participating']);
      assert.ok(!text.includes(suite.sandbox.tokens.owner));

      await writeFile(file, text.replace('"participating"', '"mention"'));
      await content.getByRole('button', { name: 'Import…' }).click();
      await choose('notification-settings.json');
      await page.getByText('Level: from Participate to On mention').first().waitFor();
      await confirm();
      await row('Global settings').getByRole('cell', { name: 'On mention' }).first().waitFor();
      assert.equal(await levelAt(''), 'mention');
    });
  });

  it('are saved as a profile, applied after a review, and put back after a restart of the editor', async () => {
    const { page } = suite;
    await runCommand(page, 'Beacon: Save Notification Profile…');
    await choose('Settings as They Are Now');
    await page
      .getByRole('checkbox', { name: /Project harbor\/tide-table.*your project/ })
      .first()
      .waitFor();
    await confirm();
    await page.getByText('The name of the profile').waitFor();
    await quickInput(page).field.fill('Holiday');
    await quickInput(page).field.press('Enter');
    // The input checks the text first; whatever is opened until then would take its place.
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await shown('Saved “Holiday”: Global settings.');
    await suite.call('/notification_settings', 'PUT', { level: 'watch' });
    await runCommand(page, 'Beacon: Apply Notification Profile…');
    await page.getByPlaceholder(/The clock: only for a while\.$/).waitFor();
    await page.getByRole('button', { name: 'Apply Only for a While…' }).click();
    await choose('For one hour');
    await page.getByText('Level: from Watch to Participate').first().waitFor();
    assert.equal(await levelAt(''), 'watch', 'nothing is sent before the review');
    await confirm();
    await shown('Saved: Global settings');
    assert.equal(await levelAt(''), 'participating');

    await reloadWindow(page);
    await page.getByRole('treeitem', { level: 2 }).first().waitFor();
    const applied = page.locator('.part.statusbar').getByRole('button', { name: 'Holiday' });
    await applied.click();
    await choose(/“Holiday” until/);
    await choose('Restore Earlier Settings');
    await applied.waitFor({ state: 'hidden' });
    assert.equal(await levelAt(''), 'watch');
  });

  it('are drawn by their noise, by keyboard and mouse, with levels to try and a review of them', async () => {
    const { content, page } = webview;
    suite.sandbox.control.transform({ answer: never, path: '/events' });
    await runCommand(page, 'Beacon: Estimate Notification Noise…');
    await content.getByText('Events read: 0').waitFor();
    const frame = await (await content.locator('body').elementHandle())?.ownerFrame();
    const sent: string[] = [];
    page.on('request', (request) => (request.frame() === frame ? sent.push(request.url()) : undefined));
    await webview.button('Cancel').click();
    suite.sandbox.control.transform();
    // The focus stays on what gives up, and reads.
    await webview.button('Show E-mails a Week').and(content.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await levelOf('harbor/tide-table').waitFor();
    await content.locator('main[aria-busy=false]').waitFor();

    await content.getByRole('option').first().focus();
    await page.keyboard.press('ArrowDown');
    const mark = content.locator('[role=option]:focus');
    const [name = ''] = ((await mark.getAttribute('aria-label')) ?? '').split(':');
    await page.keyboard.press('Enter');
    await content.getByRole('heading', { name: `Levels of ${name}`, exact: true }).waitFor();
    await content.getByRole('option', { name: /^Disabled: none/ }).click();
    await row(name).getByText('none').waitFor();
    assert.equal(await levelOf(name).inputValue(), 'disabled');
    await content.locator('summary').filter({ hasText: 'Table' }).first().click();
    await content.getByRole('columnheader', { name: 'Project' }).nth(1).waitFor();

    assert.deepEqual(await webview.violationsInAllThemes(), []);
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    for (const width of [1200, 600, 320]) {
      await webview.setEditorWidth(width);
      assert.equal(await content.locator('body').evaluate(isWiderThanShown), false, `${width} pixels`);
    }
    assert.deepEqual(await webview.violations(), [], 'where it is narrow');
    await page.setViewportSize({ width: 1200, height: 800 });
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');

    await webview.button('Review Changes…').click();
    await page
      .getByText(/Level: from .* to Disabled/)
      .first()
      .waitFor();
    await confirm();
    await shown(`Saved: Project ${name}`);
    await webview.button('Review Changes…').waitFor({ state: 'detached' });
    assert.equal(await levelAt(`/projects/${encodeURIComponent(name)}`), 'disabled');
    assert.deepEqual(sent, [], 'the page loads and sends nothing');
  });
});

function isWiderThanShown({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }): boolean {
  return scrollWidth > clientWidth;
}
