import * as vscode from 'vscode';
import type { Commands } from '../../commands.ts';
import type { Dialogs } from '../dialogs.ts';
import { parseDsn } from '../dsn.ts';
import type { GitIgnoring } from '../insertion/gitIgnoring.ts';
import { mayFollowLinks } from '../insertion/outsideLinks.ts';
import { findProgramFolder } from '../insertion/programFolder.ts';
import { readVariable } from '../insertion/sdkSetups.ts';
import { addVariable, applyAndSave } from '../insertion/workspaceEdits.ts';
import { stringAround } from './dsnQuickFixes.ts';
import { codeLanguageOf } from '../../workspaceFiles/languages.ts';

/** What quick fixes do that have to ask first. */
export class DsnFixes {
  readonly #ignoring: GitIgnoring;
  readonly #dialogs: Dialogs;
  readonly commands = {
    'beacon.errorTracking.moveToEnvironment': (uri: vscode.Uri, range: vscode.Range) => this.move(uri, range),
    'beacon.errorTracking.replaceDsn': (uri: vscode.Uri, range: vscode.Range, dsn: string) =>
      this.replace(uri, range, dsn),
  } satisfies Commands;

  constructor(ignoring: GitIgnoring, dialogs: Dialogs) {
    this.#ignoring = ignoring;
    this.#dialogs = dialogs;
  }

  /**
   * Puts a DSN in the place of another one, after asking if the file is a link out of the workspace.
   *
   * @param range where the other DSN is.
   */
  async replace(uri: vscode.Uri, range: vscode.Range, dsn: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    if (!parseDsn(dsn) || !parseDsn(document.getText(range))) {
      this.#dialogs.tell('warning', vscode.l10n.t('The DSN is no longer there, or it is part of a longer string.'));
      return;
    }
    if (await mayFollowLinks([uri], this.#dialogs)) {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, range, dsn);
      await vscode.workspace.applyEdit(edit);
    }
  }

  /**
   * Moves a DSN from code into an env file, and lets the code read the environment.
   *
   * @param range where the DSN is, as the whole of a string.
   */
  async move(uri: vscode.Uri, range: vscode.Range): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const dsn = parseDsn(document.getText(range));
    const literal = stringAround(document, range);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
    const folder = await findProgramFolder(root, uri);
    const read = readVariable(codeLanguageOf(uri.path) ?? document.languageId, folder.shape.bundler);
    if (!dsn || !literal || !read) {
      this.#dialogs.tell('warning', vscode.l10n.t('The DSN is no longer there, or it is part of a longer string.'));
      return;
    }
    const envFile = vscode.Uri.joinPath(folder.uri, '.env');
    if (!(await mayFollowLinks([uri, envFile], this.#dialogs))) {
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, literal, read.expression);
    await addVariable(edit, envFile, read.variable, dsn.text);
    if ((await this.#ignoring.settle(edit, envFile)) && (await applyAndSave(edit))) {
      this.#dialogs.tell(
        'info',
        vscode.l10n.t(
          '{0} is in {1} now. Load this file where you start the program.',
          read.variable,
          vscode.workspace.asRelativePath(envFile),
        ),
      );
    }
  }
}
