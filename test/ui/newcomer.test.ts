import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import {
  chooseFromMenu,
  closeQuickInput,
  keepPictureOfFailure,
  openMessages,
  pinProject,
  runCommand,
  Workbench,
} from '../support/workbench.ts';

const program = `import gitlab

gl = gitlab.Gitlab("https://gitlab.example.com", private_token=token)
project = gl.projects.get("harbor/tide-table")
for request in project.mergerequests.list(iterator=True):
    print(request.title, request.merged_by)
`;

describe('a newcomer with a program', () => {
  let workbench: Workbench;
  let page: Page;

  before(async () => {
    workbench = await Workbench.start({ files: { 'report.py': program } });
    page = await workbench.open();
  });
  after(() => workbench.stop());
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  const activeKeys = (): Locator => page.getByRole('treeitem', { name: /^Client key glet_.*, active/ });
  const readEnvFile = (): Promise<string> => readFile(join(workbench.folder, '.env'), 'utf8');

  /** The check boxes of a preview, once they are there: its buttons show before, and VS Code loses what is clicked until then. */
  async function previewedPlaces(): Promise<Locator[]> {
    // They have no role.
    const places = page.locator('.bulk-edit-panel .edit-checkbox');
    await places.first().waitFor();
    return await places.all();
  }

  it('gets hints on announced changes of the API without an account, listed with their fix', async () => {
    await runCommand(page, 'Beacon: Check Workspace for API v5 Hints');
    await page.getByRole('tab', { name: /API v5 Hints/ }).waitFor();
    // The editor draws a space as a no-break space.
    await page
      .locator('.editor-instance .view-line')
      .filter({ hasText: /report\.py:6/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+p');
    const field = page.getByPlaceholder('Search files by name');
    await field.fill('report.py');
    await page.getByRole('option', { name: /report\.py/ }).waitFor();
    await field.press('Enter');
    await runCommand(page, 'Problems: Focus on Problems View');
    const problem = page.getByRole('treeitem', { name: /merged_by/ });
    // The editor goes to the place, and takes the focus.
    await problem.dblclick();
    await page.locator('.part.editor :focus').waitFor({ state: 'attached' });
    // Before the bulb is there, the editor may still be on the way to the place, and would look for fixes elsewhere.
    await page.locator('.part.editor [class*="lightbulb" i]').filter({ visible: true }).first().waitFor();
    await page.keyboard.press('Control+.');
    await page.getByRole('option', { name: /merge_user/ }).waitFor();
    await page.keyboard.press('Enter');
    await problem.waitFor({ state: 'hidden' });
    await page.locator('.editor-instance .view-line').filter({ hasText: 'request.merge_user' }).waitFor();
    await runCommand(page, 'View: Hide Panel');
  });

  it('is led by the walkthrough from the sandbox to the feed, error tracking and notification settings', async () => {
    // Pictures show beside the steps only where there is room for them.
    await page.setViewportSize({ width: 1700, height: 900 });
    const step = await openWalkthrough(page);
    for (const title of ['Read the feed', 'Connect your app to error tracking', 'Set your notifications']) {
      await step(title).waitFor();
    }
    const first = step('Sign in, or try the sandbox');
    await page.frameLocator('.getting-started-media iframe').frameLocator('iframe').locator('svg').waitFor();
    await first.locator('a').filter({ hasText: 'Try the sandbox' }).click();
    await first.locator('.codicon.complete').waitFor();
    await page.setViewportSize({ width: 1200, height: 800 });
  });

  it('sees DSN problems and hints in the sample program, of the sandbox’s inactive key', async () => {
    const step = await openWalkthrough(page);
    const problems = step('See what will break');
    await problems.click();
    await problems.getByRole('button', { name: 'Open Sample Program' }).click();
    await page.getByRole('tab', { name: /Sample program of Beacon/ }).waitFor();
    await runCommand(page, 'Problems: Focus on Problems View');
    await page.getByRole('treeitem', { name: /is inactive/ }).waitFor();
    await page
      .getByRole('treeitem', { name: /\bv5\b/ })
      .first()
      .waitFor();
    await runCommand(page, 'View: Hide Panel');
    const again = await openWalkthrough(page);
    await again('See what will break').locator('.codicon.complete').waitFor();
  });

  it('has the step of error tracking ticked once a program has a DSN, not when the question is cancelled', async () => {
    await pinProject(page, 'harbor/tide-table');
    const title = 'Connect your app to error tracking';
    const step = (await openWalkthrough(page))(title);
    await step.click();
    await step.getByRole('button', { name: 'Insert DSN' }).click();
    await page.getByRole('option', { name: /Into \.env/ }).waitFor();
    await closeQuickInput(page);
    await step.getByRole('button', { name: 'Insert DSN' }).click();
    await page.getByRole('option', { name: /Into \.env/ }).waitFor();
    // What the first question has come to is there by now.
    assert.equal(await step.locator('.codicon.complete').count(), 0);
    await page.getByRole('option', { name: /Into \.env/ }).click();
    await page.getByRole('tab', { name: '.env' }).waitFor();
    assert.match(
      await readEnvFile(),
      /^SENTRY_DSN=http:\/\/glet_[0-9a-f]{32}@127\.0\.0\.1:\d+\/errortracking\/api\/v1\/projects\/501\n$/,
    );
    await (await openWalkthrough(page))(title).locator('.codicon.complete').waitFor();
  });

  it('replaces the key of a pinned project after a preview', async () => {
    const before = await readEnvFile();
    const used = page.getByRole('treeitem', { name: /^Client key glet_.*, active, in \.env/ });
    await used.waitFor();
    await chooseFromMenu(used, 'Replace Key…');
    await page.getByRole('option', { name: /A New Client Key/ }).click();
    const apply = page.getByRole('button', { name: 'Apply' });
    for (const place of await previewedPlaces()) {
      assert.ok(await place.isChecked());
    }
    await apply.click();
    // The message stays there when it is no longer shown by itself.
    const messages = await openMessages(page);
    await messages.getByRole('button', { name: 'Delete Old Key…' }).click();
    await page.getByRole('button', { name: 'Delete Old Key', exact: true }).click();
    await messages.getByText('was deleted.').first().waitFor();
    const after = await readEnvFile();
    assert.match(after, /^SENTRY_DSN=http:\/\/glet_[0-9a-f]{32}@/);
    assert.notEqual(after, before);
    await activeKeys().nth(1).waitFor({ state: 'detached' });
    assert.equal(await activeKeys().count(), 1);
    await runCommand(page, 'Notifications: Hide Notifications');
  });

  it('is offered in the hover of a DSN what can be done with its key', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('tab', { name: '.env' }).click();
    const line = page.locator('.editor-instance .view-line').first();
    await line.hover({ position: { x: 200, y: 8 } });
    const hover = page.locator('.monaco-hover:visible');
    await hover.getByRole('link', { name: 'Send Test Error' }).waitFor();
    assert.equal(await hover.locator('.scrollbar.vertical.visible').count(), 0, 'it fits');
    await hover.getByRole('link', { name: 'Copy DSN…' }).click();
    await page.getByRole('option', { name: /^DSN/ }).click();
    const dsn = (await readEnvFile()).replace('SENTRY_DSN=', '').trim();
    await page.waitForFunction(`navigator.clipboard.readText().then((text) => text === ${JSON.stringify(dsn)})`);
  });
});

/** Opens Beacon's walkthrough; gives its steps by their titles. */
async function openWalkthrough(page: Page): Promise<(title: string) => Locator> {
  await runCommand(page, 'Welcome: Open Walkthrough');
  const field = page.getByPlaceholder('Select a walkthrough to open');
  await field.fill('Beacon');
  // By the keyboard: where the pointer rests, a hover may cover the list.
  await page.getByRole('option', { name: /Get Started with Beacon/ }).waitFor();
  await field.press('Enter');
  return (title) => page.locator('.getting-started-step').filter({ hasText: title });
}
