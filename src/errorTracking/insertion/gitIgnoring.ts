import * as vscode from 'vscode';
import type { WorkspaceFiles } from '../../workspaceFiles/workspaceFiles.ts';
import type { Dialogs } from '../dialogs.ts';
import { mayFollowLinks } from './outsideLinks.ts';
import { addLine } from './workspaceEdits.ts';

/** Sees to it that an env file with a DSN does not get into a repository unnoticed. */
export class GitIgnoring {
  readonly #files: Pick<WorkspaceFiles, 'isIgnored'>;
  readonly #dialogs: Dialogs;

  constructor(files: Pick<WorkspaceFiles, 'isIgnored'>, dialogs: Dialogs) {
    this.#files = files;
    this.#dialogs = dialogs;
  }

  /**
   * Asks what to do about an env file that git does not ignore; adds what was decided to an edit.
   *
   * @returns false if the person gave up.
   */
  async settle(edit: vscode.WorkspaceEdit, file: vscode.Uri): Promise<boolean> {
    const root = await repositoryOf(file);
    if (!root || (await this.#files.isIgnored(file))) {
      return true;
    }
    const path = file.path.slice(root.path.length);
    const decision = await this.#dialogs.choose(
      vscode.l10n.t('{0} Is Not Ignored by Git', path.slice(1)),
      vscode.l10n.t('The DSN could be committed with this file'),
      [
        {
          label: vscode.l10n.t('Add to .gitignore'),
          description: vscode.l10n.t('then write the DSN'),
          value: 'ignore' as const,
        },
        {
          label: vscode.l10n.t('Write DSN Anyway'),
          description: vscode.l10n.t('Git will list the file as a change to commit'),
          value: 'write' as const,
        },
      ],
    );
    if (decision === 'ignore') {
      const ignoreFile = vscode.Uri.joinPath(root, '.gitignore');
      if (!(await mayFollowLinks([ignoreFile], this.#dialogs))) {
        return false;
      }
      await addLine(edit, ignoreFile, path);
    }
    return decision !== undefined;
  }
}

/** The root of the repository that a file is in, by its `.git`; undefined if it is in none. */
async function repositoryOf(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  let folder = vscode.Uri.joinPath(file, '..');
  for (;;) {
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, '.git'));
      return folder;
    } catch {
      const above = vscode.Uri.joinPath(folder, '..');
      if (above.path === folder.path) {
        return undefined;
      }
      folder = above;
    }
  }
}
