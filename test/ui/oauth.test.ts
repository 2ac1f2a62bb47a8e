import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { countShownEvents } from '../../scripts/workbench/activityView.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/sandbox.ts';
import { callAsOwner } from '../support/callAsOwner.ts';
import { atOtherAddress, type OtherAddress } from '../support/otherAddress.ts';
import { readFiles } from '../support/profileFiles.ts';
import { closeQuickInput, keepPictureOfFailure, quickInput, runCommand, Workbench } from '../support/workbench.ts';

/** Milliseconds that an access token of the sandbox lives. */
const tokenLife = 7_200_000;

const applicationId = 'application-of-a-test';

describe('a sign-in by OAuth', () => {
  let sandbox: Sandbox;
  let instance: OtherAddress;
  let workbench: Workbench;
  let page: Page;
  /** How far the clock of the sandbox is ahead of that of the editor. */
  let ahead = 0;
  /** All access and refresh tokens that the application got, spent ones too. */
  const secrets = new Set<string>();

  before(async () => {
    sandbox = await startSandbox({ liveEvents: false, now: () => new Date(Date.now() + ahead) });
    instance = await atOtherAddress(sandbox.url);
    workbench = await Workbench.start({
      settings: {
        'beacon.signIn.applicationIds': { [instance.url]: applicationId },
        'beacon.activity.ownEventsAreNew': true,
      },
    });
    page = await workbench.open();
  });
  after(async () => {
    await workbench.stop();
    await instance[Symbol.asyncDispose]();
    await sandbox.close();
  });
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  async function enterUrl(url: string): Promise<void> {
    await page.getByRole('button', { name: 'Sign In' }).first().click();
    const { field } = quickInput(page);
    await field.fill(url);
    await field.press('Enter');
  }

  /** Opens the choice of how to sign in to the sandbox, and makes it. */
  async function choose(method: string): Promise<void> {
    await enterUrl(instance.url);
    await page.getByRole('option', { name: method }).click();
  }

  /** The access tokens of the application; whatever is secret of it is remembered. */
  async function accessTokens(): Promise<readonly string[]> {
    const ofApplication = sandbox.control.tokens().filter(({ name }) => name === 'Application');
    for (const { value } of ofApplication) {
      const refreshToken = sandbox.control.refreshTokenOf(value);
      secrets.add(value);
      if (refreshToken !== undefined) {
        secrets.add(refreshToken);
      }
    }
    return ofApplication.map(({ value }) => value);
  }

  /** Lets events happen until one is of a kind that the feed of all projects has: not of a merge request, nor of an epic. */
  async function addEventOfFeed(): Promise<void> {
    for (let isInFeed = false; !isInFeed;) {
      const [made] = sandbox.control.addEvents();
      const [newest] = (await callAsOwner(sandbox, '/events?scope=all&per_page=1')) as { id: number }[];
      isInFeed = newest?.id === made?.id;
    }
  }

  /** The feed goes on after its access token has expired, as the new event shows. */
  async function goesOnAfterExpiry(): Promise<void> {
    const before = (await accessTokens()).length;
    const news = page.getByRole('treeitem', { name: /^New: / });
    const shown = await news.count();
    ahead += tokenLife + 1000;
    await addEventOfFeed();
    await runCommand(page, 'Beacon: Refresh Activity');
    await news.nth(shown).waitFor();
    assert.equal((await accessTokens()).length, before + 1, 'refreshed once');
    await page.getByText('authorization has ended').waitFor({ state: 'hidden' });
  }

  /** No token is in a file of the profile, in the log, in a message or in what the browser keeps. */
  async function nothingIsSeen(): Promise<void> {
    const known = await accessTokens();
    assert.ok(secrets.size > known.length, 'refresh tokens as well');
    const files = await readFiles(workbench.profile);
    assert.ok(files.size > 5);
    const texts = [...files];
    assert.ok(texts.some(([, text]) => text.includes('/oauth/token')) || texts.some(([name]) => name.endsWith('.log')));
    const { cookies, origins } = await page.context().storageState({ indexedDB: true });
    const shown = await page.locator('body').innerText();
    for (const secret of secrets) {
      const holding = texts.filter(([, text]) => text.includes(secret)).map(([name]) => name);
      assert.deepEqual(holding, []);
      assert.ok(!JSON.stringify({ cookies, origins }).includes(secret));
      assert.ok(!shown.includes(secret));
    }
  }

  it('says what an administrator registers where no application is known', async () => {
    await enterUrl(sandbox.url);
    await page.getByPlaceholder('Personal access token').waitFor();
    await page.getByRole('button', { name: 'Sign In with the Browser Instead…' }).click();
    const message = await page.getByText('an administrator registers an application').first().innerText();
    const redirectUri = /https?:\/\/\S*\/callback/.exec(message)?.[0] ?? '';
    await closeQuickInput(page);
    sandbox.control.registerApplication([redirectUri], applicationId);
  });

  it('asks in the browser, comes back to the feed, and goes on when the token has expired', async () => {
    const opened = page.context().waitForEvent('page');
    await choose('Authorize in the Browser');
    const authorization = await opened;
    await authorization.getByRole('heading', { name: 'Authorize the application' }).waitFor();
    await authorization.getByRole('button', { name: 'Authorize' }).click();
    await authorization.getByText('You can close this page now.').waitFor();
    await authorization.close();
    await countShownEvents(page, 1);
    await goesOnAfterExpiry();
    await nothingIsSeen();
  });

  it('says that the user denied it', async () => {
    await runCommand(page, 'Beacon: Sign Out');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
    const opened = page.context().waitForEvent('page');
    await choose('Authorize in the Browser');
    const authorization = await opened;
    await authorization.getByRole('button', { name: 'Deny' }).click();
    await page
      .getByText(`Beacon was not authorized on ${new URL(instance.url).host}`)
      .first()
      .waitFor();
    await authorization.close();
    await runCommand(page, 'Notifications: Clear All Notifications');
  });
});
