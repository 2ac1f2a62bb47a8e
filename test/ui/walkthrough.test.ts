import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { startSandbox } from '../../src/sandbox/server.ts';
import { openSignedIn } from '../support/signIn.ts';
import { keepPictureOfFailure, quickInput, runCommand, Workbench } from '../support/workbench.ts';

describe('the walkthrough', function () {
  this.timeout(120_000);
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

  /** Opens the walkthrough and gives its steps by their titles. */
  async function openWalkthrough(): Promise<(title: string) => Locator> {
    await runCommand(page, 'Welcome: Open Walkthrough');
    await quickInput(page).field.fill('Beacon');
    // By the keyboard: where the pointer rests, a hover may cover the list.
    await page.getByRole('option', { name: /Get Started with Beacon/ }).waitFor();
    await quickInput(page).field.press('Enter');
    return (title) => page.locator('.getting-started-step').filter({ hasText: title });
  }

  it('leads from the sandbox to the feed, error tracking and notification settings', async () => {
    const step = await openWalkthrough();
    for (const title of ['Read the feed', 'Wire a program to error tracking', 'Set your notifications']) {
      await step(title).waitFor();
    }
    const first = step('Sign in, or try the sandbox');
    await page.frameLocator('.getting-started-media iframe').frameLocator('iframe').locator('svg').waitFor();
    await first.getByRole('button', { name: 'Try Sandbox' }).click();
    await first.locator('.codicon.complete').waitFor();
  });

  it('shows DSN problems and hints in a program, of the sandbox’s inactive key', async () => {
    const step = await openWalkthrough();
    const problems = step('See what will break');
    await problems.click();
    await problems.getByRole('button', { name: 'Open Sample Program' }).click();
    await page.getByRole('tab', { name: /Untitled/ }).waitFor();
    await runCommand(page, 'Problems: Focus on Problems View');
    await page.getByRole('treeitem', { name: /is inactive/ }).waitFor();
    await page
      .getByRole('treeitem', { name: /\bv5\b/ })
      .first()
      .waitFor();
    await runCommand(page, 'View: Hide Panel');
    const again = await openWalkthrough();
    await again('See what will break').locator('.codicon.complete').waitFor();
  });

  it('has its first step done for someone who is signed in already', async () => {
    const sandbox = await startSandbox({ liveEvents: false });
    try {
      await workbench.close(page);
      page = await openSignedIn(workbench, sandbox, { width: 1700, height: 900 });
      const step = await openWalkthrough();
      await step('Sign in, or try the sandbox').locator('.codicon.complete').waitFor();
      assert.equal(await step('See what will break').locator('.codicon.complete').count(), 0);
    } finally {
      await sandbox.close();
    }
  });
});
