import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type HostileServer, sendJson, startHostileServer } from '../../support/hostileServer.ts';
import { answerSignIn, typeToken } from '../../support/signIn.ts';
import { closeQuickInput, quickInput, runCommand, Workbench } from '../../support/workbench.ts';

/** A file of 1 MiB, each line of which is a DSN in code. */
const line = "init('https://glet_1@gitlab.example/errortracking/api/v1/projects/1');\n";
const manyDsns = line.repeat((1024 * 1024) / line.length);

describe('a hostile repository and a hostile instance', () => {
  let workbench: Workbench;
  let instance: HostileServer;
  let page: Page;
  let user: { readonly id: number; readonly username: string; readonly name: string };

  before(async () => {
    const expires = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    const link = '[Renew it now](command:workbench.action.showCommands)';
    user = { id: 1, username: link, name: link };
    const records: Readonly<Record<string, unknown>> = {
      '/api/v4/personal_access_tokens/self': { id: 1, scopes: ['api'], expires_at: expires, active: true },
      '/api/v4/events': [],
    };
    instance = await startHostileServer(({ url, headers }, response) => {
      const record = url.pathname === '/api/v4/user' ? user : records[url.pathname];
      const status = headers['private-token'] === undefined ? 401 : record === undefined ? 404 : 200;
      sendJson(response, status === 200 ? record : { message: 'no' }, { status });
    });
    workbench = await Workbench.start({
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
      },
      files: { 'a.ts': manyDsns, 'b.ts': manyDsns, 'c.ts': manyDsns },
    });
  });
  after(async () => {
    await workbench.stop();
    await instance[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    page = await workbench.open();
  });
  afterEach(async function releaseWindow() {
    await workbench.release(page, this.currentTest);
  });

  const problems = (): Locator => page.locator('.statusbar-item', { has: page.locator('.codicon-error') });
  const noProblems = (): Locator => problems().filter({ hasText: /^\s*0\s*0\s*$/ });

  it('has no file searched for DSNs while signed out or restricted, and then no more than are of use', async () => {
    await page.getByText('Restricted Mode').first().waitFor();
    await page.getByRole('button', { name: 'Try Sandbox' }).first().click();
    // Extensions answer: nothing holds them up.
    await page.getByRole('button', { name: 'Pin Project' }).first().waitFor();
    assert.equal(await noProblems().count(), 1);

    await runCommand(page, 'Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).first().click();
    // 200 DSNs of each file, and where the others begin.
    await problems().getByText('603').waitFor();

    await runCommand(page, 'Beacon: Sign Out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    await noProblems().waitFor();
  });

  it('signs nobody in whose username is none, and makes no link of a name in a message', async () => {
    await runCommand(page, 'Beacon: Sign In');
    await page.getByText('The URL of your GitLab instance').waitFor();
    const { field, message } = quickInput(page);
    await field.fill(instance.origin);
    await field.press('Enter');
    await typeToken(page, 'token');
    await message.getByText('does not answer like a GitLab instance').waitFor();
    assert.equal(await message.locator('a').count(), 0);
    await closeQuickInput(page);

    user = { ...user, username: 'marta' };
    await runCommand(page, 'Beacon: Sign In');
    await page.getByText('The URL of your GitLab instance').waitFor();
    await answerSignIn(page, instance.origin, 'token');
    await page
      .getByRole('button', { name: 'Select Another Feed' })
      .or(page.getByText('Select Another Feed'))
      .first()
      .waitFor();
    await runCommand(page, 'Notifications: Show Notifications');
    const notice = page.locator('.notification-list-item').filter({ hasText: /the token expires in/ });
    await notice.waitFor();
    assert.ok((await notice.innerText()).includes(new URL(instance.origin).host));
    assert.equal(await notice.locator('.notification-list-item-message a').count(), 0);
  });
});
