import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { activityRows, countShownEvents } from '../../scripts/workbench/activityView.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { answerSignIn, openSignedIn } from '../support/signIn.ts';
import { keepPictureOfFailure, runCommand, Workbench } from '../support/workbench.ts';

describe('accounts of two instances', () => {
  let workbench: Workbench;
  let one: Sandbox;
  let two: Sandbox;
  let page: Page;

  before(async () => {
    [one, two] = await Promise.all([startSandbox({ liveEvents: false }), startSandbox({ liveEvents: false, seed: 2 })]);
    workbench = await Workbench.start();
    page = await openSignedIn(workbench, one);
  });
  after(async () => {
    await workbench.stop();
    await Promise.all([one.close(), two.close()]);
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  const hostOf = ({ url }: Sandbox): string => new URL(url).host;
  /** What names the account of the window, where there are several. */
  const statusOf = (instance: Sandbox): Locator =>
    page.getByRole('button', { name: new RegExp(`uses the account \\S+@${hostOf(instance)}`) });
  const optionOf = (instance: Sandbox): Locator => page.getByRole('option').filter({ hasText: hostOf(instance) });

  it('are in the Accounts menu of the editor, and not named while there is one', async () => {
    // Once both views are there, nothing takes the focus any more, which would close the menu.
    await page.getByRole('button', { name: 'Pin Project' }).first().waitFor();
    await page.getByRole('button', { name: 'Accounts' }).click();
    await page
      .getByRole('menu')
      .getByRole('menuitem', { name: /^\S+@127\.0\.0\.1:\d+ \(Beacon for GitLab\)/ })
      .waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await statusOf(one).count(), 0);
  });

  it('are named in the status bar, which switches between them', async () => {
    await runCommand(page, 'Beacon: Accounts');
    await page.getByRole('option', { name: 'Sign In to Another Account…' }).click();
    await answerSignIn(page, two.url, two.tokens.developer);
    await statusOf(two).click();
    await optionOf(one).click();
    await statusOf(one).waitFor();
    await countShownEvents(page, 1);
  });

  it('are signed out of one by one, and nothing is left of the last', async () => {
    await signOut(one);
    await statusOf(one).waitFor({ state: 'hidden' });
    await countShownEvents(page, 1);
    await signOut(undefined);
    await page
      .locator('a')
      .filter({ hasText: /^Try the sandbox$/ })
      .first()
      .waitFor();
    await activityRows(page).first().waitFor({ state: 'hidden' });
  });

  async function signOut(instance: Sandbox | undefined): Promise<void> {
    await runCommand(page, 'Beacon: Accounts');
    await page.getByRole('option', { name: 'Sign Out…' }).click();
    if (instance) {
      // The list before it has rows of the same names.
      await page.getByPlaceholder('Choose the account to sign out of').waitFor();
      await optionOf(instance).click();
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  }
});
