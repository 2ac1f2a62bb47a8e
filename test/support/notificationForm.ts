import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { quickInput, runCommand } from './workbench.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const themes = [
  ['Dark Modern', 'vscode-dark'],
  ['Light Modern', 'vscode-light'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light High Contrast', 'vscode-high-contrast-light'],
] as const;

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

  /** What axe finds wrong in each kind of theme. Of a theme the page has colours alone: all other rules are tried once. */
  async violationsInAllThemes(): Promise<string[]> {
    const found = await this.violations();
    for (const [name, kind] of themes) {
      await this.useTheme(name, kind);
      found.push(...(await this.violations('color-contrast')).map((violation) => `${name}: ${violation}`));
    }
    return found;
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
