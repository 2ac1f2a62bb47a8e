import type { Page } from 'playwright-core';
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

  it('leads from the sandbox to the feed, error tracking and notification settings', async () => {
    await runCommand(page, 'Welcome: Open Walkthrough');
    await quickInput(page).field.fill('Beacon');
    // By the keyboard: where the pointer rests, a hover may cover the list.
    await page.getByRole('option', { name: /Get Started with Beacon/ }).waitFor();
    await quickInput(page).field.press('Enter');
    const step = (title: string) => page.locator('.getting-started-step').filter({ hasText: title });
    for (const title of ['Read the feed', 'Wire a program to error tracking', 'Set your notifications']) {
      await step(title).waitFor();
    }
    const first = step('Sign in, or try the sandbox');
    await page.frameLocator('.getting-started-media iframe').frameLocator('iframe').locator('svg').waitFor();
    await first.getByRole('button', { name: 'Try Sandbox' }).click();
    await first.locator('.codicon.complete').waitFor();
  });
});
