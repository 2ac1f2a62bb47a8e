import * as vscode from 'vscode';
import type { Commands } from '../commands.ts';
import type { ReportDocuments } from '../views/reportDocuments.ts';
import type { WorkspaceFiles } from '../workspaceFiles/workspaceFiles.ts';
import { announcement, likelihood, sinceOf, textOf } from './changeTexts.ts';
import { changeOf } from './catalogue.ts';
import { codeOf, type Place, placesOf, reportOf } from './readinessReport.ts';

/** The command "Check v5 Readiness": looks through the workspace and shows what it found as a document. */
export class ReadinessCheck {
  readonly #files: WorkspaceFiles;
  readonly #documents: ReportDocuments;
  readonly commands = {
    // A keybinding or task can give a glob pattern of the files to check.
    'beacon.deprecations.check': (include?: vscode.GlobPattern) => this.run(include),
  } satisfies Commands;

  constructor(files: WorkspaceFiles, documents: ReportDocuments) {
    this.#files = files;
    this.#documents = documents;
  }

  /**
   * Looks through the files of the workspace, with progress and a way to cancel, and shows the report.
   *
   * @param include which files; all by default.
   */
  async run(include?: vscode.GlobPattern): Promise<void> {
    if (!vscode.workspace.workspaceFolders?.length) {
      await tellNoFolder();
      return;
    }
    const result = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Checking v5 readiness'),
        cancellable: true,
      },
      (progress, token) => this.#look(progress, token, include),
    );
    if (!result) {
      return;
    }
    if (result.places.length === 0) {
      const sentence = vscode.l10n.t(
        'Nothing was found that v5 will change. Files checked: {0}.',
        format(result.files),
      );
      // Not waited for: the command is done while the notification stays.
      void vscode.window.showInformationMessage(sentence);
      return;
    }
    await this.#show(result.places, result.files);
  }

  /** Undefined if it was cancelled. */
  async #look(
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
    include?: vscode.GlobPattern,
  ): Promise<{ readonly places: Place[]; readonly files: number } | undefined> {
    const { languageOfPath, recognize } = await import('./recognition/recognize.ts');
    const places: Place[] = [];
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
    for await (const { uri, text } of this.#files.read({
      ...(include === undefined ? {} : { include }),
      token,
      onProgress,
    })) {
      files += 1;
      const findings = recognize(text, languageOfPath(uri.path, text));
      if (findings.length > 0) {
        places.push(...placesOf(vscode.workspace.asRelativePath(uri), uri.toString(), text, findings));
      }
    }
    return token.isCancellationRequested ? undefined : { places, files };
  }

  async #show(places: readonly Place[], files: number): Promise<void> {
    const report = reportOf(places, {
      title: vscode.l10n.t('Readiness for API v5'),
      summary: [
        places.length === 1
          ? vscode.l10n.t('1 place relies on what is [announced to change]({0}) in API v5.', announcement)
          : vscode.l10n.t(
              '{0} places rely on what is [announced to change]({1}) in API v5.',
              format(places.length),
              announcement,
            ),
        vscode.l10n.t(
          'Files with such places: {0} of {1}. No date is set for v5, and nothing changes within v4.',
          format(new Set(places.map(({ uri }) => uri)).size),
          format(files),
        ),
      ].join(' '),
      table: [vscode.l10n.t('Announced change'), vscode.l10n.t('Places'), vscode.l10n.t('Files')],
      heading: codeOf,
      describe: (id) => {
        const { title, inV5, today } = textOf(id);
        const since = sinceOf(changeOf(id));
        return [
          since === undefined ? title : `${title} ${since}`,
          vscode.l10n.t('**In v5:** {0}', inV5),
          vscode.l10n.t('**Today:** {0}', today),
        ];
      },
      certain: vscode.l10n.t('certain'),
      likely: vscode.l10n.t('likely'),
      fixable: vscode.l10n.t('quick fix'),
    }).concat(places.some(({ confidence }) => confidence === 'likely') ? `---\n\n_${likelihood()}_\n` : '');
    await this.#documents.show(vscode.l10n.t('v5 Readiness'), report);
  }
}

function format(count: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(count);
}

async function tellNoFolder(): Promise<void> {
  const open = vscode.l10n.t('Open Folder…');
  const sentence = vscode.l10n.t('Open a folder to check its files.');
  if ((await vscode.window.showInformationMessage(sentence, open)) === open) {
    await vscode.commands.executeCommand('vscode.openFolder');
  }
}
