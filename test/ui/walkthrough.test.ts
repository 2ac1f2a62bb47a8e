import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import {
  closeQuickInput,
  keepPictureOfFailure,
  openWalkthrough,
  runCommand,
  pinProject,
  Workbench,
} from '../support/workbench.ts';

describe('the walkthrough', () => {
  let workbench: Workbench;
  let page: Page;

  before(async () => {
    workbench = await Workbench.start();
    // Pictures show beside the steps only where there is room for them.
    page = await workbench.open({ width: 1700, height: 900 });
  });
  after(() => workbench.stop());
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  it('leads from the sandbox to the feed, error tracking and notification settings', async () => {
    const step = await openWalkthrough(page);
    for (const title of ['Read the feed', 'Connect your app to error tracking', 'Set your notifications']) {
      await step(title).waitFor();
    }
    const first = step('Sign in, or try the sandbox');
    await page.frameLocator('.getting-started-media iframe').frameLocator('iframe').locator('svg').waitFor();
    await first.locator('a').filter({ hasText: 'Try the sandbox' }).click();
    await first.locator('.codicon.complete').waitFor();
  });

  it('shows DSN problems and hints in a program, of the sandbox’s inactive key', async () => {
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

  it('ticks the step of error tracking once a program has a DSN, not when the question is cancelled', async () => {
    await pinProject(page, 'harbor/tide-table');
    const title = 'Connect your app to error tracking';
    const step = (await openWalkthrough(page))(title);
    await step.click();
    await step.getByRole('button', { name: 'Insert DSN' }).click();
    await page.getByRole('option', { name: /Into \.env/ }).waitFor();
    await closeQuickInput(page);
    assert.equal(await step.locator('.codicon.complete').count(), 0);
    await step.getByRole('button', { name: 'Insert DSN' }).click();
    await page.getByRole('option', { name: /Into \.env/ }).click();
    await page.getByRole('tab', { name: '.env' }).waitFor();
    await (await openWalkthrough(page))(title).locator('.codicon.complete').waitFor();
  });
});
