import { isOnDisk, linkTarget } from '#platform/disk.ts';
import * as vscode from 'vscode';
import type { Dialogs } from '../../accounts/dialogs.ts';
import { systemClock } from '../../common/clock.ts';
import type { WorkspaceFiles } from '../../workspace/files.ts';
import { isShellScript, setVariable } from './envFile.ts';
import { readText } from './programFolder.ts';
import { missingImport, type VariableReading } from './sdkSetups.ts';

/**
 * Asks before something is written to files that are links to a place outside of their folder of the workspace: a repository
 * can hold such a link without anybody having looked at it.
 *
 * @param files that may not be there yet.
 * @returns whether they may be written.
 */
export async function mayFollowLinks(files: readonly vscode.Uri[], dialogs: Dialogs): Promise<boolean> {
  for (const file of files) {
    const target = await targetOutside(file);
    if (target !== undefined) {
      const isMeant = await dialogs.confirm({
        question: vscode.l10n.t('Write outside of the workspace?'),
        detail: vscode.l10n.t('{0} is a link to {1}.', vscode.workspace.asRelativePath(file), target),
        verb: vscode.l10n.t('Write'),
      });
      if (!isMeant) {
        return false;
      }
    }
  }
  return true;
}

/** Where a file really is, if that is not below its folder of the workspace; undefined for files that are not on this disk. */
export async function targetOutside(file: vscode.Uri): Promise<string | undefined> {
  return isOnDisk(file) ? await linkTarget(vscode.workspace.getWorkspaceFolder(file)?.uri, file) : undefined;
}

/** Adds to an edit that a variable of an env file gets a value; a file that is not there is created. */
export async function addVariable(
  edit: vscode.WorkspaceEdit,
  file: vscode.Uri,
  name: string,
  value: string,
): Promise<void> {
  const text = await readText(file);
  const { offset, length, newText } = setVariable(text ?? '', name, value, isShellScript(file.path));
  if (text === undefined) {
    createFile(edit, file, newText);
    return;
  }
  const document = await vscode.workspace.openTextDocument(file);
  edit.replace(file, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), newText);
}

/**
 * Adds to an edit that ranges of a document are replaced by an expression that reads the environment, and the import that it needs.
 *
 * @param languageId which may be another one than that of the document.
 */
export function addReading(
  edit: vscode.WorkspaceEdit,
  document: vscode.TextDocument,
  languageId: string,
  ranges: readonly vscode.Range[],
  expression: string,
): void {
  const before = Math.min(...ranges.map(({ start }) => document.offsetAt(start)));
  const missing = missingImport(languageId, document.getText(), before);
  if (missing) {
    edit.insert(document.uri, document.positionAt(missing.offset), missing.newText);
  }
  ranges.forEach((range) => edit.replace(document.uri, range, expression));
}

/** Adds a line to a text file, or creates the file with it. */
async function addLine(edit: vscode.WorkspaceEdit, file: vscode.Uri, line: string): Promise<void> {
  const text = await readText(file);
  if (text === undefined) {
    createFile(edit, file, `${line}\n`);
    return;
  }
  const document = await vscode.workspace.openTextDocument(file);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text === '' || text.endsWith('\n') ? '' : end;
  edit.insert(file, document.positionAt(text.length), `${start}${line}${end}`);
}

export function createFile(edit: vscode.WorkspaceEdit, file: vscode.Uri, content: string): void {
  edit.createFile(file, { contents: new TextEncoder().encode(content) });
}

/**
 * Applies an edit as one undo step, and saves the files that had no unsaved changes: programs read what is on disk.
 *
 * @returns false if the editor or the user rejected it.
 */
export async function applyAndSave(edit: vscode.WorkspaceEdit): Promise<boolean> {
  const files = edit.entries().map(([uri]) => uri);
  const unsaved = new Set(
    vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString()),
  );
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return false;
  }
  for (const uri of files) {
    const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
    if (document?.isDirty === true && !unsaved.has(uri.toString())) {
      await saveDocument(document);
    }
  }
  return true;
}

/**
 * Saves a document. While auto save lets others change a document before it is saved, the editor refuses any other save of it; then
 * that of auto save is waited for.
 *
 * @param wait milliseconds until it is asked for once more: longer than the editor lets others take.
 * @returns whether it was saved.
 */
export async function saveDocument(
  document: Pick<vscode.TextDocument, 'uri' | 'isDirty' | 'save'>,
  wait = 5000,
): Promise<boolean> {
  const { promise: byAutoSave, resolve } = Promise.withResolvers<boolean>();
  const uri = document.uri.toString();
  const subscription = vscode.workspace.onDidSaveTextDocument((saved) =>
    saved.uri.toString() === uri ? resolve(true) : undefined,
  );
  try {
    if ((await document.save()) || !document.isDirty) {
      return true;
    }
    systemClock.after(wait, () => resolve(false));
    return (await byAutoSave) || (await document.save());
  } finally {
    subscription.dispose();
  }
}

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
   * @returns false if the user gave up.
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

/** Says in which env file a variable is, and what loads that. */
export function loadingLabel(
  { variable, loader }: Pick<VariableReading, 'variable' | 'loader'>,
  file: vscode.Uri,
): string {
  const path = vscode.workspace.asRelativePath(file);
  return loader === undefined
    ? vscode.l10n.t('{0} is in {1}, which the build reads.', variable, path)
    : vscode.l10n.t('{0} is in {1}. Load it where the program starts, for example by {2}.', variable, path, loader);
}
