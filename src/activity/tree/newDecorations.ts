import * as vscode from 'vscode';

const scheme = 'beacon-new-event';

/** Marks new events as the editor marks changed files: by a dot at the end of the row and by colour. */
export class NewDecorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #registration = vscode.window.registerFileDecorationProvider(this);

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    return uri.scheme === scheme
      ? { badge: '●', tooltip: vscode.l10n.t('New'), color: new vscode.ThemeColor('notificationsInfoIcon.foreground') }
      : undefined;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** The address by which a row is marked as new. */
export function newEventUri(key: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${encodeURIComponent(key)}` });
}
