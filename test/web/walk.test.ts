import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { activityRows, countShownEvents } from '../../scripts/workbench/activityView.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import type { Sandbox } from '../support/sandbox/sandbox.ts';
import { answerSignIn } from '../support/signIn.ts';
import { sharedWindow } from '../support/webWindow.ts';
import { keepPictureOfFailure, runCommand } from '../support/workbench.ts';

describe('a window of VS Code for the Web', () => {
  let browser: BrowserContext;
  let page: Page;
  let sandbox: Sandbox;

  before(async () => {
    ({ browser, page, sandbox } = await sharedWindow());
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  async function signOut(): Promise<void> {
    await runCommand(page, 'Beacon: Accounts');
    await page.getByRole('option', { name: 'Sign Out…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await activityRows(page).first().waitFor({ state: 'hidden' });
  }

  it('shows a feed of the sandbox, which runs in the worker, and changes notification settings there', async () => {
    await runCommand(page, 'Beacon: Try Sandbox');
    await countShownEvents(page, 1);
    const form = new NotificationForm(page);
    await form.open();
    await form.level('Watch').check();
    await form.button('Save').click();
    await form.button('Undo').click();
    await form.level('Participate').and(page.locator(':checked')).waitFor();
    await runCommand(page, 'View: Close Editor');
    await signOut();
  });

  it('signs in to an instance of another origin, and neither keeps nor shows the token where others can read it', async () => {
    await runCommand(page, 'Beacon: Sign In');
    await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
    await countShownEvents(page, 1);
    const kept = JSON.stringify(await browser.storageState({ indexedDB: true }));
    const shown = await page.locator('body').innerText();
    assert.ok(kept.length > 1000 && !`${kept}${shown}`.includes(sandbox.tokens.owner));
    await signOut();
  });
});
