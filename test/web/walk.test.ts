import assert from 'node:assert/strict';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { activityRows, countShownEvents } from '../../scripts/workbench/activityView.ts';
import type { WebHost } from '../../scripts/workbench/webHost.ts';
import type { Sandbox } from '../support/sandbox/sandbox.ts';
import { NotificationForm } from '../support/notificationForm.ts';
import { typeToken } from '../support/signIn.ts';
import { applicationId, sharedWindow } from '../support/webWindow.ts';
import { chooseFromMenu, keepPictureOfFailure, pinProject, quickInput, runCommand } from '../support/workbench.ts';

describe('a window of VS Code for the Web', () => {
  let host: WebHost;
  let browser: BrowserContext;
  let page: Page;
  let sandbox: Sandbox;

  before(async () => {
    ({ browser, host, page, sandbox } = await sharedWindow());
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  const option = (name: string | RegExp) => page.getByRole('option', { name }).first();

  describe('with the sandbox, which no request leaves the worker for', () => {
    it('shows a feed and filters it', async () => {
      await page.getByRole('button', { name: 'Try Sandbox' }).first().click();
      await countShownEvents(page, 1);
      await runCommand(page, 'Beacon: Filter Activity…');
      await option('pushed').click();
      await page
        .getByRole('treeitem', { name: /Filtered: pushed/ })
        .first()
        .waitFor();
      await page
        .getByRole('treeitem', { name: / (?:commented on|opened|closed) / })
        .first()
        .waitFor({ state: 'hidden' });
      await countShownEvents(page, 1);
      await runCommand(page, 'Beacon: Clear Activity Filter');
      await countShownEvents(page, 1);
    });

    it('lists the client keys of a project, copies a DSN and inserts it into a file of the virtual folder', async () => {
      await pinProject(page, 'harbor/tide-table');
      const key = page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).first();
      await key.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy DSN', exact: true }).hover();
      await page.keyboard.press('Enter');
      // While it reads rows again, which it does when their files are known, the editor hands over none: then the command asks.
      const copied = page.getByText('DSN copied').first();
      const asked = option(/^glet_/);
      await copied.or(asked).first().waitFor();
      if (await asked.isVisible()) {
        // By the pointer: the menu that closes may take the focus back from the list.
        await asked.click();
      }
      await copied.waitFor();
      await chooseFromMenu(key, 'Insert DSN…');
      await option(/Into \.env/).click();
      await page.getByRole('tab', { name: '.env' }).waitFor();
      await page.getByText(/SENTRY_DSN=https:\/\/glet_[0-9a-f]{32}@sandbox\.invalid\/errortracking/).waitFor();
    });

    it('sends a test error to the DSN', async () => {
      await runCommand(page, 'Beacon: Send Test Error');
      // Nothing searches in the virtual folder: its files were listed.
      await option(/glet_.*used in \.env/).click();
      await page
        .getByText(/accepted the test error \(status 200\)/)
        .first()
        .waitFor();
    });

    it('changes, saves and undoes notification settings', async () => {
      const form = new NotificationForm(page);
      await form.open();
      await form.level('Watch').check();
      await form.button('Save').click();
      await form.button('Undo').click();
      await form.level('Participate').and(page.locator(':checked')).waitFor();
      await runCommand(page, 'View: Close Editor');
    });

    it('lists all scopes of notification settings', async () => {
      await runCommand(page, 'Beacon: Notification Settings…');
      const content: FrameLocator = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
      await content
        .getByRole('row', { name: /harbor/ })
        .first()
        .waitFor();
      await runCommand(page, 'Beacon: Sign Out');
      await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
      await activityRows(page).first().waitFor({ state: 'hidden' });
    });
  });

  describe('with an instance of another origin', () => {
    /** Opens the choice of how to sign in to the instance, and makes it. */
    async function choose(method: string): Promise<void> {
      await page.getByRole('button', { name: 'Sign In' }).first().click();
      await quickInput(page).field.fill(sandbox.url);
      await quickInput(page).field.press('Enter');
      await option(method).click();
    }

    /**
     * Waits until the extension keeps as many files in the browser as are wanted. The browser says nothing of changes in its database;
     * the editor does, to its other tabs.
     *
     * @returns how many.
     */
    const keeps = async (least: number, most = Number.MAX_SAFE_INTEGER): Promise<number> =>
      (await page.evaluate(`(async () => {
        const done = (request) => new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
        const channel = new BroadcastChannel('vscode.indexedDB.vscode-userdata.changes');
        let changed = Promise.withResolvers();
        channel.onmessage = () => changed.resolve();
        const timer = setTimeout(() => changed.reject(new Error('Too long without a change')), 30_000);
        const database = await done(indexedDB.open('vscode-web-db'));
        try {
          for (;;) {
            const store = database.transaction('vscode-userdata-store').objectStore('vscode-userdata-store');
            const paths = (await done(store.getAllKeys())).map(String);
            const kept = paths.filter((path) => path.includes('globalStorage/beacon-gitlab') && path.endsWith('.json'));
            if (kept.length >= ${least} && kept.length <= ${most}) {
              return kept.length;
            }
            await changed.promise.catch((error) => { throw new Error(error.message + ', kept: ' + kept.join()); });
            changed = Promise.withResolvers();
          }
        } finally {
          clearTimeout(timer);
          database.close();
          channel.close();
        }
      })()`)) as number;

    /** Signs out; what was kept of the account goes with it. */
    async function signOut(): Promise<void> {
      await keeps(keptBefore + 1);
      await runCommand(page, 'Beacon: Sign Out');
      await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
      await page.getByRole('button', { name: 'Sign In' }).first().waitFor();
      await keeps(keptBefore, keptBefore);
    }

    let keptBefore = 0;
    before(async () => {
      keptBefore = await keeps(0);
    });

    /** No token is in what the browser keeps, or on the page. */
    async function nothingIsSeen(tokens: readonly string[]): Promise<void> {
      const kept = JSON.stringify(await browser.storageState({ indexedDB: true }));
      const shown = await page.locator('body').innerText();
      assert.ok(tokens.length > 0 && tokens.every((token) => !kept.includes(token) && !shown.includes(token)));
    }

    it('signs in with a personal access token, shows what is new, and keeps nothing after the sign-out', async () => {
      await choose('Enter a Personal Access Token…');
      await typeToken(page, sandbox.tokens.owner);
      await countShownEvents(page, 1);
      sandbox.control.addEvents({ count: 20 });
      await runCommand(page, 'Beacon: Refresh Activity');
      await page
        .getByRole('treeitem', { name: /^New: / })
        .first()
        .waitFor();
      await nothingIsSeen([sandbox.tokens.owner]);
      await signOut();
    });

    it('signs in with the browser, and keeps nothing after the sign-out', async () => {
      sandbox.control.registerApplication([`${host.url}callback`], applicationId);
      const opened = browser.waitForEvent('page');
      await choose('Authorize in the Browser');
      const authorization = await opened;
      await authorization.getByRole('button', { name: 'Authorize' }).click();
      await authorization.getByText('You can close this page now.').waitFor();
      await authorization.close();
      await countShownEvents(page, 1);
      const given = sandbox.control.tokens().filter(({ name }) => name === 'Application');
      await nothingIsSeen(given.flatMap(({ value }) => [value, sandbox.control.refreshTokenOf(value) ?? value]));
      await signOut();
    });

    it('keeps nothing at all after a reset', async () => {
      await runCommand(page, 'Beacon: Reset…');
      await page.getByRole('button', { name: 'Remove Everything' }).click();
      await page.getByText('Everything that Beacon kept was removed.').first().waitFor();
      await keeps(0, 0);
    });
  });
});
