import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The form in its webview, as a person sees it. */
export class NotificationForm {
  readonly page: Page;
  readonly content: FrameLocator;

  constructor(page: Page) {
    this.page = page;
    this.content = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Waits until it shows the settings of a scope. */
  async shows(path: string): Promise<void> {
    await this.content.getByRole('heading', { level: 2, name: path }).waitFor();
    await this.content.getByRole('group', { name: 'Level' }).waitFor();
    await this.content.locator('main[aria-busy=false]').waitFor();
  }

  level(name: string): Locator {
    return this.content.getByRole('radio', { name: new RegExp(`^${name}\\b`) });
  }

  /** One of `on`, `off`, `default`, `unknown` of an event. */
  event(name: string, flag: string): Locator {
    return this.content.getByRole('radiogroup', { name, exact: true }).getByRole('radio', { name: flag, exact: true });
  }

  button(name: string): Locator {
    return this.content.getByRole('button', { name, exact: true });
  }

  text(text: string | RegExp): Locator {
    return this.content.getByText(text);
  }
}
