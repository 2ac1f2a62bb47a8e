import * as vscode from 'vscode';
import type { Commands } from '../common/commands.ts';
import { showInformationMessage, withProgress } from '../common/inertWindow.ts';
import type { ReportDocuments } from '../common/reportDocuments.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import { languageOfPath } from '../workspace/languages.ts';
import { syntaxOf } from './languages.ts';
import { type ReportedPlace, placesOf, type Readiness, readinessReport, type SkippedFile } from './readinessReport.ts';
import { isGenerated, isRelevant, recognizeInSlices } from './recognize.ts';
import { OverBudgetError } from './tokenizer.ts';

export interface ReadinessCheckDeps {
  readonly files: WorkspaceFiles;
  readonly documents: ReportDocuments;
  readonly log: vscode.LogOutputChannel;
}

/** The maximum number of steps for a file: several times what the largest file needs. */
const maxSteps = 30_000_000;
/** The command "Check Workspace for API v5 Hints". */
export class ReadinessCheck {
  readonly #deps: ReadinessCheckDeps;
  readonly commands = {
    // A keybinding or task can give a glob pattern of the files to check.
    'beacon.apiHints.check': (include?: vscode.GlobPattern) => this.run(include),
  } satisfies Commands;

  constructor(deps: ReadinessCheckDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the files of the workspace, with cancellable progress, and shows the report.
   *
   * @param include which files; all by default.
   */
  async run(include?: vscode.GlobPattern): Promise<void> {
    const readiness = await this.#check(include);
    if (!readiness) {
      return;
    }
    const report = readinessReport(readiness, vscode.l10n.t, vscode.env.language);
    if (readiness.places.length > 0) {
      await this.#show(report);
      return;
    }
    const sentence = vscode.l10n.t(
      'Nothing was found in saved files that v5 will change. Files checked: {0}. Files skipped: {1}.',
      format(readiness.files),
      format(readiness.skipped.length),
    );
    const details = vscode.l10n.t('What Was Looked For');
    // Not waited for: the command is done while the notification stays.
    void showInformationMessage(sentence, details).then(async (choice) =>
      choice === details ? await this.#show(report) : undefined,
    );
  }

  /** Undefined if it was cancelled, or there is nothing to check. */
  async #check(include?: vscode.GlobPattern): Promise<Readiness | undefined> {
    if (!vscode.workspace.workspaceFolders?.length) {
      await showNoFolder();
      return undefined;
    }
    if (!vscode.workspace.isTrusted) {
      const sentence = vscode.l10n.t('Files are checked in trusted workspaces only.');
      const manage = vscode.l10n.t('Manage Workspace Trust');
      if ((await showInformationMessage(sentence, manage)) === manage) {
        await vscode.commands.executeCommand('workbench.trust.manage');
      }
      return undefined;
    }
    return await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Checking for API v5 hints'),
        cancellable: true,
      },
      (progress, token) => this.#read(progress, token, include),
    );
  }

  async #read(
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
    include?: vscode.GlobPattern,
  ): Promise<Readiness | undefined> {
    const places: ReportedPlace[] = [];
    const skipped: SkippedFile[] = [];
    let files = 0;
    let shown = 0;
    const onProgress = (done: number, total: number): void => {
      const percent = total === 0 ? 100 : (done / total) * 100;
      progress.report({
        message: vscode.l10n.t(
          'Files checked: {0} of {1}. Places found: {2}.',
          format(done),
          format(total),
          format(places.length),
        ),
        increment: percent - shown,
      });
      shown = percent;
    };
    // Pictures and the like are no programs: that they are large says nothing.
    const onSkipped = (uri: vscode.Uri, reason: 'large' | 'unreadable'): void => {
      const language = languageOfPath(uri.path, '');
      if (language === 'markdown' || (language !== 'plaintext' && syntaxOf(language))) {
        skipped.push({ path: vscode.workspace.asRelativePath(uri), reason });
      }
    };
    const options = { ...(include === undefined ? {} : { include }), token, onProgress, onSkipped };
    for await (const { uri, text } of this.#deps.files.read(options)) {
      files += 1;
      const path = vscode.workspace.asRelativePath(uri);
      const source = { text, path, languageId: languageOfPath(uri.path, text) };
      if (isGenerated(text)) {
        if (syntaxOf(source.languageId) && isRelevant(source)) {
          skipped.push({ path, reason: 'generated' });
        }
        continue;
      }
      try {
        const findings = await recognizeInSlices(source, maxSteps, () => token.isCancellationRequested);
        places.push(...placesOf(path, uri.toString(), text, findings));
      } catch (error) {
        this.#deps.log.warn(`${path} was not checked for API v5 hints: ${String(error)}`);
        skipped.push({ path, reason: error instanceof OverBudgetError ? 'budget' : 'failed' });
      }
    }
    return token.isCancellationRequested ? undefined : { places, files, skipped };
  }

  async #show(report: string): Promise<void> {
    await this.#deps.documents.show(vscode.l10n.t('API v5 Hints'), report);
  }
}

function format(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}

async function showNoFolder(): Promise<void> {
  const open = vscode.l10n.t('Open Folder…');
  const sentence = vscode.l10n.t('Open a folder to check its files.');
  if ((await showInformationMessage(sentence, open)) === open) {
    await vscode.commands.executeCommand('vscode.openFolder');
  }
}
