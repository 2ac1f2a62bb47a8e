import { randomText } from '../common/bytes.ts';
import * as vscode from 'vscode';
import type * as z from 'zod/mini';

interface Shell {
  readonly script: string;
  readonly style: string;
  readonly title: string;
  /** The message that the page would ask for first: it need not wait for it. */
  readonly state?: object;
}

/** A page as the code behind it has it. */
export interface Shown<Outgoing> {
  readonly panel: vscode.WebviewPanel;
  /** Loads its document. @param state the message that it would ask for first. */
  readonly fill: (state?: Outgoing) => void;
  /** Sends a message. A webview that is hidden does not get it: it asks again when it is shown. */
  readonly post: (message: Outgoing) => void;
}

interface Receiver<Incoming> extends vscode.Disposable {
  receive(message: Incoming): Promise<void>;
}

interface Kind<Page, Incoming, Outgoing> {
  readonly extensionUri: vscode.Uri;
  /** As its script and style in `dist/webview/` are called; with `beacon.` before it, the type by which the editor knows the page. */
  readonly name: string;
  readonly title: string;
  /** Of the messages that it sends: others reach nobody. */
  readonly schema: () => z.ZodMiniType<Incoming>;
  readonly create: (shown: Shown<Outgoing>) => Page;
  /** Gets what receiving a message throws, and is called for messages of another form. */
  readonly onError: (error: unknown) => void;
}

/** A page of which a window has one at a time: opens it, and goes on with one that the editor restores. */
export class SinglePage<Page extends Receiver<Incoming>, Incoming, Outgoing extends object> {
  readonly #kind: Kind<Page, Incoming, Outgoing>;
  #shown: { readonly panel: vscode.WebviewPanel; readonly page: Page } | undefined;

  constructor(kind: Kind<Page, Incoming, Outgoing>) {
    this.#kind = kind;
  }

  get page(): Page | undefined {
    return this.#shown?.page;
  }

  async open({ preserveFocus = false } = {}): Promise<Page> {
    const files = await this.#files();
    if (this.#shown) {
      this.#shown.panel.reveal(undefined, preserveFocus);
      return this.#shown.page;
    }
    const { name, title } = this.#kind;
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    return this.#take(vscode.window.createWebviewPanel(`beacon.${name}`, title, place), files);
  }

  async revive(panel: vscode.WebviewPanel): Promise<Page> {
    return this.#take(panel, await this.#files());
  }

  dispose(): void {
    this.page?.dispose();
  }

  async #files(): Promise<Pick<Shell, 'script' | 'style'>> {
    const { extensionUri, name } = this.#kind;
    const read = async (file: string): Promise<string> => {
      const uri = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    };
    const [script, style] = await Promise.all([read(`${name}.js`), read(`${name}.css`)]);
    return { script, style };
  }

  #take(panel: vscode.WebviewPanel, files: Pick<Shell, 'script' | 'style'>): Page {
    const { extensionUri, title, create, onError } = this.#kind;
    const schema = this.#kind.schema();
    const { webview } = panel;
    const icon = (file: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', file);
    panel.title = title;
    panel.iconPath = { light: icon('beacon.svg'), dark: icon('beacon-dark.svg') };
    const page = create({
      panel,
      fill: (state) => fillWebview(webview, { ...files, title, ...(state && { state }) }),
      post: (message) => void webview.postMessage(message),
    });
    webview.onDidReceiveMessage((value: unknown) => {
      const { success, data } = schema.safeParse(value);
      if (success) {
        page.receive(data).catch(onError);
      } else {
        onError(new TypeError('A webview sent a message of unknown form'));
      }
    });
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

/**
 * Fills a webview with its script and style. They are inlined, which saves requests, and only they may run: nothing else
 * can load, and nothing can be sent anywhere.
 */
export function fillWebview(webview: vscode.Webview, { script, style, title, state }: Shell): void {
  const nonce = randomText(16, 'base64url');
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [] };
  webview.html = `<!doctype html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${escapeStyle(style)}</style>
</head>
<body>
<script type="application/json" id="translations">${escapeJson(translationsOf(script))}</script>
<script type="application/json" id="state" data-page="${nonce}">${escapeJson(state ?? null)}</script>
<script nonce="${nonce}">${escapeScript(script)}</script>
</body>
</html>`;
}

/** The translations of the texts that stand in a script, as the bundler has written them: those of all the extension are five times as long as a page. */
function translationsOf(script: string): object {
  const code = script.replaceAll(/\\(?:u([\da-f]{4})|x([\da-f]{2}))/gi, (_, long?: string, short?: string) =>
    String.fromCharCode(Number.parseInt(long ?? short ?? '', 16)),
  );
  return Object.fromEntries(Object.entries(vscode.l10n.bundle ?? {}).filter(([text]) => code.includes(text)));
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

function escapeStyle(style: string): string {
  return style.replaceAll(/<(?=\/style)/gi, String.raw`\3C `);
}
