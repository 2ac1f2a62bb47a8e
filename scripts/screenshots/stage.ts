import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/server.ts';
import { openSignedIn } from '../../test/support/signIn.ts';
import { Workbench } from '../../test/support/workbench.ts';
import { projectRoot } from '../project.ts';

/** Where the pictures are. */
export const picturesFolder = join(projectRoot, 'docs', 'images');

/** What a picture is taken of. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly workbench: Workbench;
  readonly page: Page;
}

/**
 * Runs something in a window that is signed in to a fresh sandbox and shows activity, and ends both afterwards.
 *
 * @param theme a colour theme, by its identifier.
 */
export async function onStage(theme: string, play: (stage: Stage) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ liveEvents: false });
  try {
    const workbench = await Workbench.start({
      settings: { 'workbench.colorTheme': theme, 'window.autoDetectColorScheme': false },
    });
    try {
      const page = await openSignedIn(workbench, sandbox, { width: 1100, height: 760 });
      await play({ sandbox, workbench, page });
    } finally {
      await workbench.stop();
    }
  } finally {
    await sandbox.close();
  }
}

/** Waits until no notification covers the window. */
export async function waitForNoToast(page: Page): Promise<void> {
  await page.locator('.notifications-toasts .notification-list-item').first().waitFor({ state: 'hidden' });
}

/** Drags the edge of the side bar until it is so many pixels wide. */
export async function resizeSideBar(page: Page, width: number): Promise<void> {
  const sideBar = await page.locator('.part.sidebar').boundingBox();
  if (sideBar) {
    const [x, y] = [sideBar.x + sideBar.width, sideBar.y + sideBar.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(sideBar.x + width, y, { steps: 5 });
    await page.mouse.up();
  }
}
