import * as vscode from 'vscode';

const scheme = 'beacon-readiness';

/** The last report on the readiness for v5, as a document that can only be read. */
export class ReadinessDocument implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;
  #report = '';

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => this.#report,
    });
  }

  /** Shows a report in the place of the one before. */
  async show(report: string): Promise<void> {
    this.#report = report;
    const uri = vscode.Uri.from({ scheme, path: `/${vscode.l10n.t('v5 Readiness')}.md` });
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
