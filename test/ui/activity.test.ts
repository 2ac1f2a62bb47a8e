import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { activityRows, countShownEvents, findRow } from '../../scripts/workbench/activityView.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { readFiles } from '../support/profileFiles.ts';
import { answerSignIn, typeToken } from '../support/signIn.ts';
import { SwitchableInstance, type Answer } from '../support/switchableInstance.ts';
import {
  closeQuickInput,
  keepPictureOfFailure,
  quickInput,
  reloadWindow,
  runCommand,
  Workbench,
} from '../support/workbench.ts';

/** What a feed can meet with. */
interface Failure {
  readonly answer: Answer;
  /** Asks for the feed. */
  readonly meet: () => Promise<void>;
  readonly sentence: RegExp;
  readonly remedy?: string;
  readonly notices: RegExp;
}

describe('the Activity view', () => {
  let workbench: Workbench;
  let sandbox: Sandbox;
  let instance: SwitchableInstance;
  let page: Page;

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false });
    instance = await SwitchableInstance.start(sandbox.url);
    workbench = await Workbench.start();
  });
  after(async () => {
    await workbench.stop();
    await instance.close();
    await sandbox.close();
  });

  describe('of a newcomer', () => {
    before(async () => {
      page = await workbench.open();
    });
    afterEach(async function keepPicture() {
      await keepPictureOfFailure(page, this.currentTest);
    });
    after(() => workbench.release(page));

    it('offers to sign in and to try the sandbox, which needs no input', async () => {
      await page.getByRole('button', { name: 'Sign In' }).first().waitFor();
      await page.getByRole('button', { name: 'Try Sandbox' }).first().click();
      // Midnight may pass meanwhile.
      await findRow(page, /^(Today|Yesterday)/);
      await countShownEvents(page, 1);
    });

    it('shows the sandbox again after a reload', async () => {
      await reloadWindow(page);
      await countShownEvents(page, 1);
    });

    it('offers to sign in again after signing out', async () => {
      await runCommand(page, 'Beacon: Sign Out');
      await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
      await page.getByRole('button', { name: 'Try Sandbox' }).first().waitFor();
      await activityRows(page).first().waitFor({ state: 'hidden' });
    });
  });

  describe('of who signs in', () => {
    before(async () => {
      page = await workbench.open();
    });
    afterEach(async function keepPicture() {
      await keepPictureOfFailure(page, this.currentTest);
      instance.answer = undefined;
    });
    after(() => workbench.close(page));

    it('shows why a URL or a token is not accepted and keeps what was typed', async () => {
      const { field, message } = quickInput(page);
      await page.getByRole('button', { name: 'Sign In' }).first().click();
      await field.fill('not a url');
      await field.press('Enter');
      await message.getByText('This is not the URL of an instance').waitFor();

      await field.fill('http://127.0.0.1:1');
      await field.press('Enter');
      await message.getByText('127.0.0.1:1 cannot be reached (ECONNREFUSED)').waitFor();

      instance.answer = { status: 200, contentType: 'text/html', body: '<h1>Welcome to nginx!</h1>' };
      await field.fill(instance.url);
      await field.press('Enter');
      await message.getByText('does not answer like a GitLab instance').waitFor();
      assert.equal(await field.inputValue(), instance.url);

      instance.answer = undefined;
      await field.press('Enter');
      await typeToken(page, 'glpat-wrongwrongwrongwrong');
      await message.getByText('does not accept the token').waitFor();
      assert.equal(await field.inputValue(), 'glpat-wrongwrongwrongwrong');
      await closeQuickInput(page);

      await page.getByRole('button', { name: 'Sign In' }).first().click();
      await answerSignIn(page, instance.url, sandbox.tokens.owner);
      await countShownEvents(page, 1);
    });

    it('leaves the token in no file of the profile and in no storage of the browser', async () => {
      const token = sandbox.tokens.owner;
      const files = await readFiles(join(workbench.profile, 'data'));
      assert.ok(files.size > 0);
      for (const [path, text] of files) {
        assert.ok(!text.includes(token), path);
      }
      const { cookies, origins } = await page.context().storageState({ indexedDB: true });
      assert.match(JSON.stringify(origins), /secret/, 'the secret store is among what was read');
      assert.ok(!JSON.stringify({ cookies, origins }).includes(token));
    });

    it('opens what an event is about in the browser', async () => {
      const event = await findRow(page, /opened issue #\d+/);
      const iid = /#(\d+)/.exec((await event.textContent()) ?? '')?.[1];
      await event.hover();
      const opened = page.context().waitForEvent('page');
      await event.getByRole('button', { name: 'Open in Browser' }).click();
      assert.match((await opened).url(), new RegExp(`/[a-z-]+/[a-z/-]+/-/issues/${iid}$`));
      await page.bringToFront();
    });

    const refresh = (): Promise<void> => runCommand(page, 'Beacon: Refresh Activity');
    const failures: Record<string, Failure> = {
      'a token that is no longer accepted': {
        answer: { status: 401, contentType: 'application/json', body: '{"message":"401 Unauthorized"}' },
        meet: () => reloadWindow(page),
        sentence: /is wrong, expired or revoked/,
        remedy: 'Replace Token…',
        notices: /no longer accepts the token/,
      },
      'an internal error': {
        answer: { status: 500, contentType: 'application/json', body: '{"message":"500 Internal Server Error"}' },
        meet: refresh,
        sentence: /has an internal error \(status 500\)/,
        notices: /No new notifications/i,
      },
      'a page that is not of GitLab': {
        answer: { status: 200, contentType: 'text/html', body: '<h1>Maintenance</h1>' },
        meet: refresh,
        sentence: /does not answer like a GitLab instance/,
        remedy: 'Sign In…',
        notices: /No new notifications/i,
      },
    };
    for (const [name, { answer, meet, sentence, remedy, notices }] of Object.entries(failures)) {
      it(`says what to do about ${name}, and shows the feed at the next try`, async () => {
        await runCommand(page, 'Notifications: Clear All Notifications');
        instance.answer = answer;
        await meet();
        await page.getByText(sentence).waitFor();
        if (remedy !== undefined) {
          await findRow(page, remedy);
        }
        // A view that is visible shows it; a rejected token is also shown as a notification, since no view may be visible.
        await runCommand(page, 'Notifications: Show Notifications');
        const center = page.locator('.notifications-center.visible');
        await center.getByText(notices).first().waitFor();
        await page.keyboard.press('Escape');
        instance.answer = undefined;
        await (await findRow(page, 'Try Again')).click();
        await page.getByText(sentence).waitFor({ state: 'hidden' });
        await countShownEvents(page, 1);
      });
    }
  });
});
