import { isOnDisk, linkTarget } from '#platform/disk.ts';
import * as vscode from 'vscode';
import type { Dialogs } from '../../accounts/dialogs.ts';
import { systemClock } from '../../common/clock.ts';
import { plainText } from '../../common/inertText.ts';
import type { WorkspaceFiles } from '../../workspace/files.ts';
import { isShellScript, setVariable, variableOf } from './envFile.ts';
import { openForChange, readText } from './programFolder.ts';
import { missingImport, type VariableReading } from './sdkSetups.ts';

/** A variable of an env file. */
export interface EnvVariable {
  readonly file: vscode.Uri;
  readonly name: string;
}

/**
 * Asks before something is written to files that are links, or below one: a repository can hold such a link without anybody having
 * looked at it, and what it leads to may be tracked where the link is ignored.
 *
 * @param files that may not be there yet.
 * @returns whether they may be written.
 */
export async function mayFollowLinks(files: readonly vscode.Uri[], dialogs: Dialogs): Promise<boolean> {
  for (const file of files) {
    const target = await linkTargetOf(file);
    if (target !== undefined) {
      const isMeant = await dialogs.confirm({
        question: target.isOutside
          ? vscode.l10n.t('Write outside of the workspace?')
          : vscode.l10n.t('Write to the target of a link?'),
        detail: vscode.l10n.t('{0} leads to {1}', oneLine(vscode.workspace.asRelativePath(file)), oneLine(target.path)),
        verb: vscode.l10n.t('Write'),
      });
      if (!isMeant) {
        return false;
      }
    }
  }
  return true;
}

/** A whole path, however long, in which no spaces push the end out of sight. */
function oneLine(path: string): string {
  return plainText(path, longestPath).replaceAll(/\s+/g, ' ');
}
const longestPath = 4096;

/** Where a file really is, if it is a link or below one; undefined for files that are not on this disk. */
export async function linkTargetOf(file: vscode.Uri): ReturnType<typeof linkTarget> {
  return isOnDisk(file) ? await linkTarget(vscode.workspace.getWorkspaceFolder(file)?.uri, file) : undefined;
}

/**
 * Adds to an edit that a variable of an env file gets a value; a file that is not there is created.
 *
 * @param before the text of the file by which the user was asked.
 * @returns false if the variable has another value since.
 */
export async function addVariable(
  edit: vscode.WorkspaceEdit,
  { file, name }: EnvVariable,
  value: string,
  before: string | undefined,
): Promise<boolean> {
  const text = await readText(file);
  if (variableOf(text ?? '', name) !== variableOf(before ?? '', name)) {
    return false;
  }
  const { offset, length, newText } = setVariable(text ?? '', name, value, isShellScript(file.path));
  if (text === undefined) {
    createFile(edit, file, newText);
  } else {
    const document = await vscode.workspace.openTextDocument(file);
    edit.replace(file, new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)), newText);
  }
  return true;
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
 * Whether the editor has the text that a file has on the disk, or one that the user has changed: what it does not have is not to be
 * cut or overwritten.
 */
export async function isUpToDate(uri: vscode.Uri): Promise<boolean> {
  const document = await openForChange(uri);
  if (document.isDirty || document.isUntitled) {
    return true;
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  const saved = (await vscode.workspace.decode(bytes, { encoding: document.encoding })).replace(/^\uFEFF/, '');
  return saved.replaceAll(/\r\n?/g, '\n') === document.getText().replaceAll(/\r\n?/g, '\n');
}

/**
 * Applies an edit as one undo step, and saves the files that had no unsaved changes: programs read what is on disk.
 *
 * @returns false if the editor or the user rejected it, or a file has changed on the disk.
 */
export async function applyAndSave(edit: vscode.WorkspaceEdit): Promise<boolean> {
  const files = edit.entries().map(([uri]) => uri);
  for (const uri of files) {
    if (!(await isUpToDate(uri))) {
      return false;
    }
  }
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
   * Asks what to do about an env file that git does not ignore, and lets git ignore it.
   *
   * @returns false if the DSN is not to be written.
   */
  async settle(envFile: vscode.Uri): Promise<boolean> {
    const target = await linkTargetOf(envFile);
    // What is written goes where a link leads, which git tracks by another name.
    const file = target ? vscode.Uri.file(target.path) : envFile;
    const root = await repositoryOf(file);
    if (!root || (await this.#files.isIgnored(file)) === true) {
      return true;
    }
    const path = file.path.slice(root.path.replace(/\/$/, '').length);
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
    return decision === 'write' || (decision === 'ignore' && (await this.#ignore(file, root, path)));
  }

  /** @returns whether git ignores the file then, as far as git can be asked. */
  async #ignore(file: vscode.Uri, root: vscode.Uri, path: string): Promise<boolean> {
    const ignoreFile = vscode.Uri.joinPath(root, '.gitignore');
    if (!(await mayFollowLinks([ignoreFile], this.#dialogs))) {
      return false;
    }
    const edit = new vscode.WorkspaceEdit();
    await addLine(edit, ignoreFile, ignoreEntry(path));
    const isIgnored = (await applyAndSave(edit)) && (await this.#files.isIgnored(file)) !== false;
    if (!isIgnored) {
      const sentence = vscode.l10n.t(
        'Git does not ignore {0}: it may be tracked already, or .gitignore could not be saved. The DSN was not written.',
        path.slice(1),
      );
      this.#dialogs.notify('warning', sentence);
    }
    return isIgnored;
  }
}

/**
 * A line of `.gitignore` for one file. What is special at the start of a line comes after the slash.
 *
 * @param path from the root of the repository, with a slash at the start.
 */
function ignoreEntry(path: string): string {
  return path.replaceAll(/[\\*?[ ]/g, String.raw`\$&`);
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
