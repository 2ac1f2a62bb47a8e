import * as vscode from 'vscode';

export class ReportDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #scheme: string;
  readonly #registration: vscode.Disposable;

  /** @param scheme of the documents' URIs, used by nothing else. */
  constructor(scheme: string) {
    this.#scheme = scheme;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: ({ path }) => this.#texts.get(path) ?? '',
    });
  }

  /** Shows a document; one of the same name takes the place of the one before. */
  async show(name: string, markdown: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.keep(name, markdown));
    await vscode.window.showTextDocument(document, { preview: false });
  }

  keep(name: string, markdown: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name.replaceAll('/', '-')}.md` });
    this.#texts.set(uri.path, markdown);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
