import { isIgnored } from '#platform/git.ts';
import { yieldThread } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import type { App } from '../app.ts';
import type { CommandsOf } from '../common/commands.ts';
import { ReportDocuments } from '../common/reportDocuments.ts';
import { DocumentProblems, documentSchemes } from '../workspace/documentProblems.ts';
import { languageOfPath } from '../workspace/languages.ts';
import { checkWorkspace } from './checkWorkspace.ts';
import type { Finding } from './recognize.ts';

/** The editor shows no more in a document. */
const mostHints = 1000;
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
  readonly #problems: DocumentProblems;
  /** What was found in a version of a document. */
  readonly #found = new WeakMap<vscode.TextDocument, { readonly version: number; readonly findings: Finding[] }>();
  readonly #subscriptions: vscode.Disposable;

  constructor(app: App) {
    this.#app = app;
    this.#problems = new DocumentProblems(section, (document, isOutdated) => this.#find(document, isOutdated), app.log);
    this.#subscriptions = vscode.Disposable.from(
      this.#problems,
      this.#documents,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) {
          this.#problems.refresh();
        }
      }),
      vscode.languages.registerCodeActionsProvider(
        documentSchemes.map((scheme) => ({ scheme })),
        { provideCodeActions: (document, range, { diagnostics }) => this.#actions(document, range, diagnostics) },
        { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
      ),
    );
  }

  get commands(): CommandsOf<'apiHints'> {
    return {
      'beacon.apiHints.check': () => checkWorkspace(this.#app, this.#documents),
      'beacon.apiHints.toggle': async () => {
        const isOpen = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
        const target = isOpen ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
        await vscode.workspace.getConfiguration(section).update('enable', !isEnabled(undefined), target);
      },
    };
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #find(document: vscode.TextDocument, isOutdated: () => boolean): Promise<readonly vscode.Diagnostic[]> {
    const { uri, languageId, version } = document;
    if (!isEnabled(uri)) {
      return [];
    }
    const text = document.getText();
    // Joining the lines of a large document takes a noticeable share of a frame.
    await yieldThread();
    const path = vscode.workspace.asRelativePath(uri);
    const language = languageId === 'plaintext' ? languageOfPath(uri.path, text) : languageId;
    const { announcedChange, plainEntryOf, recognizeInSlices } = await import('./recognize.ts');
    const all = await recognizeInSlices({ text, path, languageId: language }, isOutdated).catch((error: Error) => {
      this.#app.log.warn(`No API v5 hints in a document of ${text.length} characters: ${String(error)}`);
      return [];
    });
    const findings = (all ?? []).filter(({ tier }) => tier === 'sure').slice(0, mostHints);
    // Git is asked last: for most documents not at all.
    if (findings.length === 0 || (await isIgnored(uri))) {
      return [];
    }
    this.#found.set(document, { version, findings });
    const severity = severities.get(vscode.workspace.getConfiguration(section, uri).get('severity'));
    return findings.map((finding) => {
      const message = vscode.l10n.t('API v5: {0}', plainEntryOf(finding.change, vscode.l10n.t));
      const range = rangeOf(document, finding);
      const diagnostic = new vscode.Diagnostic(range, message, severity ?? vscode.DiagnosticSeverity.Information);
      const { items, page } = announcedChange(finding.change);
      diagnostic.source = 'Beacon';
      diagnostic.code = { value: items.join(', '), target: vscode.Uri.parse(page, true) };
      diagnostic.tags = [vscode.DiagnosticTag.Deprecated];
      return diagnostic;
    });
  }

  /** The fixes that are mechanical and safe, and the way to be rid of the hints. */
  #actions(document: vscode.TextDocument, at: vscode.Range, all: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
    const { QuickFix } = vscode.CodeActionKind;
    const found = this.#found.get(document);
    const findings = found?.version === document.version ? found.findings : [];
    return findings
      .map((finding) => ({ finding, range: rangeOf(document, finding) }))
      .filter(({ range }) => range.intersection(at) !== undefined)
      .flatMap(({ finding: { fix, change }, range }) => {
        const diagnostics = all.filter((one) => one.source === 'Beacon' && one.range.isEqual(range));
        const turnOff = new vscode.CodeAction(vscode.l10n.t('Turn off API v5 hints in this workspace'), QuickFix);
        turnOff.command = { command: 'beacon.apiHints.toggle', title: turnOff.title };
        turnOff.diagnostics = diagnostics;
        if (!fix) {
          return [turnOff];
        }
        const title =
          change === 'runnerActive'
            ? vscode.l10n.t('Use “{0}”, the opposite of “{1}”', fix.to, 'active')
            : vscode.l10n.t('Use “{0}”', fix.to);
        const replace = new vscode.CodeAction(title, QuickFix);
        replace.edit = new vscode.WorkspaceEdit();
        replace.edit.set(
          document.uri,
          fix.edits.map((edit) => vscode.TextEdit.replace(rangeOf(document, edit), edit.text)),
        );
        replace.diagnostics = diagnostics;
        replace.isPreferred = true;
        return [replace, turnOff];
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
