import { join } from 'node:path';
import { WebviewPage } from '../../test/support/webviewPage.ts';
import { runCommand, takeFound } from '../../test/support/workbench.ts';
import { activityRows } from '../workbench/activityView.ts';
import { onStage, picturesFolder, resizeSideBar, waitForNoToast } from './stage.ts';

const looks = [
  { name: 'light', theme: 'Default Light Modern', sideBarWidth: 420 },
  { name: 'dark', theme: 'Default Dark Modern', sideBarWidth: 420 },
  { name: 'high-contrast', theme: 'Default High Contrast', sideBarWidth: 420 },
  { name: 'narrow', theme: 'Default Light Modern', sideBarWidth: 190 },
];

/** The Activity view with what is new, and a comment beside it. */
export async function takeActivityPictures(): Promise<void> {
  for (const { name, theme, sideBarWidth } of looks) {
    await onStage(theme, async ({ sandbox, page }) => {
      await runCommand(page, 'Beacon: Select Feed…');
      await takeFound(page, 'All My Projects');
      await activityRows(page)
        .filter({ hasText: / · (tomasz|aiko|femi|lucia)/ })
        .first()
        .waitFor();
      await fetch(`${sandbox.url}/-/sandbox/events`, { method: 'POST', body: JSON.stringify({ count: 5 }) });
      await runCommand(page, 'Beacon: Refresh Activity');
      await page
        .getByRole('treeitem', { name: /^New: / })
        .first()
        .waitFor();
      await resizeSideBar(page, sideBarWidth);
      await page
        .getByRole('treeitem', { name: / commented on / })
        .first()
        .click();
      await new WebviewPage(page).content.getByRole('heading', { level: 1 }).waitFor();
      await waitForNoToast(page);
      await page.screenshot({ path: join(picturesFolder, `activity-${name}.png`) });
    });
  }
}
