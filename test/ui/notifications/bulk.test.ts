import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { countShownEvents } from '../../../scripts/workbench/activityView.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { openSignedIn } from '../../support/signIn.ts';
import { closeQuickInput, quickInput, reloadWindow, runCommand, Workbench } from '../../support/workbench.ts';

describe('profiles, the noise estimate and settings in files', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;

  before(async () => {
    workbench = await Workbench.start();
  });
  after(async () => {
    await workbench.stop();
  });
  beforeEach(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    page = await openSignedIn(workbench, sandbox);
  });
  afterEach(async function releaseWindow() {
    await workbench.release(page, this.currentTest);
    await sandbox.close();
  });

  const headers = (): Record<string, string> => ({
    'PRIVATE-TOKEN': sandbox.tokens.owner,
    'content-type': 'application/json',
  });
  const address = (): string => `${sandbox.url}/api/v4/notification_settings`;

  async function globalLevel(): Promise<unknown> {
    const response = await fetch(address(), { headers: headers() });
    return ((await response.json()) as { level: unknown }).level;
  }

  /** Changes the global level elsewhere. */
  async function changeGlobalLevel(level: string): Promise<void> {
    await fetch(address(), { method: 'PUT', headers: headers(), body: JSON.stringify({ level }) });
  }

  /** Shows the notifications, where one stays as long as its toast may not, and waits for one. */
  async function shown(sentence: string): Promise<Locator> {
    await runCommand(page, 'Notifications: Show Notifications');
    const item = page.locator('.notifications-center .notification-list-item').filter({ hasText: sentence }).first();
    await item.waitFor();
    return item;
  }

  async function choose(option: string | RegExp): Promise<void> {
    await page.getByRole('option', { name: option }).first().click();
  }

  /** Confirms a list of several. */
  async function confirm(): Promise<void> {
    await page.locator('.quick-input-widget').getByRole('button', { name: 'OK' }).click();
  }

  async function answer(text: string): Promise<void> {
    await quickInput(page).field.fill(text);
    await quickInput(page).field.press('Enter');
    // The input checks the text first; whatever is opened until then would take its place.
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  async function saveProfile(name: string): Promise<void> {
    await runCommand(page, 'Beacon: Save Notification Profile…');
    await page
      .getByRole('checkbox', { name: /Global settings/ })
      .first()
      .waitFor();
    await confirm();
    await page.getByText('The name of the profile').waitFor();
    await answer(name);
    await shown(`Saved “${name}”.`);
  }

  it('saves a profile, shows what applying it would change, and sends that after the review', async () => {
    await saveProfile('Focus');
    await changeGlobalLevel('watch');
    await runCommand(page, 'Beacon: Apply Notification Profile…');
    await choose(/^Focus/);
    await choose('Until you change it');
    await page.getByText('Level: from Watch to Participate').first().waitFor();
    assert.equal(await globalLevel(), 'watch', 'nothing is sent before the review');
    await confirm();
    await shown('Scopes with changed notification settings: 1 of 1.');
    assert.equal(await globalLevel(), 'participating');
  });

  it('sends nothing of a profile whose review is given up', async () => {
    await saveProfile('Quiet');
    await runCommand(page, 'Notifications: Clear All Notifications');
    await changeGlobalLevel('watch');
    await runCommand(page, 'Beacon: Apply Notification Profile…');
    await choose(/^Quiet/);
    await choose('Until you change it');
    await page.getByText('Level: from Watch to Participate').first().waitFor();
    await closeQuickInput(page);
    assert.equal(await globalLevel(), 'watch');
  });

  it('knows after a restart of the editor what to put back when a profile ends', async () => {
    await saveProfile('Holiday');
    await changeGlobalLevel('watch');
    await runCommand(page, 'Beacon: Apply Notification Profile…');
    await choose(/^Holiday/);
    await choose('For one hour');
    await page.getByText('Level: from Watch to Participate').first().waitFor();
    await confirm();
    await shown('Scopes with changed notification settings: 1 of 1.');
    assert.equal(await globalLevel(), 'participating');

    await reloadWindow(page);
    await countShownEvents(page, 1);
    await runCommand(page, 'Beacon: Manage Notification Profiles…');
    await choose(/“Holiday” until/);
    await choose('Restore Now');
    await shown('Holiday');
    assert.equal(await globalLevel(), 'watch');
  });

  it('shows the noise estimate as what it is', async () => {
    await runCommand(page, 'Beacon: Estimate Notification Noise…');
    await page.getByRole('tab', { name: /Notification Noise/ }).waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: /An\s\*\*estimate\*\*\sof\sthe\se-mails/ })
      .first()
      .waitFor();
  });

  it('shows the progress of the noise estimate, and stops it when it is cancelled', async () => {
    await fetch(`${sandbox.url}/-/sandbox/faults`, {
      method: 'PUT',
      body: JSON.stringify([{ kind: 'latency', milliseconds: 60_000, path: '/events' }]),
    });
    await runCommand(page, 'Beacon: Estimate Notification Noise…');
    const progress = await shown('Estimating notification noise');
    await progress.hover();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('tab', { name: /Notification Noise/ }).count(), 0);
  });

  it('exports what the overview shows to a file, and imports it after a review', async () => {
    const file = join(workbench.folder, 'notification-settings.json');
    await runCommand(page, 'Beacon: Notification Overview');
    const overview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await overview.locator('main[aria-busy=false]').waitFor();
    await overview.getByRole('button', { name: 'Export…' }).click();
    // The editor's dialog offers a place in the workspace.
    await page.waitForFunction(
      `document.querySelector('.quick-input-widget input')?.value === ${JSON.stringify(file)}`,
    );
    await page.getByRole('option', { name: '..' }).first().waitFor();
    await quickInput(page).field.press('Enter');
    await shown('Exported the settings of 1 scope.');
    const text = await readFile(file, 'utf8');
    const { settings } = JSON.parse(text) as { settings: { scope: string; level: string }[] };
    assert.deepEqual(
      settings.map(({ scope, level }) => [scope, level]),
      [['global', 'participating']],
    );
    assert.ok(!text.includes(sandbox.tokens.owner));

    await writeFile(file, text.replace('"participating"', '"mention"'));
    await overview.getByRole('button', { name: 'Import…' }).click();
    await choose('notification-settings.json');
    await page.getByText('Level: from Participate to On mention').first().waitFor();
    await confirm();
    await overview
      .getByRole('row', { name: /Global settings/ })
      .getByRole('cell', { name: 'On mention' })
      .first()
      .waitFor();
    assert.equal(await globalLevel(), 'mention');
  });
});
