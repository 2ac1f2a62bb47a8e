import { join } from 'node:path';
import { chooseFromMenu, takeFound } from '../../test/support/workbench.ts';
import { onStage, picturesFolder, resizeSideBar, waitForNoToast } from './stage.ts';

/** The Error Tracking view with a pinned project, and an env file that has its DSN. */
export async function takeErrorTrackingPicture(): Promise<void> {
  await onStage('Default Light Modern', async ({ page }) => {
    await page.getByRole('button', { name: 'Pin Project' }).first().click();
    await takeFound(page, 'harbor/tide-table');
    const key = page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).first();
    await key.waitFor();
    await resizeSideBar(page, 420);
    // All the height of the side bar goes to the view.
    await page
      .locator('.pane-header')
      .filter({ hasText: /^Activity/ })
      .click();
    await chooseFromMenu(key, 'Insert DSN…');
    await page.getByRole('option', { name: /Into \.env/ }).click();
    await page.getByRole('tab', { name: '.env' }).waitFor();
    await waitForNoToast(page);
    await page.screenshot({ path: join(picturesFolder, 'error-tracking.png') });
  });
}
