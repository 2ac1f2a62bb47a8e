import type { FrameLocator, Page } from 'playwright-core';
import { violationsIn } from './axe.ts';
import { runCommand } from './workbench.ts';

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

  /** What axe finds wrong with the page. */
  async violations(): Promise<string[]> {
    const body = await this.content.locator('body').elementHandle();
    const frame = await body?.ownerFrame();
    if (!frame) {
      throw new Error('There is no webview');
    }
    return await violationsIn(frame);
  }
}
