import type { Locator } from 'playwright-core';
import { WebviewPage } from './webviewPage.ts';
import { runCommand, takeFound } from './workbench.ts';

/** The form in its webview, as a user sees it. */
export class NotificationForm extends WebviewPage {
  /** Waits until it shows the settings of a scope. */
  async shows(path: string): Promise<void> {
    await this.content.getByRole('heading', { level: 2, name: path }).waitFor();
    await this.content.getByRole('group', { name: 'Level' }).waitFor();
    await this.content.locator('main[aria-busy=false]').waitFor();
  }

  /** Opens the form, and in it a group or project that is searched for. */
  async open(scope?: { readonly kind: 'group' | 'project'; readonly path: string }): Promise<void> {
    await runCommand(this.page, 'Beacon: Open Global Notification Settings');
    if (!scope) {
      await this.shows('Global');
      return;
    }
    await this.button('Change Scope…').click();
    await takeFound(this.page, scope.path);
    await this.shows(scope.path);
  }

  level(name: string): Locator {
    return this.content.getByRole('radio', { name: new RegExp(`^${name}\\b`) });
  }

  /** One of the positions of the switch of an event. */
  event(name: string, flag: 'on' | 'off'): Locator {
    return this.content.getByRole('radiogroup', { name, exact: true }).getByRole('radio', { name: flag, exact: true });
  }

  /** The switch of an event that is neither on nor off, with what is noted beside it. */
  unsetEvent(name: string, note: 'default' | 'unknown'): Locator {
    const isUnset = { has: this.page.getByText(note, { exact: true }), hasNot: this.page.locator(':checked') };
    return this.content.locator('.event').filter({ hasText: name }).filter(isUnset);
  }

  button(name: string): Locator {
    return this.content.getByRole('button', { name, exact: true });
  }

  /** What is announced to a screen reader: politely (`status`) or at once (`alert`). */
  spoken(role: 'status' | 'alert', sentence: string): Locator {
    return this.content.locator(`[role=${role}]`).filter({ hasText: sentence });
  }

  text(text: string | RegExp): Locator {
    return this.content.getByText(text);
  }
}
