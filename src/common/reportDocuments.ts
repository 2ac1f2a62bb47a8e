import * as vscode from 'vscode';

/** The editor's own preview of Markdown. */
const previewEditor = { extension: 'vscode.markdown-language-features', viewType: 'vscode.markdown.preview.editor' };

/** Read-only Markdown documents. */
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
    const document = await vscode.workspace.openTextDocument(this.#keep(name, markdown));
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Shows a document as the editor renders it; as its text where the editor's preview is disabled. */
  async showRendered(name: string, markdown: string): Promise<void> {
    if (vscode.extensions.getExtension(previewEditor.extension)) {
      const uri = this.#keep(name, markdown);
      await vscode.commands.executeCommand('vscode.openWith', uri, previewEditor.viewType, { preview: false });
    } else {
      await this.show(name, markdown);
    }
  }

  #keep(name: string, markdown: string): vscode.Uri {
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
