import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { NotificationForm } from '../../test/support/notificationForm.ts';
import { runCommand } from '../../test/support/workbench.ts';
import { onStage, picturesFolder, waitForNoToast } from './stage.ts';

/** The form of notification settings, the overview and the page of noise, at widths from a narrow group of editors to a wide one, in pixels. */
export async function takeNotificationPictures(): Promise<void> {
  await onStage('Default Light Modern', async ({ sandbox, page }) => {
    await changeSettings(sandbox, '/projects/501', {
      ...{ level: 'custom', new_issue: true, close_issue: true, failed_pipeline: true },
      ...{ success_pipeline: false, new_note: false },
    });
    await changeSettings(sandbox, '/groups/11', { level: 'mention' });
    await takeForm(page);
    await runCommand(page, 'View: Close All Editors');
    await takeOverview(page);
    await runCommand(page, 'View: Close All Editors');
    await takeNoise(page);
  });
}

async function takeForm(page: Page): Promise<void> {
  const form = new NotificationForm(page);
  await form.open({ kind: 'project', path: 'harbor/tide-table' });
  await form.event('New merge request', 'on').check({ force: true });
  await form.event('Closed issue', 'off').check({ force: true });
  await form.text('New merge request: from default to on').waitFor();
  await form.button('Show E-mails a Week').click();
  await form.button('Estimate Again').waitFor();
  await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  for (const width of [320, 600, 1200]) {
    await takeFromTop(form, width, `notification-settings-${width}`);
  }
  for (const [theme, kind, name] of [
    ['Dark Modern', 'vscode-dark', 'dark'],
    ['Dark High Contrast', 'vscode-high-contrast', 'high-contrast'],
  ] as const) {
    await form.useTheme(theme, kind);
    await takeFromTop(form, 600, `notification-settings-${name}`);
  }
  await form.useTheme('Light Modern', 'vscode-light');
}

/** Takes a picture of the form from its heading on. */
async function takeFromTop({ page, content }: NotificationForm, width: number, name: string): Promise<void> {
  await content.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await takeEditor(page, width, name);
}

async function takeOverview(page: Page): Promise<void> {
  await runCommand(page, 'Beacon: Notification Overview');
  const overview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  await overview.locator('main[aria-busy=false]').waitFor();
  await overview.getByRole('button', { name: 'Show E-mails a Week' }).click();
  await overview.getByRole('button', { name: 'Include Merge Requests' }).click();
  await overview.getByRole('button', { name: 'Estimate Again' }).waitFor();
  await overview.getByRole('button', { name: /E-mails a week/ }).click();
  const levelOf = (path: string) => overview.getByRole('combobox', { name: `Level of ${path}`, exact: true });
  await levelOf('harbor/tools/winch').selectOption('watch');
  for (const width of [320, 1200]) {
    await takeEditor(page, width, `notification-overview-${width}`);
  }
}

async function takeNoise(page: Page): Promise<void> {
  await runCommand(page, 'Beacon: Estimate Notification Noise…');
  const { content } = new NotificationForm(page);
  await content.locator('main[aria-busy=false]').waitFor();
  await content.getByRole('combobox', { name: 'Level of harbor/tide-table', exact: true }).selectOption('watch');
  await content.getByRole('combobox', { name: 'Level of harbor/tools/winch', exact: true }).selectOption('disabled');
  await content.getByRole('heading', { level: 1 }).click();
  for (const width of [320, 1200]) {
    await takeEditor(page, width, `notification-noise-${width}`);
  }
}

/** Takes a picture of the editor alone, so many pixels wide. */
async function takeEditor(page: Page, width: number, name: string): Promise<void> {
  const editor = page.locator('.part.editor');
  const [present, viewport] = [await editor.boundingBox(), page.viewportSize()];
  if (!present || !viewport) {
    throw new Error('There is no editor');
  }
  // What is beside the editor keeps its width.
  await page.setViewportSize({ width: viewport.width - present.width + width, height: 850 });
  await page.waitForFunction(`document.querySelector('.part.editor').getBoundingClientRect().width === ${width}`);
  await waitForNoToast(page);
  await page.mouse.move(0, 0);
  await editor.screenshot({ path: join(picturesFolder, `${name}.png`) });
}

/** Changes settings on the instance. */
async function changeSettings(sandbox: Sandbox, scope: string, settings: object): Promise<void> {
  await fetch(`${sandbox.url}/api/v4${scope}/notification_settings`, {
    method: 'PUT',
    headers: { 'PRIVATE-TOKEN': sandbox.tokens.owner, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
}
