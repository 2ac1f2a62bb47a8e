import { join } from 'node:path';
import { NotificationForm } from '../../test/support/notificationForm.ts';
import { runCommand, takeFound } from '../../test/support/workbench.ts';
import { onStage, picturesFolder, waitForNoToast } from './stage.ts';

const looks = [
  { name: 'light', theme: 'Light Modern', kind: 'vscode-light', width: 1100 },
  { name: 'narrow', theme: 'Light Modern', kind: 'vscode-light', width: 320 },
  { name: 'dark', theme: 'Dark Modern', kind: 'vscode-dark', width: 1100 },
  { name: 'high-contrast', theme: 'Dark High Contrast', kind: 'vscode-high-contrast', width: 1100 },
] as const;

/** Activity insights of three months, with one person chosen. */
export async function takeInsightsPictures(): Promise<void> {
  await onStage('Default Light Modern', async ({ page }) => {
    await runCommand(page, 'Beacon: Select Feed…');
    await takeFound(page, 'All My Projects');
    await runCommand(page, 'Beacon: Show Activity Insights');
    const insights = new NotificationForm(page);
    const { content } = insights;
    await content.getByLabel('Period:').selectOption('90');
    await content.locator('main[aria-busy=false]').waitFor();
    await content.getByRole('option', { name: /^marta: / }).click();
    await content.getByText('Filter of the feed: by @marta').waitFor();
    await runCommand(page, 'View: Toggle Primary Side Bar Visibility');
    await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
    for (const { name, theme, kind, width } of looks) {
      await insights.useTheme(theme, kind);
      const editor = page.locator('.part.editor');
      const [present, viewport] = [await editor.boundingBox(), page.viewportSize()];
      await page.setViewportSize({ width: (viewport?.width ?? 0) - (present?.width ?? 0) + width, height: 1000 });
      await page.waitForFunction(`document.querySelector('.part.editor').getBoundingClientRect().width === ${width}`);
      await waitForNoToast(page);
      await page.mouse.move(0, 0);
      await content.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
      await content.locator('.tip').waitFor({ state: 'detached' });
      await editor.screenshot({ path: join(picturesFolder, `insights-${name}.png`) });
    }
  });
}
