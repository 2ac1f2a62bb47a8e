import type { Frame, FrameLocator, Page } from 'playwright-core';
import { violationsIn } from './axe.ts';
import { runCommand } from './workbench.ts';

const themes = [
  ['Dark Modern', 'vscode-dark', 'dark'],
  ['Light Modern', 'vscode-light', 'light'],
  ['Dark High Contrast', 'vscode-high-contrast', 'dark'],
  ['Light High Contrast', 'vscode-high-contrast-light', 'light'],
] as const;

/** The webview that is in front, as a user sees it. */
export class WebviewPage {
  readonly page: Page;
  readonly content: FrameLocator;

  constructor(page: Page) {
    this.page = page;
    this.content = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  /** Makes the window so wide that the editors have a width, in pixels. */
  async setEditorWidth(width: number): Promise<void> {
    const box = await this.page.locator('.part.editor').boundingBox();
    const { width: whole = 0, height = 800 } = this.page.viewportSize() ?? {};
    await this.page.setViewportSize({ width: whole - Math.round(box?.width ?? 0) + width, height });
    await this.page.waitForFunction(
      `Math.round(document.querySelector('.part.editor').getBoundingClientRect().width) === ${width}`,
    );
  }

  /** Changes the colour theme, as a user would, and waits until the page has it. */
  async useTheme(name: string, kind: string): Promise<void> {
    await runCommand(this.page, 'Preferences: Color Theme');
    const field = this.page.getByPlaceholder('Select Color Theme');
    await field.fill(name);
    await this.page.getByRole('option', { name, exact: false }).first().waitFor();
    await field.press('Enter');
    await this.content.locator(`body[data-vscode-theme-kind=${kind}]`).waitFor();
  }

  /**
   * What axe finds wrong in each kind of theme, and where controls of the browser are not those of the theme. Of a theme the page has
   * colours alone: all other rules are tried once.
   */
  async violationsInAllThemes(): Promise<string[]> {
    const found = await this.violations();
    for (const [name, kind, scheme] of themes) {
      await this.useTheme(name, kind);
      found.push(...(await this.violations('color-contrast')).map((violation) => `${name}: ${violation}`));
      const drawn = String(
        await (await this.#frame()).evaluate('getComputedStyle(document.documentElement).colorScheme'),
      );
      found.push(...(drawn === scheme ? [] : [`${name}: controls of the browser are ${drawn}`]));
    }
    return found;
  }

  /** What axe finds wrong with the page. @param rules all of them by default. */
  async violations(...rules: readonly string[]): Promise<string[]> {
    return await violationsIn(await this.#frame(), rules);
  }

  async #frame(): Promise<Frame> {
    const body = await this.content.locator('body').elementHandle();
    const frame = await body?.ownerFrame();
    if (!frame) {
      throw new Error('There is no webview');
    }
    return frame;
  }
}
