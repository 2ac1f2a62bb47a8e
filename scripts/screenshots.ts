// Takes the pictures of docs/images in a real workbench, signed in to a sandbox: all, or those whose names contain the word that is given.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { startSandbox } from '../src/sandbox/server.ts';
import { WebviewPage } from '../test/support/webviewPage.ts';
import { openSignedIn } from '../test/support/signIn.ts';
import { chooseFromMenu, pinProject, Workbench } from '../test/support/workbench.ts';
import { packageExtension } from './packaging.ts';
import { projectRoot } from './project.ts';
import { activityRows, findRow } from '../test/support/activityView.ts';
import { launchChromium } from './workbench/chromium.ts';

const folder = join(projectRoot, 'docs', 'images');
const word = process.argv[2] ?? '';
/** What each picture shows, by its name. */
const pictures: Readonly<Record<string, () => Promise<void>>> = {
  'first-minute': takeFirstMinute,
  'error-tracking': () => inWindow(takeErrorTracking),
  tour: () => inWindow(takeTour),
};

await mkdir(folder, { recursive: true });
await packageExtension();
for (const [name, take] of Object.entries(pictures).filter(([one]) => one.includes(word))) {
  console.log(name);
  await take();
}
process.exit(0);

/** Takes pictures of a window that is signed in to a fresh sandbox. */
async function inWindow(take: (page: Page) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ liveEvents: false });
  const settings = { 'workbench.colorTheme': 'Default Light Modern', 'window.autoDetectColorScheme': false };
  const workbench = await Workbench.start({ settings });
  try {
    await take(await openSignedIn(workbench, sandbox, { width: 1100, height: 700 }));
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

/** The moving picture: what happened, an event and the next, a DSN into a program, a notification level; a frame after each step. */
async function takeTour(page: Page): Promise<void> {
  const frames = await mkdtemp(join(tmpdir(), 'beacon-tour-'));
  let count = 0;
  const frame = async (): Promise<void> => {
    await page.screenshot({ path: join(frames, `${count}.png`) });
    count += 1;
  };
  const { content } = new WebviewPage(page);
  await resizeSideBar(page);
  await frame();
  await (await findRow(page, / commented on /)).click();
  await content.getByRole('button', { name: 'Open in Browser' }).waitFor();
  await frame();
  const first = await content.getByRole('heading', { level: 1 }).innerText();
  await page.getByRole('button', { name: 'Show Next Event' }).click();
  await content.getByRole('heading', { level: 1 }).filter({ hasNotText: first }).waitFor();
  await frame();
  await pinProject(page, 'harbor/tide-table');
  const key = page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).first();
  await key.hover();
  await frame();
  await key.getByRole('button', { name: 'Insert DSN…' }).click();
  await page.getByRole('option', { name: /Into \.env/ }).waitFor();
  await frame();
  await page.getByRole('option', { name: /Into \.env/ }).click();
  await page.getByRole('treeitem', { name: /^Client key glet_.*used in \.env/ }).waitFor();
  await frame();
  const project = page.getByRole('treeitem', { name: /^Project harbor\/tide-table/ });
  await chooseFromMenu(await findRow(page, 'tide-table'), 'Notifications…');
  await page.getByRole('option', { name: /^On mention/ }).hover();
  await frame();
  await page.getByRole('option', { name: /^On mention/ }).click();
  await project.getByText('On mention').waitFor();
  await frame();
  const palette = 'split[one][other];[one]palettegen=max_colors=96:stats_mode=full[p];[other][p]paletteuse=dither=none';
  const input = ['-y', '-loglevel', 'error', '-framerate', '1/2', '-i', join(frames, '%d.png')];
  await promisify(execFile)('ffmpeg', [...input, '-filter_complex', palette, join(folder, 'tour.gif')]).catch(
    (error: NodeJS.ErrnoException) => {
      console.error(error.code === 'ENOENT' ? 'tour.gif was not made: ffmpeg is not on PATH.' : error.message);
    },
  );
  await rm(frames, { recursive: true });
}

/** A pinned project with its client keys, and an env file that has its DSN. */
async function takeErrorTracking(page: Page): Promise<void> {
  await pinProject(page, 'harbor/tide-table');
  const key = page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).first();
  await resizeSideBar(page);
  // All the height of the side bar goes to the view.
  await page
    .locator('.pane-header')
    .filter({ hasText: /^Activity/ })
    .click();
  await chooseFromMenu(key, 'Insert DSN…');
  await page.getByRole('option', { name: /Into \.env/ }).click();
  await page.getByRole('treeitem', { name: /^Client key glet_.*used in \.env/ }).waitFor();
  await takePicture('error-tracking', page);
}

/** Drags the edge of the side bar until it has room for rows. */
async function resizeSideBar(page: Page): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.part.sidebar').boundingBox()) ?? {};
  await page.mouse.move(x + width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 420, y + height / 2, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await page.locator('.monaco-sash.hover').waitFor({ state: 'detached' });
}
