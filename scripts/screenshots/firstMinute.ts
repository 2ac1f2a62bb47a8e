import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { NotificationForm } from '../../test/support/notificationForm.ts';
import { chooseFromMenu, runCommand } from '../../test/support/workbench.ts';
import { projectRoot } from '../project.ts';
import { activityRows, findRow } from '../workbench/activityView.ts';
import { launchChromium } from '../workbench/chromium.ts';
import { picturesFolder, waitForNoToast } from './stage.ts';

/** The first minute of a newcomer: what `npm start` shows before anything is clicked, and then each view as it opens. */
export async function takeFirstMinutePictures(): Promise<void> {
  const start = spawn(process.execPath, [join(projectRoot, 'scripts', 'run.mjs'), 'start'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
    await page.goto(await printedUrl(createInterface({ input: start.stdout })));
    await activityRows(page)
      .filter({ hasText: /^Yesterday/ })
      .waitFor();
    await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
    await page.getByRole('button', { name: /^Warnings: \d+, Infos: \d+/ }).waitFor();
    await takePicture(page, 'first-minute');

    await runCommand(page, 'Problems: Focus on Problems View');
    await page.getByRole('treeitem', { name: /is inactive/ }).waitFor();
    await takePicture(page, 'first-minute-problems');
    await runCommand(page, 'View: Hide Panel');

    await chooseFromMenu(await findRow(page, /pushed to main/), 'Show Changes');
    await page.locator('.multiDiffEntry').first().waitFor();
    await takePicture(page, 'first-minute-changes');

    await runCommand(page, 'View: Close All Editors');
    await new NotificationForm(page).open({ kind: 'project', path: 'harbor/tide-table' });
    await takePicture(page, 'first-minute-notification-settings');

    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Beacon: Notification Overview');
    const overview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await overview.getByRole('combobox', { name: 'Level of harbor/tide-table', exact: true }).waitFor();
    await takePicture(page, 'first-minute-notification-overview');
  } finally {
    await browser.close();
    const ended = once(start, 'exit');
    start.kill('SIGINT');
    await ended;
  }
}

async function printedUrl(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const url = /in a browser: (\S+)/.exec(line)?.[1];
    if (url !== undefined) {
      return url;
    }
  }
  throw new Error('npm start ended before it was up.');
}

async function takePicture(page: Page, name: string): Promise<void> {
  await waitForNoToast(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(picturesFolder, `${name}.png`) });
}
