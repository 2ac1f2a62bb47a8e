import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** What a webview shows. */
export interface Shell {
  /** The script and the style of this name in `dist/webview/`. */
  readonly name: string;
  /** The title of the document, for screen readers. */
  readonly title: string;
}

/** The folder that webviews may load from, and nothing else. */
function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/**
 * Fills a webview with its script and style. Only these two may load, nothing may be sent anywhere, and there is no text
 * in the page but its title and the translations of the editor's language.
 */
export function fillWebview(webview: vscode.Webview, extensionUri: vscode.Uri, { name, title }: Shell): void {
  const root = webviewRoot(extensionUri);
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [root] };
  const nonce = randomBytes(16).toString('base64url');
  const [script, style] = ['js', 'css'].map((extension) =>
    webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.${extension}`)).toString(),
  );
  webview.html = `<!doctype html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" nonce="${nonce}" href="${escapeHtml(style ?? '')}">
</head>
<body>
<script type="application/json" id="translations">${escapeJson(vscode.l10n.bundle ?? {})}</script>
<script nonce="${nonce}" src="${escapeHtml(script ?? '')}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** JSON in which nothing can end the script element that it stands in. */
function escapeJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
