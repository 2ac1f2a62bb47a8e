import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { countShownEvents } from '../../scripts/workbench/activityView.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { answerSignIn, typeToken } from '../support/signIn.ts';
import { closeQuickInput, openWalkthrough, quickInput, runCommand, Workbench } from '../support/workbench.ts';

describe('accounts', () => {
  let workbench: Workbench;
  let one: Sandbox;
  let two: Sandbox;
  let page: Page;

  before(async () => {
    [one, two] = await Promise.all([startSandbox({ liveEvents: false }), startSandbox({ liveEvents: false, seed: 2 })]);
    workbench = await Workbench.start();
  });
  after(async () => {
    await workbench.stop();
    await Promise.all([one.close(), two.close()]);
  });
  beforeEach(async () => {
    page = await workbench.open();
  });
  afterEach(async function releaseWindow() {
    await workbench.release(page, this.currentTest);
  });

  async function signIn({ url }: Sandbox, token: string): Promise<void> {
    await runCommand(page, 'Beacon: Sign In');
    await answerSignIn(page, url, token);
    await countShownEvents(page, 1);
  }

  /** Names the account in use, where there are several. Lists say what was so when they were opened: what was chosen before has to be done by then. */
  function titleWith(instance: Sandbox): Locator {
    return page.locator('.pane-header').filter({ hasText: 'Error Tracking' }).getByText(hostOf(instance));
  }

  it('are several at once, to switch between and to sign out of one by one', async () => {
    await signIn(one, one.tokens.owner);
    await signIn(two, two.tokens.developer);
    await runCommand(page, 'Beacon: Show Activity Insights');
    const insights = new NotificationForm(page);
    const banner = insights.content.getByText(/^These insights are about the account \S+; the window works as marta@/);
    await page.getByRole('tab', { name: new RegExp(`Activity Insights \\(.*${hostOf(two)}\\)`) }).waitFor();
    // Once it is there, it takes the focus from no list any more.
    await insights.content.getByText(/Account: \S+@/).waitFor();
    await page.getByRole('button', { name: new RegExp(`this window works as \\S+@${hostOf(two)}\\.`) }).click();
    const options = page.getByRole('option');
    await options
      .filter({ hasText: hostOf(two) })
      .filter({ hasText: 'In use in this window' })
      .waitFor();
    await options.filter({ hasText: hostOf(one) }).click();
    await titleWith(one).waitFor();
    await banner.waitFor();
    assert.deepEqual(await insights.violations(), []);
    await insights.content.getByRole('button', { name: /^Open Activity Insights of marta@/ }).click();
    await insights.content.getByText(/Account: marta@/).waitFor();
    await banner.waitFor({ state: 'hidden' });
    await runCommand(page, 'Beacon: Pin Project for Error Tracking');
    await page.getByText(`Pin Project · Account: marta@${hostOf(one)}`).waitFor();
    await closeQuickInput(page);

    await runCommand(page, 'Beacon: Sign Out');
    await options.filter({ hasText: hostOf(one) }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await titleWith(one).waitFor({ state: 'hidden' });
    await page
      .getByText(/Signed out of \S+\. This window works as \S+\./)
      .first()
      .waitFor();
    await runCommand(page, 'Beacon: Switch Account');
    await page.getByPlaceholder('Choose the account for this window').waitFor();
    await options
      .filter({ hasText: hostOf(two) })
      .filter({ hasText: 'In use in this window' })
      .waitFor();
    assert.equal(await options.filter({ hasText: hostOf(one) }).count(), 0);
    await closeQuickInput(page);
    await runCommand(page, 'Beacon: Sign Out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('button', { name: 'Try Sandbox' }).first().waitFor();
  });

  it('are in the Accounts menu of the editor', async () => {
    await signIn(one, one.tokens.owner);
    await page.getByRole('button', { name: 'Accounts' }).click();
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: /^\S+@127\.0\.0\.1:\d+ \(Beacon for GitLab\)/ }).waitFor();
  });

  it('keep their identity when the token is renewed, which takes tokens of the same user alone', async () => {
    await signIn(one, one.tokens.owner);
    await runCommand(page, 'Beacon: Replace Token');
    await typeToken(page, one.tokens.developer);
    await quickInput(page).message.filter({ hasText: 'This is a token of' }).waitFor();
    await typeToken(page, 'glpat-unknown');
    await quickInput(page).message.filter({ hasText: 'does not accept the token' }).waitFor();
    await typeToken(page, one.tokens.owner);
    await page.getByPlaceholder('Personal access token').waitFor({ state: 'hidden' });
    await runCommand(page, 'Beacon: Switch Account');
    await page.getByRole('option', { name: 'In use in this window' }).waitFor();
    assert.equal(
      await page
        .getByRole('option')
        .filter({ hasText: hostOf(one) })
        .count(),
      1,
    );
  });

  it('work with the scope read_user, and say what is missing', async () => {
    await signIn(one, one.tokens.readUser);
    await page.getByText('The token of this account is enough for feeds only.').waitFor();
  });

  it('complete the first step of the walkthrough, and no other', async () => {
    await signIn(one, one.tokens.owner);
    const step = await openWalkthrough(page);
    await step('Sign in, or try the sandbox').locator('.codicon.complete').waitFor();
    assert.equal(await step('See what will break').locator('.codicon.complete').count(), 0);
  });

  it('come with a diagnosis of the URL that was typed, which is there again afterwards', async () => {
    await runCommand(page, 'Beacon: Sign In');
    const { field, message } = quickInput(page);
    await field.fill('http://127.0.0.1:9');
    await field.press('Enter');
    await message.filter({ hasText: 'cannot be reached' }).waitFor();
    await page.getByRole('button', { name: 'Diagnose Connection…' }).click();
    await page.getByText('Connection to 127.0.0.1:9').waitFor();
    await page.getByRole('option').filter({ hasText: 'ECONNREFUSED' }).first().waitFor();
    await closeQuickInput(page);
    await runCommand(page, 'Beacon: Sign In');
    await page.getByText('The URL of your GitLab instance').waitFor();
    assert.equal(await field.inputValue(), 'http://127.0.0.1:9');
  });

  it('find the instance at the pasted address of a project, which one click pins', async () => {
    await runCommand(page, 'Beacon: Sign In');
    await answerSignIn(page, `${one.url}/harbor/tide-table/-/issues`, one.tokens.owner);
    await countShownEvents(page, 1);
    await runCommand(page, 'Notifications: Show Notifications');
    await page.getByRole('button', { name: 'Pin harbor/tide-table' }).click();
    await page.getByRole('treeitem', { name: 'Project harbor/tide-table, pinned' }).waitFor();
  });
});

/** What names the accounts of an instance. */
function hostOf({ url }: Sandbox): string {
  return new URL(url).host;
}
