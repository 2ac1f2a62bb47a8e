import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox } from '../src/sandbox/server.ts';
import { answerSignIn } from '../test/support/signIn.ts';
import { runCommand, Workbench } from '../test/support/workbench.ts';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';
import { activityRows, countShownEvents } from './workbench/activityView.ts';

/** Takes the pictures of docs/images in a real workbench, signed in to a sandbox. */
const folder = join(projectRoot, 'docs', 'images');
const looks = [
  { name: 'light', theme: 'Default Light Modern', sideBarWidth: 420 },
  { name: 'dark', theme: 'Default Dark Modern', sideBarWidth: 420 },
  { name: 'high-contrast', theme: 'Default High Contrast', sideBarWidth: 420 },
  { name: 'narrow', theme: 'Default Light Modern', sideBarWidth: 190 },
];

await mkdir(folder, { recursive: true });
await run(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'package.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const sandbox = await startSandbox({ liveEvents: false });
for (const { name, theme, sideBarWidth } of looks) {
  const workbench = await Workbench.start({ 'workbench.colorTheme': theme, 'window.autoDetectColorScheme': false });
  const page = await workbench.open({ viewport: { width: 1100, height: 760 } });
  await page.getByRole('button', { name: 'Sign In' }).first().click();
  await answerSignIn(page, sandbox.url, sandbox.tokens.owner);
  await countShownEvents(page, 5);
  await runCommand(page, 'Beacon: Select Feed…');
  await page.getByRole('option', { name: 'All My Projects' }).click();
  await activityRows(page)
    .filter({ hasText: /(tomasz|aiko|femi|lucia) / })
    .first()
    .waitFor();
  await fetch(`${sandbox.url}/-/sandbox/events`, { method: 'POST', body: JSON.stringify({ count: 3 }) });
  await runCommand(page, 'Beacon: Refresh Activity');
  await page
    .getByRole('treeitem', { name: /^New: / })
    .first()
    .waitFor();
  await resizeSideBar(page, sideBarWidth);
  await activityRows(page)
    .filter({ hasText: /commented on/ })
    .first()
    .click();
  await page.locator('.tab').filter({ hasText: '.md' }).first().waitFor();
  await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
  await page.screenshot({ path: join(folder, `activity-${name}.png`) });
  await workbench.stop();
}
await sandbox.close();
// The package brings the one that its description shows.
await copyFile(join(folder, 'activity-light.png'), join(projectRoot, 'media', 'activity.png'));
process.exit(0);

async function resizeSideBar(page: Page, width: number): Promise<void> {
  const sideBar = await page.locator('.part.sidebar').boundingBox();
  if (sideBar) {
    const [x, y] = [sideBar.x + sideBar.width, sideBar.y + sideBar.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(sideBar.x + width, y, { steps: 5 });
    await page.mouse.up();
  }
}
