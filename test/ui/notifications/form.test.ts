import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { hostsFolder } from '../../../scripts/project.ts';
import { countShownEvents } from '../../../scripts/workbench/activityView.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/server.ts';
import { NotificationForm } from '../../support/notificationForm.ts';
import { answerSignIn } from '../../support/signIn.ts';
import { runCommand, Workbench } from '../../support/workbench.ts';

describe('the form of notification settings', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let sandbox: Sandbox;
  let page: Page;
  let form: NotificationForm;

  before(async () => {
    workbench = await Workbench.start();
  });
  after(async () => {
    await workbench.stop();
  });
  beforeEach(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    page = await workbench.open();
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
    await countShownEvents(page, 1);
    form = new NotificationForm(page);
  });
  afterEach(async function keepScreenshot() {
    if (this.currentTest?.state === 'failed') {
      await page.screenshot({ path: join(hostsFolder, 'failures', `${this.currentTest.title}.png`) });
    }
    await page.context().close();
    await sandbox.close();
  });

  /** The settings as they are on the instance. */
  async function onInstance(path = '/notification_settings'): Promise<Record<string, unknown>> {
    const response = await fetch(`${sandbox.url}/api/v4${path}`, {
      headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner },
    });
    return (await response.json()) as Record<string, unknown>;
  }

  it('shows the global settings, previews a change and saves it', async () => {
    await runCommand(page, 'Beacon: Notification Settings…');
    await form.shows('Global');
    assert.ok(await form.level('Participate').isChecked());
    await form.level('Watch').check();
    await form.text('Level: from Participate to Watch').waitFor();
    await form.button('Save').click();
    await form.text('Saved.').first().waitFor();
    assert.equal((await onInstance())['level'], 'watch');
  });
});
