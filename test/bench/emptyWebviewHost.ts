import * as vscode from 'vscode';

/** Opens what any extension can show at least: a webview with one word, and a script that reports when it is shown. */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  subscriptions.push(
    vscode.commands.registerCommand('emptyWebview.open', () => {
      const { webview } = vscode.window.createWebviewPanel('emptyWebview', 'Empty', vscode.ViewColumn.Active);
      webview.options = { enableScripts: true };
      webview.html = '<!doctype html><h1>Empty</h1><script>performance.mark("settings shown")</script>';
    }),
  );
}
