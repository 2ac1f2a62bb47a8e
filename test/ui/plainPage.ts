import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { projectRoot } from '../../scripts/project.ts';
import { violationsIn } from '../support/axe.ts';
import type { TestWindow } from '../support/testWindow.ts';

/** What the editor gives webviews in its default themes: the classes of the body, and variables for styles. */
const themes = JSON.parse(readFileSync(join(import.meta.dirname, 'themes.json'), 'utf8')) as Readonly<
  Record<
    string,
    { readonly classes: string; readonly scheme: string; readonly variables: Readonly<Record<string, string>> }
  >
>;
export const themeKinds = Object.keys(themes);

/** The page of a webview as it is built, in a browser without an editor around it, joined with its host in a window. */
export class PlainPage {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /**
   * @param context that bypasses the page's CSP, as script and style are added to it.
   * @param name of the page.
   * @param ready what there is in it when it shows what it has to show.
   */
  static async open(
    context: BrowserContext,
    window: TestWindow,
    name: string,
    ready = 'main[aria-busy=false]',
  ): Promise<PlainPage> {
    const panel = await window.panel(`beacon.${name}`);
    const page = await context.newPage();
    await page.exposeFunction('sendToHost', (message: unknown) => panel.received.fire(message));
    await page.setContent(panel.webview.html);
    // The window has no script whose texts could be found.
    const language = String(await page.evaluate('document.documentElement.lang'));
    const bundle = join(import.meta.dirname, '..', '..', 'l10n', `bundle.l10n.${language}.json`);
    const texts = language === 'en' ? '{}' : readFileSync(bundle, 'utf8');
    await page.evaluate(`document.getElementById('translations').textContent = ${JSON.stringify(texts)}`);
    const post = panel.webview.postMessage;
    panel.webview.postMessage = async (message) => {
      const isSent = await post(message);
      await page.evaluate(`postMessage(${JSON.stringify(message)}, '*')`).catch(() => undefined);
      return isSent;
    };
    await page.evaluate(
      'acquireVsCodeApi = () => ({ postMessage: sendToHost, getState: () => undefined, setState: () => undefined })',
    );
    const built = join(projectRoot, 'dist', 'webview');
    const plain = new PlainPage(page);
    await plain.useTheme('vscode-dark');
    // As the editor's own sheet has it.
    await page.addStyleTag({ content: 'p > a { text-decoration: none; }' });
    await page.addStyleTag({ path: join(built, `${name}.css`) });
    await page.addScriptTag({ path: join(built, `${name}.js`) });
    await page.locator(ready).waitFor();
    return plain;
  }

  /** @returns the colour scheme that controls of the browser are to have. */
  async useTheme(kind: string): Promise<string> {
    const { classes, scheme, variables } = themes[kind] ?? { classes: '', scheme: '', variables: {} };
    const style = Object.entries(variables).map(([variable, value]) => `${variable}: ${value}`);
    await this.page.evaluate(`
      document.documentElement.setAttribute('style', ${JSON.stringify(style.join('; '))});
      document.body.setAttribute('class', ${JSON.stringify(classes)});
    `);
    return scheme;
  }

  /** What axe finds wrong with the page. @param rules all of them by default. */
  async violations(...rules: readonly string[]): Promise<string[]> {
    return await violationsIn(this.page, rules);
  }

  /** The links that are told from the text around them by their colour alone. */
  async linksByColour(): Promise<string[]> {
    return await this.page.evaluate<string[]>(`
      [...document.querySelectorAll('a, p button.link')]
        .filter((one) => !getComputedStyle(one).textDecorationLine.includes('underline'))
        .map((one) => one.outerHTML.slice(0, 200))
    `);
  }

  /** What is wider than the window, or than what it stands in: it would be cut. */
  async cut(): Promise<string[]> {
    return await this.page.evaluate<string[]>(`
      [document.documentElement, ...document.querySelectorAll('button, label, h1, h2, h3, p, legend, th, td, select, li')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1 && !one.closest('.spoken, thead, summary'))
        .map((one) => one.outerHTML.slice(0, 200))
    `);
  }
}
