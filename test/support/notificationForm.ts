import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { quickInput, runCommand } from './workbench.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The form in its webview, as a user sees it. */
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

  /** Opens the form, and in it a group or project that is searched for. */
  async open(scope?: { readonly kind: 'group' | 'project'; readonly path: string }): Promise<void> {
    await runCommand(this.page, 'Beacon: Open Notification Settings');
    if (!scope) {
      await this.shows('Global');
      return;
    }
    await this.button('Change Scope…').click();
    await quickInput(this.page).field.fill(scope.path);
    await this.page
      .getByRole('option', { name: new RegExp(`^(Project |Group )?${scope.path}(?![\\w/-])`) })
      .first()
      .click();
    await this.shows(scope.path);
  }

  /** Changes the colour theme, as a user would, and waits until the form has it. */
  async useTheme(name: string, kind: string): Promise<void> {
    await runCommand(this.page, 'Preferences: Color Theme');
    await quickInput(this.page).field.fill(name);
    await this.page.getByRole('option', { name, exact: false }).first().waitFor();
    await quickInput(this.page).field.press('Enter');
    await this.content.locator(`body[data-vscode-theme-kind=${kind}]`).waitFor();
  }

  /**
   * What axe finds wrong with the page: the rule and what breaks it.
   *
   * @param rules those that are looked at; all of them by default.
   */
  async violations(...rules: readonly string[]): Promise<string[]> {
    const body = await this.content.locator('body').elementHandle();
    const frame = await body?.ownerFrame();
    if (!frame) {
      throw new Error('There is no form');
    }
    await frame.evaluate(await readFile(axeFile, 'utf8'));
    const { violations } = (await frame.evaluate(
      `axe.run(${rules.length > 0 ? JSON.stringify({ runOnly: rules }) : ''})`,
    )) as AxeResults;
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
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

  /** What is announced to a screen reader: politely (`status`) or at once (`alert`). */
  spoken(role: 'status' | 'alert', sentence: string): Locator {
    return this.content.locator(`[role=${role}]`).filter({ hasText: sentence });
  }

  text(text: string | RegExp): Locator {
    return this.content.getByText(text);
  }
}
