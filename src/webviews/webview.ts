import { randomText } from '#platform/bytes.ts';
import { readShipped } from '#platform/disk.ts';
import * as vscode from 'vscode';

/** What a webview runs. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** What a webview shows. */
interface Shell extends PageFiles {
  /** The title of the document, for screen readers. */
  readonly title: string;
  /** The message that the page would ask for first, so that it need not wait for it. */
  readonly state?: object;
}

/**
 * Reads what a webview runs.
 *
 * @param name of the page, as its script and style in `dist/webview/` are called.
 */
export async function readPageFiles(extensionUri: vscode.Uri, name: string): Promise<PageFiles> {
  const read = (file: string): Promise<string> =>
    readShipped(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file));
  const [script, style] = await Promise.all([read(`${name}.js`), read(`${name}.css`)]);
  return { script, style };
}

/** What a page of which a window has one at a time is made of. */
export interface SinglePageDeps<Page> {
  readonly extensionUri: vscode.Uri;
  /** See `readPageFiles`; with `beacon.` before it, it is the type by which the editor knows the page. */
  readonly name: string;
  /** Of the tab, and of the document for screen readers. */
  readonly title: string;
  /**
   * Makes the page of a panel, and fills it.
   *
   * @param fill fills the webview, see `Shell.state`.
   */
  readonly create: (panel: vscode.WebviewPanel, fill: (state?: object) => void) => Page;
}

/** A page of which a window has one at a time: opens it, and goes on with one that the editor restores. */
export class SinglePage<Page extends vscode.Disposable> implements vscode.Disposable {
  readonly #deps: SinglePageDeps<Page>;
  #shown: { readonly panel: vscode.WebviewPanel; readonly page: Page } | undefined;

  constructor(deps: SinglePageDeps<Page>) {
    this.#deps = deps;
  }

  /** The page, if it is open. */
  get page(): Page | undefined {
    return this.#shown?.page;
  }

  /** Brings the page into view; makes it if it is not open. */
  async open({ preserveFocus = false } = {}): Promise<Page> {
    const files = await this.#files;
    if (this.#shown) {
      this.#shown.panel.reveal(undefined, preserveFocus);
      return this.#shown.page;
    }
    const { name, title } = this.#deps;
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    return this.#take(vscode.window.createWebviewPanel(`beacon.${name}`, title, place), files);
  }

  /** Goes on with a panel that the editor restores. */
  async revive(panel: vscode.WebviewPanel): Promise<Page> {
    return this.#take(panel, await this.#files);
  }

  dispose(): void {
    this.page?.dispose();
  }

  get #files(): Promise<PageFiles> {
    return readPageFiles(this.#deps.extensionUri, this.#deps.name);
  }

  #take(panel: vscode.WebviewPanel, files: PageFiles): Page {
    const { extensionUri, title, create } = this.#deps;
    panel.title = title;
    panel.iconPath = tabIcon(extensionUri);
    const page = create(panel, (state) => fillWebview(panel.webview, { ...files, title, ...(state && { state }) }));
    this.#shown = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      if (this.page === page) {
        this.#shown = undefined;
      }
    });
    return page;
  }
}

/** The icon of a tab: the editor has no theme colour for it, so that one is for light and one for dark themes. */
export function tabIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const media = (file: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', file);
  return { light: media('beacon.svg'), dark: media('beacon-dark.svg') };
}

/**
 * Fills a webview with its script and style. They are inlined, which saves requests, and only they may run: nothing else
 * can load, and nothing can be sent anywhere.
 */
export function fillWebview(webview: vscode.Webview, shell: Shell): void {
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [] };
  const texts = { language: vscode.env.language, translations: vscode.l10n.bundle ?? {} };
  webview.html = pageOf(shell, texts, randomText(16, 'base64url'));
}

/**
 * The document of a webview.
 *
 * @param nonce what alone lets the script and the style of the page run.
 */
function pageOf(
  { script, style, title, state }: Shell,
  { language, translations }: { readonly language: string; readonly translations: object },
  nonce: string,
): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${escapeStyle(style)}</style>
</head>
<body>
<script type="application/json" id="translations">${escapeJson(translations)}</script>
<script type="application/json" id="state" data-page="${nonce}">${escapeJson(state ?? null)}</script>
<script nonce="${nonce}">${escapeScript(script)}</script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON in which nothing can end the script element that it stands in. */
function escapeJson(value: object | null): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** A script whose strings and patterns cannot end the element that it stands in, nor begin a comment there. */
function escapeScript(script: string): string {
  return script.replaceAll(/<(?=!--|\/?script)/gi, String.raw`\x3C`);
}

/** A style whose strings cannot end the element that it stands in. */
function escapeStyle(style: string): string {
  return style.replaceAll(/<(?=\/style)/gi, String.raw`\3C `);
}
