// Takes the pictures of docs/images in a real workbench, signed in to a sandbox.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox } from '../src/sandbox/server.ts';
import { WebviewPage } from '../test/support/webviewPage.ts';
import { openSignedIn } from '../test/support/signIn.ts';
import { chooseFromMenu, pinProject, Workbench } from '../test/support/workbench.ts';
import { packageExtension } from './packaging.ts';
import { run, temporaryFolder } from './processes.ts';
import { projectRoot } from './project.ts';
import { activityRows, findRow } from '../test/support/activityView.ts';
import { startDemo } from './start.ts';
import { launchChromium } from './workbench/chromium.ts';

const folder = join(projectRoot, 'docs', 'images');

await mkdir(folder, { recursive: true });
await takeFirstMinute();
await takeTour();
process.exit(0);

async function takePicture(name: string, page: Page): Promise<void> {
  await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** What `npm start` shows before anything is clicked. */
async function takeFirstMinute(): Promise<void> {
  await using demo = await startDemo(false);
  await using browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  await page.goto(demo.url);
  await activityRows(page)
    .filter({ hasText: /^Yesterday/ })
    .waitFor();
  await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
  await page.getByRole('button', { name: /^Warnings: \d+, Infos: \d+/ }).waitFor();
  await takePicture('first-minute', page);
}

/**
 * The moving picture: what happened, an event and the next, a DSN into a program, a notification level; a frame after each step. The one
 * with the DSN is a picture of its own.
 */
async function takeTour(): Promise<void> {
  await packageExtension();
  await using left = new AsyncDisposableStack();
  const frames = left.use(await temporaryFolder());
  const sandbox = await startSandbox({ liveEvents: false });
  left.defer(() => sandbox.close());
  const settings = { 'workbench.colorTheme': 'Default Light Modern', 'window.autoDetectColorScheme': false };
  const workbench = await Workbench.start({ settings });
  left.defer(() => workbench.stop());
  const page = await openSignedIn(workbench, sandbox, { width: 1100, height: 700 });
  let count = 0;
  const frame = async (): Promise<void> => {
    await page.screenshot({ path: join(frames.path, `${count}.png`) });
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
  await page.getByRole('treeitem', { name: /^Client key glet_.*in \.env/ }).waitFor();
  await frame();
  await takePicture('error-tracking', page);
  const project = page.getByRole('treeitem', { name: /^Project harbor\/tide-table/ });
  await chooseFromMenu(await findRow(page, 'tide-table'), 'Notifications…');
  await page.getByRole('option', { name: /^On mention/ }).hover();
  await frame();
  await page.getByRole('option', { name: /^On mention/ }).click();
  await project.getByText('On mention').waitFor();
  await frame();
  const palette = 'split[one][other];[one]palettegen=max_colors=96:stats_mode=full[p];[other][p]paletteuse=dither=none';
  const input = ['-y', '-loglevel', 'error', '-framerate', '1/2', '-i', join(frames.path, '%d.png')];
  await run('ffmpeg', [...input, '-filter_complex', palette, join(folder, 'tour.gif')]).catch((error: Error) =>
    console.error(`tour.gif was not made: ${error.message}`),
  );
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
