import { yieldThread } from '#platform/runtime.ts';
import * as vscode from 'vscode';
import { type Commands, loadOnce } from '../common/commands.ts';
import { ReportDocuments } from '../common/reportDocuments.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import type { Finding } from './recognize.ts';

export interface ApiChangesDeps {
  readonly files: WorkspaceFiles;
  readonly log: vscode.LogOutputChannel;
}

/** Shows developers what API v5 is announced to change in the programs that they work on. Requests nothing. */
export class ApiChanges implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable;
  /** Loads the commands whose ids begin with `beacon.apiHints.`. */
  readonly load: () => Promise<Commands>;

  constructor({ files, log }: ApiChangesDeps) {
    const hints = new Hints(files, log);
    const documents = new ReportDocuments('beacon-api-hints');
    this.#subscriptions = vscode.Disposable.from(hints, documents, provideHints(hints));
    const loadCheck = loadOnce(async () => {
      const { ReadinessCheck } = await import('./readinessCheck.ts');
      return new ReadinessCheck({ files, documents, log });
    });
    this.load = async () => ({
      ...(await loadCheck()).commands,
      'beacon.apiHints.toggle': () => toggleHints(),
    });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** How long the user has to pause, in milliseconds, before a changed document is read again. */
const pause = 400;
/** Longer documents are data or generated. */
const maxLength = 1024 * 1024;
/** The maximum number of steps for a document: several times what one of that length needs. */
const maxSteps = 30_000_000;
/** The editor shows no more in a document. */
const mostHints = 1000;
const schemes = ['file', 'untitled', 'vscode-remote', 'vscode-vfs', 'vscode-notebook-cell'];

/** The source of these diagnostics, by which quick fixes find theirs. */
const hintSource = 'Beacon';

/** API v5 hints in the open documents, as diagnostics. */
class Hints implements vscode.Disposable {
  readonly #files: WorkspaceFiles;
  readonly #log: vscode.LogOutputChannel;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('beacon.apiHints');
  readonly #findings = new Map<string, readonly Finding[]>();
  /** The newest update of each document, due or under way: an older one that ends later does not count. */
  readonly #updates = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(files: WorkspaceFiles, log: vscode.LogOutputChannel) {
    this.#files = files;
    this.#log = log;
    const { workspace } = vscode;
    this.#subscriptions = [
      this.#diagnostics,
      workspace.onDidOpenTextDocument((document) => this.#schedule(document, 0)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#schedule(document, pause);
        }
      }),
      workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      workspace.onDidSaveTextDocument((document) => {
        if (document.uri.path.endsWith('/.gitignore')) {
          this.#refresh();
        }
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.#refresh()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) {
          this.#refresh();
        }
      }),
    ];
    this.#refresh();
  }

  /** The findings of a document, as it is now, that a range touches. */
  findingsIn(document: vscode.TextDocument, range: vscode.Range): readonly Finding[] {
    const findings = this.#findings.get(keyOf(document)) ?? [];
    return findings.filter((finding) => rangeOf(document, finding).intersection(range) !== undefined);
  }

  dispose(): void {
    this.#updates.forEach((update) => clearTimeout(update));
    this.#updates.clear();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #refresh(): void {
    vscode.workspace.textDocuments.forEach((document) => this.#schedule(document, 0));
  }

  #schedule(document: vscode.TextDocument, delay: number): void {
    if (!schemes.includes(document.uri.scheme)) {
      return;
    }
    const key = keyOf(document);
    clearTimeout(this.#updates.get(key));
    // What was found in the text of before points to places that are no longer there.
    this.#findings.delete(key);
    const update = setTimeout(() => {
      const isOutdated = (): boolean => this.#updates.get(key) !== update;
      this.#update(document, isOutdated).catch((error: Error) => this.#log.error(error));
    }, delay);
    this.#updates.set(key, update);
  }

  #forget(document: vscode.TextDocument): void {
    const key = keyOf(document);
    clearTimeout(this.#updates.get(key));
    this.#updates.delete(key);
    this.#findings.delete(key);
    this.#diagnostics.delete(document.uri);
  }

  async #update(document: vscode.TextDocument, isOutdated: () => boolean): Promise<void> {
    const findings = await this.#find(document, isOutdated).catch((error: unknown) => {
      this.#log.warn(`No API v5 hints in a document of ${document.getText().length} characters: ${String(error)}`);
      return [];
    });
    const { diagnosticOf } = await import('./hintLabels.ts');
    if (isOutdated()) {
      return;
    }
    const { severity } = settingsOf(document.uri);
    this.#findings.set(keyOf(document), findings);
    this.#diagnostics.set(
      document.uri,
      findings.map((finding) => {
        const diagnostic = diagnosticOf(finding.change, rangeOf(document, finding), severity);
        diagnostic.source = hintSource;
        return diagnostic;
      }),
    );
  }

  async #find(document: vscode.TextDocument, isOutdated: () => boolean): Promise<readonly Finding[]> {
    if (!vscode.workspace.isTrusted || !settingsOf(document.uri).enabled) {
      return [];
    }
    const { languageId } = document;
    const text = document.getText();
    if (text.length > maxLength) {
      return [];
    }
    // Joining the lines of a large document takes a noticeable share of a frame.
    await yieldThread();
    const { languageOfPath } = await import('../workspace/languages.ts');
    const { recognizeInSlices } = await import('./recognize.ts');
    const source = {
      text,
      path: vscode.workspace.asRelativePath(document.uri),
      languageId: languageId === 'plaintext' ? languageOfPath(document.uri.path, text) : languageId,
    };
    const findings = (await recognizeInSlices(source, maxSteps, isOutdated)).filter(({ tier }) => tier !== 'possible');
    // Git is asked last: for most documents not at all.
    return findings.length > 0 && (await this.#files.isIgnored(document.uri)) ? [] : findings.slice(0, mostHints);
  }
}

function keyOf(document: vscode.TextDocument): string {
  return document.uri.toString();
}

/** Where a finding stands in its document. */
function rangeOf(document: vscode.TextDocument, { start, end }: Pick<Finding, 'start' | 'end'>): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Shows the catalogue's entry on a hint, and offers the fixes that are mechanical and safe. */
function provideHints(hints: Hints): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerHoverProvider(
      schemes.map((scheme) => ({ scheme })),
      {
        async provideHover(document, position) {
          const [finding] = hints.findingsIn(document, new vscode.Range(position, position));
          if (!finding) {
            return undefined;
          }
          const range = rangeOf(document, finding);
          const { hoverOf } = await import('./hintLabels.ts');
          return new vscode.Hover(hoverOf(finding.change, finding.tier), range);
        },
      },
    ),
    vscode.languages.registerCodeActionsProvider(
      schemes.map((scheme) => ({ scheme })),
      {
        provideCodeActions: (document, range, context) =>
          hints.findingsIn(document, range).flatMap((finding) => actionsFor(document, finding, context)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

function actionsFor(
  document: vscode.TextDocument,
  finding: Finding,
  { diagnostics }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const own = diagnostics.filter(
    ({ source, range }) => source === hintSource && range.isEqual(rangeOf(document, finding)),
  );
  const turnOff = new vscode.CodeAction(
    vscode.l10n.t('Turn off API v5 hints in this workspace'),
    vscode.CodeActionKind.QuickFix,
  );
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
  const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  fix.edit = new vscode.WorkspaceEdit();
  fix.edit.set(
    document.uri,
    edits.map((edit) => vscode.TextEdit.replace(rangeOf(document, edit), edit.text)),
  );
  fix.diagnostics = own;
  fix.isPreferred = finding.tier === 'certain';
  return [fix, turnOff];
}

const section = 'beacon.apiHints';
const severities = new Map(
  Object.entries<vscode.DiagnosticSeverity>({
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    information: vscode.DiagnosticSeverity.Information,
    hint: vscode.DiagnosticSeverity.Hint,
  }),
);

/** The settings as they hold for a file. */
function settingsOf(uri: vscode.Uri | undefined): {
  readonly enabled: boolean;
  readonly severity: vscode.DiagnosticSeverity;
} {
  const settings = vscode.workspace.getConfiguration(section, uri);
  const severity = settings.get<unknown>('severity');
  return {
    enabled: settings.get<unknown>('enable') !== false,
    severity: severities.get(typeof severity === 'string' ? severity : '') ?? vscode.DiagnosticSeverity.Information,
  };
}

/** Turns the hints on or off, in this workspace where there is one. */
async function toggleHints(): Promise<void> {
  const isOpen = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  const target = isOpen ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await vscode.workspace.getConfiguration(section).update('enable', !settingsOf(undefined).enabled, target);
}
