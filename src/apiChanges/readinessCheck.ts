import * as vscode from 'vscode';
import type { Commands } from '../common/commands.ts';
import { showInformationMessage, showQuickPick, withProgress } from '../common/inertWindow.ts';
import type { ReportDocuments } from '../common/reportDocuments.ts';
import type { WorkspaceFiles } from '../workspace/files.ts';
import { languageOfPath } from '../workspace/languages.ts';
import { syntaxOf } from './languages.ts';
import {
  codeQualityOf,
  type ReportedPlace,
  placesOf,
  type Readiness,
  readinessReport,
  sarifOf,
  type SkippedFile,
} from './readinessReport.ts';
import { isGenerated, isRelevant, recognizeInSlices } from './recognize.ts';
import { OverBudgetError } from './tokenizer.ts';

export interface ReadinessCheckDeps {
  readonly files: WorkspaceFiles;
  readonly documents: ReportDocuments;
  readonly memento: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
  /** Of this extension, for exports. */
  readonly version: string;
}

/** Where the fingerprints of the last check are kept. */
const lastCheckKey = 'readiness.lastCheck';
const maxKept = 20_000;
/** The maximum number of steps for a file: several times what the largest file needs. */
const maxSteps = 30_000_000;
const formats = {
  sarif: { label: 'SARIF', file: 'api-v5-hints.sarif', write: sarifOf },
  codeQuality: { label: 'Code Quality', file: 'gl-code-quality-report.json', write: codeQualityOf },
};

/** The commands "Check Workspace for API v5 Hints" and "Export API v5 Hints…". */
export class ReadinessCheck {
  readonly #deps: ReadinessCheckDeps;
  #last: Readiness | undefined;
  readonly commands = {
    // A keybinding or task can give a glob pattern of the files to check.
    'beacon.deprecations.check': (include?: vscode.GlobPattern) => this.run(include),
    // A task can say the format and where to write.
    'beacon.deprecations.export': (format?: string, target?: vscode.Uri) => this.export(format, target),
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

  /**
   * Writes what the last check found, or one made now, as a file for pipelines and colleagues.
   *
   * @param wanted `sarif` or `codeQuality`; asked for by default.
   * @param target the file; asked for by default.
   */
  async export(wanted?: string, target?: vscode.Uri): Promise<void> {
    const readiness = this.#last ?? (await this.#check());
    const chosen =
      readiness && (wanted === 'sarif' || wanted === 'codeQuality' ? formats[wanted] : await chooseFormat());
    if (!readiness || !chosen) {
      return;
    }
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const defaults = folder ? { defaultUri: vscode.Uri.joinPath(folder, chosen.file) } : {};
    const uri = target ?? (await vscode.window.showSaveDialog(defaults));
    if (uri) {
      const text = chosen.write(readiness, vscode.l10n.t, this.#deps.version);
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    }
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
    const found = await withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Checking for API v5 hints'),
        cancellable: true,
      },
      (progress, token) => this.#read(progress, token, include),
    );
    if (!found) {
      return undefined;
    }
    // A check of some files says nothing of the others.
    const compared = include === undefined ? await this.#compare(found.places) : undefined;
    this.#last = { ...found, compared };
    return this.#last;
  }

  async #compare(places: readonly ReportedPlace[]): Promise<Readiness['compared']> {
    const known = this.#deps.memento.get<unknown>(lastCheckKey);
    const now = places.map(({ fingerprint }) => fingerprint);
    await this.#deps.memento.update(lastCheckKey, now.slice(0, maxKept));
    if (!Array.isArray(known)) {
      return undefined;
    }
    const [before, present] = [new Set<unknown>(known), new Set<unknown>(now)];
    return {
      added: new Set(now.filter((fingerprint) => !before.has(fingerprint))),
      gone: [...before].filter((fingerprint) => !present.has(fingerprint)).length,
    };
  }

  async #read(
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
    include?: vscode.GlobPattern,
  ): Promise<Omit<Readiness, 'compared'> | undefined> {
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

async function chooseFormat(): Promise<(typeof formats)[keyof typeof formats] | undefined> {
  return await showQuickPick(
    [
      { ...formats.sarif, detail: vscode.l10n.t('For editors and code scanning') },
      { ...formats.codeQuality, detail: vscode.l10n.t('For a GitLab pipeline: an artifact of a job') },
    ],
    { title: vscode.l10n.t('Export API v5 Hints') },
  );
}

async function showNoFolder(): Promise<void> {
  const open = vscode.l10n.t('Open Folder…');
  const sentence = vscode.l10n.t('Open a folder to check its files.');
  if ((await showInformationMessage(sentence, open)) === open) {
    await vscode.commands.executeCommand('vscode.openFolder');
  }
}
