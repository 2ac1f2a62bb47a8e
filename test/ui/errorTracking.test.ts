import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import {
  chooseFromMenu,
  keepPictureOfFailure,
  openMessages,
  pinProject,
  runCommand,
  Workbench,
} from '../support/workbench.ts';

describe('the Error Tracking view', () => {
  let workbench: Workbench;
  let page: Page;

  before(async () => {
    workbench = await Workbench.start();
    page = await workbench.open();
    await page
      .locator('a')
      .filter({ hasText: /^Try the sandbox$/ })
      .first()
      .click();
    // Only when signed in are the commands there.
    await page.getByRole('button', { name: 'Pin Project' }).first().waitFor();
  });
  after(() => workbench.stop());
  afterEach(async function keepPicture() {
    await keepPictureOfFailure(page, this.currentTest);
  });

  const activeKeys = (): Locator => page.getByRole('treeitem', { name: /^Client key glet_.*, active/ });

  /** The check boxes of a preview, once they are there: its buttons show before, and VS Code loses what is clicked until then. */
  async function previewedPlaces(): Promise<Locator[]> {
    // They have no role.
    const places = page.locator('.bulk-edit-panel .edit-checkbox');
    await places.first().waitFor();
    return await places.all();
  }

  it('takes a key from a pinned project into an env file, and replaces the key after a preview', async () => {
    await pinProject(page, 'harbor/tide-table');
    await activeKeys().first().waitFor();
    await chooseFromMenu(activeKeys().first(), 'Insert DSN…');
    await page.getByRole('option', { name: /Into \.env/ }).click();
    await page.getByRole('tab', { name: '.env' }).waitFor();
    const envFile = join(workbench.folder, '.env');
    const before = await readFile(envFile, 'utf8');
    assert.match(
      before,
      /^SENTRY_DSN=http:\/\/glet_[0-9a-f]{32}@127\.0\.0\.1:\d+\/errortracking\/api\/v1\/projects\/501\n$/,
    );

    await page.getByRole('treeitem', { name: /^Client key glet_.*, active, used in \.env/ }).waitFor();

    // The only active key of the only project is meant.
    await runCommand(page, 'Beacon: Replace Key…');
    await page.getByRole('option', { name: /A New Client Key/ }).click();
    const apply = page.getByRole('button', { name: 'Apply' });
    for (const place of await previewedPlaces()) {
      assert.ok(await place.isChecked());
    }
    await apply.click();
    // One button keeps the old key, and Enter does not delete it.
    const buttons = page.locator('.monaco-dialog-box .dialog-buttons').getByRole('button');
    await buttons.first().waitFor();
    const names = await buttons.allInnerTexts();
    assert.deepEqual(names.toSorted(), ['Delete Old Key', 'Keep It Until Deployed', 'Send Test Error']);
    assert.equal(await page.locator('.monaco-dialog-box :focus').innerText(), 'Send Test Error');
    await page.getByRole('button', { name: 'Delete Old Key' }).click();
    await (await openMessages(page)).getByText('which was deleted.').first().waitFor();
    const after = await readFile(envFile, 'utf8');
    assert.match(after, /^SENTRY_DSN=http:\/\/glet_[0-9a-f]{32}@/);
    assert.notEqual(after, before);
    await activeKeys().nth(1).waitFor({ state: 'detached' });
    assert.equal(await activeKeys().count(), 1);
  });

  it('sends a test error to the key that is chosen, and says to which', async () => {
    await runCommand(page, 'Beacon: Send Test Error');
    await page.getByRole('option', { name: /glet_.*used in \.env/ }).click();
    await (
      await openMessages(page)
    )
      .getByText(
        /127\.0\.0\.1:\d+ accepted the test error \(status 200\).* Client key: glet_.* of harbor\/tide-table\./,
      )
      .first()
      .waitFor();
    await runCommand(page, 'Notifications: Hide Notifications');
  });

  it('offers in the hover of a DSN what can be done with its key', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('tab', { name: '.env' }).click();
    const line = page.locator('.editor-instance .view-line').first();
    await line.hover({ position: { x: 200, y: 8 } });
    const hover = page.locator('.monaco-hover:visible');
    await hover.getByRole('link', { name: 'Send Test Error' }).waitFor();
    assert.equal(await hover.locator('.scrollbar.vertical.visible').count(), 0, 'it fits');
    await hover.getByRole('link', { name: 'Copy DSN…' }).click();
    await page.getByRole('option', { name: /^DSN/ }).click();
    const dsn = (await readFile(join(workbench.folder, '.env'), 'utf8')).replace('SENTRY_DSN=', '').trim();
    await page.waitForFunction(`navigator.clipboard.readText().then((text) => text === ${JSON.stringify(dsn)})`);
  });
});
