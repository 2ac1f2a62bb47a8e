import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { NotificationForm } from '../../support/notificationForm.ts';
import { openSignedIn } from '../../support/signIn.ts';
import { closeQuickInput, quickInput, reloadWindow, runCommand, Workbench } from '../../support/workbench.ts';

describe('the overview of notification settings', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;
  let content: FrameLocator;

  before(async () => {
    workbench = await Workbench.start();
  });
  after(async () => {
    await workbench.stop();
  });
  beforeEach(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    page = await openSignedIn(workbench, sandbox);
    await runCommand(page, 'Beacon: Notification Overview');
    content = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await content.locator('main[aria-busy=false]').waitFor();
  });
  afterEach(async function releaseWindow() {
    await workbench.release(page, this.currentTest);
    await sandbox.close();
  });

  const row = (name: string) => content.getByRole('row', { name: new RegExp(name) });
  const levelOf = (name: string) => content.getByRole('combobox', { name: `Level of ${name}`, exact: true });

  async function pin(kind: 'Project' | 'Group', path: string): Promise<void> {
    await content.getByRole('button', { name: `Pin ${kind}…` }).click();
    await quickInput(page).field.fill(path);
    await page
      .getByRole('option', { name: new RegExp(`^${path}`) })
      .first()
      .click();
    await levelOf(path).waitFor();
  }

  /** The level on the instance. */
  async function levelAt(path: string): Promise<unknown> {
    const response = await fetch(`${sandbox.url}/api/v4${path}/notification_settings`, {
      headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner },
    });
    return ((await response.json()) as { level: unknown }).level;
  }

  /** Confirms the review that is open. */
  async function confirmReview(): Promise<void> {
    await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
  }

  it('shows levels and where they come from, changes several after a review, and follows', async () => {
    await pin('Project', 'harbor/tide-table');
    await pin('Project', 'harbor/tools/winch');
    await row('harbor/tide-table').getByText('from the global settings').waitFor();
    await content.getByRole('checkbox', { name: 'Select harbor/tools/winch' }).check();
    await content.getByRole('checkbox', { name: 'Select harbor/tide-table' }).check();
    await content.getByRole('combobox', { name: /Level of selected scopes \(2\)/ }).selectOption('watch');
    await levelOf('harbor').selectOption('mention');
    await content.getByRole('button', { name: 'Review Changes…' }).click();
    await page.getByText('Level: from Global to Watch').first().waitFor();
    assert.equal(await levelAt('/projects/501'), 'global', 'nothing is sent before the review');
    await confirmReview();
    await row('harbor/tools/winch').getByText('set here').waitFor();
    assert.equal(await levelAt('/projects/501'), 'watch');
    assert.equal(await levelAt('/projects/503'), 'watch');
    assert.equal(await levelAt('/groups/11'), 'mention');
    await row('harbor/tools \\(|harbor/tools parent').getByText('from group harbor').waitFor();
    assert.equal(await content.getByRole('button', { name: 'Review Changes…' }).count(), 0);
  });

  it('keeps what was chosen while another editor is in front, and when the review is given up', async () => {
    await pin('Project', 'harbor/tide-table');
    await levelOf('harbor/tide-table').selectOption('disabled');
    await content.getByRole('button', { name: 'Review Changes…' }).click();
    await page.getByText('Level: from Global to Disabled').first().waitFor();
    await closeQuickInput(page);
    assert.equal(await levelOf('harbor/tide-table').inputValue(), 'disabled');
    await runCommand(page, 'File: New Untitled Text File');
    await page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await runCommand(page, 'Beacon: Notification Overview');
    await content.getByText('Unsaved levels: 1').first().waitFor();
    assert.equal(await levelOf('harbor/tide-table').inputValue(), 'disabled');
    await reloadWindow(page);
    await content.getByText('Unsaved levels: 1').first().waitFor();
    await content.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await levelOf('harbor/tide-table').inputValue(), 'global');
    assert.equal(await levelAt('/projects/501'), 'global');
  });

  it('works by keyboard', async () => {
    await pin('Project', 'harbor/tide-table');
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
    await page.keyboard.press('Enter');
    await row('harbor/tide-table').getByText('set here').waitFor();
    assert.equal(await levelAt('/projects/501'), 'watch');
  });

  it('opens the form of a row', async () => {
    await content.getByRole('button', { name: 'Global settings' }).click();
    await content.getByRole('heading', { name: 'Notification Settings' }).waitFor();
  });

  it('breaks no rule of accessibility, in every kind of theme', async () => {
    await pin('Project', 'harbor/tide-table');
    await levelOf('harbor/tide-table').selectOption('watch');
    const form = new NotificationForm(page);
    assert.deepEqual(await form.violations(), []);
    for (const [name, kind] of [
      ['Dark Modern', 'vscode-dark'],
      ['Light Modern', 'vscode-light'],
      ['Dark High Contrast', 'vscode-high-contrast'],
      ['Light High Contrast', 'vscode-high-contrast-light'],
    ] as const) {
      await form.useTheme(name, kind);
      // Of a theme the page has colours alone.
      assert.deepEqual(await form.violations('color-contrast'), [], name);
    }
  });
});
