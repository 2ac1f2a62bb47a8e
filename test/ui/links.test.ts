import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { answerSignIn } from '../support/signIn.ts';
import { keepPictureOfFailure, quickInput, reloadWindow, runCommand, Workbench } from '../support/workbench.ts';

describe('links to the editor', () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    // A repository whose remote leads to a project of the instance.
    workbench = await Workbench.start({
      files: {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/config': `[remote "origin"]\n\turl = ${sandbox.url}/harbor/berth-planner.git\n`,
        '.git/objects/info/packs': '',
        '.git/refs/heads/.keep': '',
      },
    });
    page = await workbench.open();
  });
  after(async () => {
    await workbench.stop();
    await sandbox.close();
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  async function open(path: string): Promise<void> {
    await runCommand(page, 'Open URL');
    const query = `instance=${encodeURIComponent(sandbox.url)}&project=harbor%2Ftide-table`;
    await quickInput(page).field.fill(`code-oss://beacon-gitlab.beacon-gitlab/${path}?${query}`);
    await page.keyboard.press('Enter');
    // The editor itself asks before it gives an address to an extension.
    await page.getByRole('button', { name: 'Open', exact: true }).click();
  }

  it('sign in where they lead to, once that is agreed to, and show a project’s feed', async () => {
    await open('activity');
    await page.getByText(/where you are not signed in/).waitFor();
    await page.getByRole('button', { name: 'Sign In…' }).click();
    await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
    const title = page.locator('.pane-header').filter({ hasText: 'Activity' }).first();
    await title.getByText('harbor/tide-table').waitFor();
  });

  it('never say that the workspace has no project while a window opens', async () => {
    const welcomes: string[] = [];
    await page.exposeFunction('keepWelcome', (text: string) => void welcomes.push(text));
    await page.addInitScript(`
      new MutationObserver(() =>
        document.querySelectorAll('.welcome-view-content').forEach(({ innerText }) => keepWelcome(innerText)),
      ).observe(document, { childList: true, subtree: true });
    `);
    await reloadWindow(page);
    await page.getByRole('treeitem', { name: 'Project harbor/berth-planner, of this workspace' }).waitFor();
    assert.ok(!welcomes.some((text) => text.includes('no project')), welcomes.join());
  });

  it('pin a project to the Error Tracking view, once that is agreed to', async () => {
    await open('error-tracking');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('treeitem', { name: 'Project harbor/tide-table, pinned' }).waitFor();
    await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
  });

  it('open the form of notification settings', async () => {
    await open('notification-settings');
    await page.getByRole('tab', { name: /^Notifications: Project harbor\/tide-table/ }).waitFor();
  });
});
