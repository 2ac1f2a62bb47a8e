import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { writeFile } from 'node:fs/promises';
import type { Page, ViewportSize } from 'playwright-core';
import { NotificationForm } from '../../test/support/notificationForm.ts';
import { chooseFromMenu, runCommand } from '../../test/support/workbench.ts';
import { projectRoot } from '../project.ts';
import { activityRows, findRow } from '../workbench/activityView.ts';
import { launchChromium } from '../workbench/chromium.ts';
import { animate, type Frame } from './animation.ts';
import { picturesFolder, resizeSideBar, waitForNoToast } from './stage.ts';

/** The first minute of a newcomer: what `npm start` shows before anything is clicked, and then each view as it opens. */
export async function takeFirstMinutePictures(): Promise<void> {
  await withDemo({ width: 1200, height: 760 }, async (page) => {
    await activityRows(page)
      .filter({ hasText: /^Yesterday/ })
      .waitFor();
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
  });
}

/** A moving picture of what one does in the first minutes: the feed, a filter, problems in a program, and a level. */
export async function takeTour(): Promise<void> {
  await withDemo({ width: 1100, height: 680 }, async (page) => {
    const frames: Frame[] = [];
    const take = async (duration: number): Promise<void> => {
      await waitForNoToast(page);
      frames.push({ png: await page.screenshot({ animations: 'disabled', caret: 'hide' }), duration });
    };
    const option = (name: string | RegExp) => page.getByRole('option', { name }).first();

    await resizeSideBar(page, 400);
    await caption(page, 'See what happened in your projects');
    await page.mouse.move(800, 560);
    await take(2600);
    await runCommand(page, 'Beacon: Filter Activity…');
    await option('pushed').waitFor();
    await caption(page, 'Filter by action, target and day');
    await take(2600);
    await option('pushed').click();
    await page
      .getByRole('treeitem', { name: /commented on|opened issue/ })
      .first()
      .waitFor({ state: 'hidden' });
    await take(2000);
    await runCommand(page, 'Beacon: Clear Activity Filter');
    await findRow(page, /opened issue|commented on/);
    await page.keyboard.press('Home');
    await page.mouse.move(800, 560);

    await caption(page, 'Know when a DSN stops working, and fix it');
    const line = page.locator('.view-line').filter({ hasText: 'sentry_sdk.init' });
    await line
      .locator('span[class^="mtk"]')
      .filter({ hasText: 'http' })
      .first()
      .hover({ position: { x: 60, y: 8 } });
    const hover = page.locator('.monaco-hover').filter({ hasText: 'inactive' }).first();
    await hover.waitFor();
    await take(2600);
    await page.mouse.move(800, 560);
    await hover.waitFor({ state: 'hidden' });
    await runCommand(page, 'Problems: Focus on Problems View');
    await page.getByRole('treeitem', { name: /is inactive/ }).waitFor();
    await take(2400);
    await runCommand(page, 'View: Hide Panel');

    await caption(page, 'Choose which e-mails you get');
    await runCommand(page, 'View: Close All Editors');
    const form = new NotificationForm(page);
    await form.open({ kind: 'project', path: 'harbor/tide-table' });
    await take(1600);
    await form.level('On mention').check();
    await form.text('to On mention').waitFor();
    await take(2200);
    await form.button('Save').click();
    await form.text('Saved.').first().waitFor();
    await take(2600);
    await writeFile(join(picturesFolder, 'tour.png'), await animate(frames, page));
  });
}

/** Says in a line at the bottom of the window what is seen. */
async function caption(page: Page, text: string): Promise<void> {
  await page.evaluate(`((text) => {
    const line = document.getElementById('caption') ?? document.body.appendChild(document.createElement('div'));
    line.id = 'caption';
    line.textContent = text;
    line.style.cssText = 'position:fixed;left:50%;bottom:38px;transform:translateX(-50%);padding:9px 18px;border-radius:8px;' +
      'background:#171f38;color:#fff;font:600 16px/1.3 system-ui,sans-serif;z-index:100000;pointer-events:none;white-space:nowrap';
  })(${JSON.stringify(text)})`);
}

/** Runs something in the window that `npm start` shows, once everything in it has loaded. */
async function withDemo(viewport: ViewportSize, play: (page: Page) => Promise<void>): Promise<void> {
  const start = spawn(process.execPath, [join(projectRoot, 'scripts', 'run.mjs'), 'start'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport });
    await page.goto(await printedUrl(createInterface({ input: start.stdout })));
    await activityRows(page).nth(3).waitFor();
    await page.getByRole('treeitem', { name: /^Client key glet_.*, active/ }).waitFor();
    await page.getByRole('button', { name: /^Warnings: \d+, Infos: \d+/ }).waitFor();
    await play(page);
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
