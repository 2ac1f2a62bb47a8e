import type { Page } from 'playwright-core';
import { countShownEvents } from '../../scripts/workbench/activityView.ts';
import { oldestCodeServer } from '../../scripts/workbench/codeServer.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { answerSignIn } from '../support/signIn.ts';
import { keepPictureOfFailure, pinProject, Workbench } from '../support/workbench.ts';

describe('the oldest VS Code that the manifest claims', () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    workbench = await Workbench.start({ version: oldestCodeServer });
    page = await workbench.open();
  });
  after(async () => {
    await workbench.stop();
    await sandbox.close();
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  it('shows the feed of the instance that was signed in to', async () => {
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
    await countShownEvents(page, 1);
  });

  it('shows the client keys of a pinned project', async () => {
    await pinProject(page, 'harbor/tide-table');
    await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
  });

  it('shows the form of notification settings', async () => {
    const form = new NotificationForm(page);
    await form.open();
    await form.text('Participate').first().waitFor();
  });
});
