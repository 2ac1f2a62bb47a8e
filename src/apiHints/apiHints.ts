import { yieldThread } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { ReportDocuments } from '../common/reportDocuments.ts';
import { languageOfPath } from '../workspace/languages.ts';
import { announcedChange, plainEntryOf } from './catalogue.ts';
import { checkWorkspace } from './checkWorkspace.ts';
import { type Finding, recognizeInSlices } from './recognize.ts';

/** How long the user has to pause, in milliseconds, before a changed document is read. */
const pause = 400;
/** Longer documents are data or generated. */
const maxLength = 1024 * 1024;
/** The editor shows no more in a document. */
const mostHints = 1000;
const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-notebook-cell'];
const section = 'beacon.apiHints';
const severities = new Map<unknown, vscode.DiagnosticSeverity>([
  ['error', vscode.DiagnosticSeverity.Error],
  ['warning', vscode.DiagnosticSeverity.Warning],
  ['hint', vscode.DiagnosticSeverity.Hint],
]);

/** Shows developers what API v5 is announced to change in the programs that they work on. Requests nothing. */
export class ApiHints implements vscode.Disposable {
  readonly #app: App;
  readonly #documents = new ReportDocuments('beacon-api-hints');
  readonly #diagnostics = vscode.languages.createDiagnosticCollection(section);
  /** What was found in documents as they are now. */
  readonly #findings = new Map<string, readonly Finding[]>();
  /** The newest update of each document, due or under way: an older one that ends later does not count. */
  readonly #updates = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable;

  constructor(app: App) {
    this.#app = app;
    const { workspace, languages } = vscode;
    this.#subscriptions = vscode.Disposable.from(
      this.#diagnostics,
      this.#documents,
      workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#schedule(document, pause);
        }
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        clearTimeout(this.#updates.get(uri.toString()));
        this.#updates.delete(uri.toString());
        this.#findings.delete(uri.toString());
        this.#diagnostics.delete(uri);
      }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path.endsWith('/.gitignore')) {
          this.#refresh();
        }
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.#refresh()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) {
          this.#refresh();
        }
      }),
      languages.registerCodeActionsProvider(
        schemes.map((scheme) => ({ scheme })),
        { provideCodeActions: (document, range, { diagnostics }) => this.#actions(document, range, diagnostics) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
    this.#refresh();
  }

  get commands(): CommandsOf<'apiHints'> {
    return {
      // A keybinding or task can give a glob pattern of the files to check.
      'beacon.apiHints.check': (include?: vscode.GlobPattern) => checkWorkspace(this.#app, this.#documents, include),
      'beacon.apiHints.toggle': async () => {
        const isOpen = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
        const target = isOpen ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
        await vscode.workspace.getConfiguration(section).update('enable', !isEnabled(undefined), target);
      },
    };
  }

  dispose(): void {
    this.#updates.forEach((update) => clearTimeout(update));
    this.#updates.clear();
    this.#subscriptions.dispose();
  }

  #refresh(): void {
    vscode.workspace.textDocuments.forEach((document) => this.#schedule(document, 0));
  }

  #schedule(document: vscode.TextDocument, delay: number): void {
    if (!schemes.includes(document.uri.scheme)) {
      return;
    }
    const key = document.uri.toString();
    clearTimeout(this.#updates.get(key));
    // What was found in the text of before points to places that are no longer there.
    this.#findings.delete(key);
    const update = setTimeout(() => {
      const isOutdated = (): boolean => this.#updates.get(key) !== update;
      this.#update(document, isOutdated).catch((error: Error) => this.#app.log.error(error));
    }, delay);
    this.#updates.set(key, update);
  }

  async #update(document: vscode.TextDocument, isOutdated: () => boolean): Promise<void> {
    const findings = await this.#find(document, isOutdated).catch((error: unknown) => {
      this.#app.log.warn(`No API v5 hints in a document of ${document.getText().length} characters: ${String(error)}`);
      return [];
    });
    if (isOutdated()) {
      return;
    }
    this.#findings.set(document.uri.toString(), findings);
    const severity = severities.get(vscode.workspace.getConfiguration(section, document.uri).get('severity'));
    const diagnostics = findings.map((finding) => {
      const message = vscode.l10n.t('API v5: {0}', plainEntryOf(finding.change, vscode.l10n.t));
      const range = rangeOf(document, finding);
      const diagnostic = new vscode.Diagnostic(range, message, severity ?? vscode.DiagnosticSeverity.Information);
      const { items, page } = announcedChange(finding.change);
      diagnostic.source = 'Beacon';
      diagnostic.code = { value: items.join(', '), target: vscode.Uri.parse(page, true) };
      diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
      return diagnostic;
    });
    this.#diagnostics.set(document.uri, diagnostics);
  }

  async #find(document: vscode.TextDocument, isOutdated: () => boolean): Promise<readonly Finding[]> {
    const text = document.getText();
    if (!vscode.workspace.isTrusted || !isEnabled(document.uri) || text.length > maxLength) {
      return [];
    }
    // Joining the lines of a large document takes a noticeable share of a frame.
    await yieldThread();
    const { languageId } = document;
    const source = {
      text,
      path: vscode.workspace.asRelativePath(document.uri),
      languageId: languageId === 'plaintext' ? languageOfPath(document.uri.path, text) : languageId,
    };
    const sure = ((await recognizeInSlices(source, isOutdated)) ?? []).filter(({ tier }) => tier === 'sure');
    // Git is asked last: for most documents not at all.
    return sure.length > 0 && (await this.#app.files.isIgnored(document.uri)) ? [] : sure.slice(0, mostHints);
  }

  /** The fixes that are mechanical and safe, and the way to be rid of the hints. */
  #actions(
    document: vscode.TextDocument,
    range: vscode.Range,
    diagnostics: readonly vscode.Diagnostic[],
  ): vscode.CodeAction[] {
    const { QuickFix } = vscode.CodeActionKind;
    const findings = this.#findings.get(document.uri.toString()) ?? [];
    return findings
      .filter((finding) => rangeOf(document, finding).intersection(range) !== undefined)
      .flatMap((finding) => {
        const own = diagnostics.filter(
          (one) => one.source === 'Beacon' && one.range.isEqual(rangeOf(document, finding)),
        );
        const turnOff = new vscode.CodeAction(vscode.l10n.t('Turn off API v5 hints in this workspace'), QuickFix);
        turnOff.command = { command: 'beacon.apiHints.toggle', title: turnOff.title };
        turnOff.diagnostics = own;
        if (!finding.fix) {
          return [turnOff];
        }
        const { to, edits } = finding.fix;
        const title =
          finding.change === 'runnerActive'
            ? vscode.l10n.t('Use “{0}”, the opposite of “{1}”', to, 'active')
            : vscode.l10n.t('Use “{0}”', to);
        const fix = new vscode.CodeAction(title, QuickFix);
        fix.edit = new vscode.WorkspaceEdit();
        fix.edit.set(
          document.uri,
          edits.map((edit) => vscode.TextEdit.replace(rangeOf(document, edit), edit.text)),
        );
        fix.diagnostics = own;
        fix.isPreferred = true;
        return [fix, turnOff];
      });
  }
}

/** Where a finding stands in its document. */
function rangeOf(document: vscode.TextDocument, { start, end }: { start: number; end: number }): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

function isEnabled(uri: vscode.Uri | undefined): boolean {
  return vscode.workspace.getConfiguration(section, uri).get<unknown>('enable') !== false;
}
