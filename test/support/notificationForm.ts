import type { Locator } from 'playwright-core';
import { WebviewPage } from './webviewPage.ts';
import { runCommand } from './workbench.ts';

/** The page of notification settings in its webview, as a user sees it. */
export class NotificationForm extends WebviewPage {
  /** Waits until its form shows the settings of a scope. */
  async shows(title: string): Promise<void> {
    await this.content.getByRole('heading', { level: 2, name: title }).waitFor();
    await this.content.getByRole('group', { name: 'Level' }).waitFor();
  }

  /** Opens it, and in it the form of a scope that is listed. */
  async open(path?: string): Promise<void> {
    await runCommand(this.page, 'Beacon: Notification Settings…');
    await this.shows('Global settings');
    if (path !== undefined) {
      await this.content.getByRole('rowheader').getByRole('button', { name: path, exact: true }).click();
      await this.shows(path);
    }
  }

  level(name: string): Locator {
    return this.content.getByRole('radio', { name: new RegExp(`^${name}\\b`) });
  }

  /** Waits until reading and saving are over. */
  async rests(): Promise<void> {
    await this.content.locator('main[aria-busy=false]').waitFor();
  }

  button(name: string): Locator {
    return this.content.getByRole('button', { name, exact: true });
  }

  /** What is announced to a screen reader: politely (`status`) or at once (`alert`). */
  spoken(role: 'status' | 'alert', sentence: string): Locator {
    return this.content.locator(`[role=${role}]`).filter({ hasText: sentence });
  }
}
