import type { Page } from 'playwright-core';
import { oldestCodeServer } from '../../scripts/workbench/codeServer.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { openSignedIn } from '../support/signIn.ts';
import { keepPictureOfFailure, pinProject, Workbench } from '../support/workbench.ts';

describe('the oldest VS Code that the manifest claims', () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    workbench = await Workbench.start({ version: oldestCodeServer });
    page = await openSignedIn(workbench, sandbox);
  });
  after(async () => {
    await workbench.stop();
    await sandbox.close();
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  it('shows client keys and notification settings beside the feed', async () => {
    await pinProject(page, 'harbor/tide-table');
    await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
    const form = new NotificationForm(page);
    await form.open();
    await form.text('Participate').first().waitFor();
  });
});
