// Takes the pictures of docs/images in a real workbench, signed in to a sandbox: all, or those whose names contain the word that is given.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { startSandbox } from '../src/sandbox/server.ts';
import { WebviewPage } from '../test/support/webviewPage.ts';
import { openSignedIn } from '../test/support/signIn.ts';
import { chooseFromMenu, runCommand, stopIdleHosts, takeFound, Workbench } from '../test/support/workbench.ts';
import { packageExtension } from './packaging.ts';
import { projectRoot } from './project.ts';
import { activityRows, findRow } from './workbench/activityView.ts';
import { launchChromium } from './workbench/chromium.ts';

const folder = join(projectRoot, 'docs', 'images');
const word = process.argv[2] ?? '';
/** What each picture shows, by its name. */
const pictures: Readonly<Record<string, () => Promise<void>>> = {
  'first-minute': takeFirstMinute,
  'activity-light': () => inWindow('activity-light', showActivity),
  'error-tracking': () => inWindow('error-tracking', showErrorTracking),
};

await mkdir(folder, { recursive: true });
await packageExtension();
for (const [name, take] of Object.entries(pictures).filter(([one]) => one.includes(word))) {
  console.log(name);
  await take();
}
await stopIdleHosts();
process.exit(0);

/** Takes a picture of a window that is signed in to a fresh sandbox. */
async function inWindow(name: string, show: (page: Page) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ liveEvents: false });
  const settings = { 'workbench.colorTheme': 'Default Light Modern', 'window.autoDetectColorScheme': false };
  const workbench = await Workbench.start({ settings });
  try {
    const page = await openSignedIn(workbench, sandbox, { width: 1100, height: 760 });
    await show(page);
    await takePicture(name, page);
  } finally {
    await workbench.stop();
    await sandbox.close();
  }
}

async function takePicture(name: string, page: Page): Promise<void> {
  await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** What `npm start` shows before anything is clicked. */
async function takeFirstMinute(): Promise<void> {
  const start = spawn(process.execPath, [join(projectRoot, 'scripts', 'run.mjs'), 'start'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await launchChromium();
  try {
    let url: string | undefined;
    for await (const line of createInterface({ input: start.stdout })) {
      url = /in a browser: (\S+)/.exec(line)?.[1];
      if (url !== undefined) {
        break;
      }
    }
    const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
    await page.goto(url ?? '');
    await activityRows(page)
      .filter({ hasText: /^Yesterday/ })
      .waitFor();
    await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
    await page.getByRole('button', { name: /^Warnings: \d+, Infos: \d+/ }).waitFor();
    await takePicture('first-minute', page);
  } finally {
    await browser.close();
    const ended = once(start, 'exit');
    start.kill('SIGINT');
    await ended;
  }
}

/** The feed of all projects, and a comment beside it. */
async function showActivity(page: Page): Promise<void> {
  await runCommand(page, 'Beacon: Select Feed…');
  await takeFound(page, 'All My Projects');
  await resizeSideBar(page);
  await (await findRow(page, / commented on /)).click();
  await new WebviewPage(page).content.getByRole('heading', { level: 1 }).waitFor();
}

/** A pinned project with its client keys, and an env file that has its DSN. */
async function showErrorTracking(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pin Project' }).first().click();
  await takeFound(page, 'harbor/tide-table');
  const key = page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).first();
  await key.waitFor();
  await resizeSideBar(page);
  // All the height of the side bar goes to the view.
  await page
    .locator('.pane-header')
    .filter({ hasText: /^Activity/ })
    .click();
  await chooseFromMenu(key, 'Insert DSN…');
  await page.getByRole('option', { name: /Into \.env/ }).click();
  await page.getByRole('tab', { name: '.env' }).waitFor();
}

/** Drags the edge of the side bar until it has room for rows. */
async function resizeSideBar(page: Page): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.part.sidebar').boundingBox()) ?? {};
  await page.mouse.move(x + width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 420, y + height / 2, { steps: 5 });
  await page.mouse.up();
}
