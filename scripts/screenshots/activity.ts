import { join } from 'node:path';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { WebviewPage } from '../../test/support/webviewPage.ts';
import { runCommand, takeFound } from '../../test/support/workbench.ts';
import { activityRows, findRow } from '../workbench/activityView.ts';
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
      await addNews(sandbox);
      await runCommand(page, 'Beacon: Refresh Activity');
      await page
        .getByRole('treeitem', { name: /^New: / })
        .first()
        .waitFor();
      await resizeSideBar(page, sideBarWidth);
      await (await findRow(page, / commented on /)).click();
      await new WebviewPage(page).content.getByRole('heading', { level: 1 }).waitFor();
      await waitForNoToast(page);
      await page.screenshot({ path: join(picturesFolder, `activity-${name}.png`) });
    });
  }
}

/** Lets events happen until one by a colleague is in the feed of all projects, which leaves out merge requests. */
async function addNews({ url, tokens }: Sandbox): Promise<void> {
  const headers = { 'private-token': tokens.owner };
  for (let isNews = false; !isNews;) {
    const response = await fetch(`${url}/-/sandbox/events`, { method: 'POST', body: '{}' });
    const [made] = (await response.json()) as { id: number }[];
    const feed = await fetch(`${url}/api/v4/events?scope=all&per_page=1`, { headers });
    const [newest] = (await feed.json()) as { id: number; author_username: string }[];
    isNews = newest?.id === made?.id && newest?.author_username !== 'marta';
  }
}
