import { isIgnored } from '#platform/git.ts';
import * as vscode from 'vscode';
import type { Confirmation, Dialogs } from '../../accounts/dialogs.ts';
import { plainText } from '../../common/inertText.ts';
import { isLinkMeant, linkTargetOf, oneLine } from '../../workspace/files.ts';
import type { TextChange } from './envFile.ts';

const { t } = vscode.l10n;

/** What is written to a file: changes of the text that it had when they were decided on, or all of a file that is not there yet. */
export interface FileChange {
  readonly uri: vscode.Uri;
  readonly before: string | undefined;
  readonly changes: readonly TextChange[];
}

export interface WriteOptions {
  readonly ask?: Confirmation | undefined;
  /** A file with a DSN, which git should ignore. */
  readonly secret?: vscode.Uri | undefined;
  /** Shows each change in the editor's preview of refactorings, where it can be left out, with this description. */
  readonly preview?: string;
  /** Whether the files stay as they are on the disk until the user saves them. */
  readonly isUnsaved?: boolean;
}

/** The one gate for all that Beacon writes into files: it asks, looks again at what was asked about, and writes in one step. */
export function writerOf(dialogs: Dialogs) {
  /** @returns whether it was written; that a file has changed meanwhile or cannot be changed is said. */
  async function write(files: readonly FileChange[], options: WriteOptions = {}): Promise<boolean> {
    const { ask, secret, preview, isUnsaved = false } = options;
    const targets = await followLinks(files.map(({ uri }) => uri));
    if (!targets || (ask && !(await dialogs.confirm(ask))) || (secret && !(await keepFromGit(secret)))) {
      return false;
    }
    // Files may have changed while the user was asked, or links have taken their place.
    for (const { uri, before } of files) {
      const isSameFile = (await linkTargetOf(uri))?.path === targets.get(uri.toString());
      if (!isSameFile || !(await isAsBefore(uri, before))) {
        return refuse(uri);
      }
    }
    const edit = await editOf(files, preview, targets);
    const dirty = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
    if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: !isUnsaved }))) {
      return preview === undefined && files[0] ? refuse(files[0].uri) : false;
    }
    // What a new file holds is known to all that read open documents, such as to the row of a key that says where it is used.
    for (const { uri } of files.filter(({ before }) => before === undefined)) {
      await vscode.workspace.openTextDocument(uri);
    }
    const names = files.map(({ uri }) => uri.toString());
    for (const document of isUnsaved ? [] : vscode.workspace.textDocuments) {
      // Programs read what is on the disk. What the user has not saved is left to them, unless they have seen the change.
      const isMeant = names.includes(document.uri.toString()) && (!dirty.includes(document) || preview !== undefined);
      if (isMeant && document.isDirty && !(await document.save())) {
        // The editor says why.
        return false;
      }
    }
    return true;
  }

  function refuse(uri: vscode.Uri): false {
    const path = vscode.workspace.asRelativePath(uri);
    dialogs.notify('warning', t('{0} has changed meanwhile, or cannot be changed; nothing was written.', path));
    return false;
  }

  /**
   * Asks before something is written to files that are links, or below one: a repository can hold such a link without anybody having
   * looked at it, and what it leads to may be tracked where the link is ignored.
   *
   * @returns where the files really are that are links, by their URIs; undefined if they are not to be written.
   */
  async function followLinks(files: readonly vscode.Uri[]): Promise<ReadonlyMap<string, string> | undefined> {
    const targets = new Map<string, string>();
    for (const file of files) {
      const target = targets.has(file.toString()) ? undefined : await linkTargetOf(file);
      if (target) {
        targets.set(file.toString(), target.path);
        if (!(await isLinkMeant(file, target))) {
          return undefined;
        }
      }
    }
    return targets;
  }

  /** Asks what to do about a file that git does not ignore. @returns false if nothing is to be written. */
  async function keepFromGit(file: vscode.Uri): Promise<boolean> {
    const target = await linkTargetOf(file);
    // What is written goes where a link leads, which git tracks by another name.
    const real = target ? vscode.Uri.file(target.path) : file;
    const root = await repositoryOf(real);
    if (!root || (await isIgnored(real)) === true) {
      return true;
    }
    const path = real.path.slice(root.path.replace(/\/$/, '').length);
    const decision = await dialogs.choose<'ignore' | 'write'>(
      t('{0} Is Not Ignored by Git', oneLine(path.slice(1))),
      t('The DSN could be committed with this file'),
      [
        { label: t('Add to .gitignore'), description: t('then write the DSN'), value: 'ignore' },
        {
          label: t('Write DSN Anyway'),
          description: t('Git will list the file as a change to commit'),
          value: 'write',
        },
      ],
    );
    return decision === 'write' || (decision === 'ignore' && (await ignore(real, root, path)));
  }

  async function ignore(file: vscode.Uri, root: vscode.Uri, path: string): Promise<boolean> {
    const ignoreFile = vscode.Uri.joinPath(root, '.gitignore');
    const before = await readText(ignoreFile);
    const text = before ?? '';
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    const start = text === '' || text.endsWith('\n') ? '' : end;
    // What is special at the start of a line comes after the slash.
    const entry = path.replaceAll(/[\\*?[ ]/g, String.raw`\$&`);
    const change = { offset: text.length, length: 0, newText: `${start}${entry}${end}` };
    const isWritten = !/\p{Cc}/u.test(path) && (await write([{ uri: ignoreFile, before, changes: [change] }]));
    // Without git, nobody can say.
    if (isWritten && (await isIgnored(file)) !== false) {
      return true;
    }
    dialogs.notify(
      'warning',
      t(
        'Git does not ignore {0}: it may be tracked already, or .gitignore could not be saved. The DSN was not written.',
        oneLine(path.slice(1)),
      ),
    );
    return false;
  }

  return write;
}

export type Write = ReturnType<typeof writerOf>;

/** The root of the repository that a file is in, by its `.git`; undefined if it is in none. */
async function repositoryOf(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folder = vscode.Uri.joinPath(file, '..');
  const isRoot = await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, '.git')).then(
    () => true,
    () => false,
  );
  return isRoot ? folder : folder.path === file.path ? undefined : await repositoryOf(folder);
}

async function editOf(
  files: readonly FileChange[],
  preview: string | undefined,
  targets: ReadonlyMap<string, string>,
): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  const named = t('Replace DSN');
  if (preview !== undefined && files[0]) {
    // The preview shows if an edit needs confirmation, and selects those alone that need none. Creating a file that is there does
    // nothing and is not listed.
    edit.createFile(files[0].uri, { ignoreIfExists: true }, { needsConfirmation: true, label: named });
  }
  for (const { uri, before, changes } of files) {
    if (before === undefined) {
      edit.createFile(uri, { contents: new TextEncoder().encode(changes.map(({ newText }) => newText).join('')) });
      continue;
    }
    const document = await openForChange(uri);
    const target = targets.get(uri.toString());
    const label = target === undefined ? named : t('Replace DSN in the target of a link, {0}', plainText(target));
    const metadata = preview === undefined ? undefined : { needsConfirmation: false, label, description: preview };
    for (const { offset, length, newText } of changes) {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      edit.replace(uri, range, newText, metadata);
    }
  }
  return edit;
}

/** A file that may be changed, as the editor shows it; undefined if there is none. */
export async function readText(uri: vscode.Uri): Promise<string | undefined> {
  return await openForChange(uri).then(
    (document) => document.getText(),
    () => undefined,
  );
}

/**
 * Opens a file that is to be changed; a link to a device, whose text may have no end, leads to none. Where the editor takes for UTF-8 what is not, it would destroy all other characters when it
 * saves: a character for each byte keeps them.
 */
export async function openForChange(uri: vscode.Uri): Promise<vscode.TextDocument> {
  // Of what is on no disk, such as a document that was never saved, nothing is known.
  const facts = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
  if (facts && (facts.type & vscode.FileType.File) === 0) {
    throw new vscode.FileSystemError(uri);
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const isLossy = document.encoding === 'utf8' && !document.isDirty && document.getText().includes('\uFFFD');
  return isLossy ? await vscode.workspace.openTextDocument(uri, { encoding: 'iso88591' }) : document;
}

/** Whether a file has the text that it had, in the editor and on the disk: what else it has is not to be cut or overwritten. */
async function isAsBefore(uri: vscode.Uri, before: string | undefined): Promise<boolean> {
  try {
    const document = await openForChange(uri);
    // A cell of a notebook is no file, and always said to be saved.
    const isFile = !document.isUntitled && uri.scheme !== 'vscode-notebook-cell';
    if (document.getText() !== before || document.isDirty || !isFile) {
      return document.getText() === before;
    }
    const bytes = await vscode.workspace.fs.readFile(uri);
    const saved = (await vscode.workspace.decode(bytes, { encoding: document.encoding })).replace(/^\uFEFF/, '');
    return saved.replaceAll(/\r\n?/g, '\n') === before.replaceAll(/\r\n?/g, '\n');
  } catch {
    return before === undefined;
  }
}
