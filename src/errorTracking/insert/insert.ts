import * as vscode from 'vscode';
import type { Choice, Dialogs } from '../../accounts/dialogs.ts';
import type { Action } from '../../accounts/problem.ts';
import type { Commands } from '../../common/commands.ts';
import { inSequence, plainText } from '../../common/inertText.ts';
import { copyText, separator, setStatusBarMessage } from '../../common/inertWindow.ts';
import { isBelow } from '../../common/paths.ts';
import { codeLanguageOf } from '../../workspace/languages.ts';
import { parseDsn, writtenLike } from '../dsn.ts';
import { noteConnected } from '../keyNotes.ts';
import { type CommandTarget, dsnLabel, sendTestError, setUpActions, targetAction } from '../labels.ts';
import type { Targets } from '../pick.ts';
import { type KnownKey, takesErrors } from '../projects.ts';
import { dsnAtCursor, isInString, languageOf, placeIn, stringAround } from './cursor.ts';
import { defaultVariable, isEnvExample, isEnvFile, isShellScript, readVariable, setVariable } from './envFile.ts';
import { allStacks, type Folder, packagesOf, readingOf, type Stack, stacksIn } from './stacks.ts';
import { type FileChange, openForChange, readText, type Write } from './write.ts';

const { t } = vscode.l10n;

/** The folder of a program: where its manifest is, where set-ups and env files go. */
interface ProgramFolder extends Folder {
  readonly uri: vscode.Uri;
}

/** A place where a DSN can go, and what puts it there; that says whether it is there. */
type Destination = Choice<() => Promise<boolean>>;

export function insertionCommands(targets: Targets, write: Write, dialogs: Dialogs) {
  async function insert(chosen: CommandTarget | vscode.Uri | undefined): Promise<void> {
    const title = t('Insert DSN');
    const editor = vscode.window.activeTextEditor;
    // The menu of an editor says where it was opened.
    const isCursorMeant = chosen instanceof vscode.Uri;
    const known = await targets.key(isCursorMeant ? undefined : chosen, title, 'active');
    if (!known) {
      return;
    }
    const { project, key, facts, tracking } = known;
    const file = editor?.document.uri;
    const { workspaceFolders, getWorkspaceFolder } = vscode.workspace;
    // A repository may begin above the folder that is open, where nobody looks.
    const ofProject = project.folder && getWorkspaceFolder(project.folder) ? project.folder : undefined;
    const root = ofProject ?? (file && getWorkspaceFolder(file)?.uri) ?? workspaceFolders?.[0]?.uri;
    const folder = root && (await programFolder(root, file));
    const atCursor = editor ? cursorDestinations(known, editor, folder) : [];
    const { fitting, others } = folder
      ? folderDestinations(known, folder, editor?.document.languageId)
      : { fitting: [], others: [] };
    const choices = isCursorMeant ? [...atCursor, ...fitting, ...others] : [...fitting, ...atCursor, ...others];
    if (choices.length === 0) {
      const copy = targetAction(t('Copy DSN…'), 'copyDsn', { project, key });
      dialogs.notify('warning', t('Open a folder or a file to insert the DSN into.'), copy);
      return;
    }
    const insertThere =
      choices.length === 1
        ? choices[0]?.value
        : await dialogs.choose(targets.withKey(title, known), t('Where the program reads the DSN'), choices);
    if (!(await insertThere?.())) {
      return;
    }
    noteConnected();
    setStatusBarMessage(targets.withKey(t('DSN inserted'), known), 5000);
    if (!takesErrors(tracking.settings)) {
      const sentence = t('The DSN was inserted, but the instance does not track the errors of {0} now.', facts.path);
      dialogs.notify('warning', sentence, ...setUpActions(project, tracking.settings));
    }
  }

  /** At the cursor: in code what reads the DSN from the environment, and a string; else what the place takes. */
  function cursorDestinations(known: KnownKey, editor: vscode.TextEditor, folder?: ProgramFolder): Destination[] {
    const { document, selection, selections } = editor;
    const dsn = known.key.tracker_dsn;
    const place = placeIn(document, selection.start);
    const path = `${vscode.workspace.asRelativePath(document.uri)}:${selection.start.line + 1}`;
    const reading = folder && !isInString(place) ? readingOf(languageOf(place), folder) : undefined;
    const writeText = async (): Promise<boolean> => {
      const textAt = ({ start }: vscode.Selection): string => dsnAtCursor(placeIn(document, start), dsn);
      const secret = isEnvFile(document.uri.path) && !document.isUntitled ? document.uri : undefined;
      return await write([changeOf(document, selections, textAt)], { isUnsaved: true, secret });
    };
    if (!folder || !reading) {
      return [destination(t('At the Cursor'), path, 'edit', writeText)];
    }
    const file = vscode.Uri.joinPath(folder.uri, '.env');
    const writeReading = async (): Promise<boolean> => {
      const code = changeOf(document, selections, () => reading.expression);
      const isWritten = await writeVariable(file, reading.variable, dsn, known, [code]);
      if (isWritten) {
        notifyDone(known, loadingLabel(file, reading));
      }
      return isWritten;
    };
    return [
      // A narrow list cuts the end.
      destination(
        t('At the Cursor: {0}', reading.expression),
        `${t('DSN into {0}', '.env')} · ${path}`,
        'edit',
        writeReading,
      ),
      destination(t('As a String, at the Cursor'), path, 'edit', writeText),
    ];
  }

  /** Set-ups of the stacks that a folder has and its env files; and the other set-ups. */
  function folderDestinations(
    known: KnownKey,
    folder: ProgramFolder,
    languageId?: string,
  ): { readonly fitting: Destination[]; readonly others: Destination[] } {
    const setupFor = (stack: Stack): Destination => {
      const run = () => insertSetup(known, stack, folder);
      // The others are proper names.
      const name = stack.name === 'Browser' ? t('Browser') : stack.name;
      return destination(t('SDK Setup for {0}', name), `${stack.file}, .env`, 'symbol-file', run);
    };
    const all = allStacks(folder);
    const stacks = stacksIn(all, languageId);
    const envFiles = folder.names.filter((name) => isEnvFile(name) && !isEnvExample(name)).toSorted();
    const intoEnvFiles = [...new Set(['.env', ...envFiles])].map((name) =>
      destination(t('Into {0}', name), envFiles.includes(name) ? '' : t('new file'), 'settings', () =>
        insertVariable(known, vscode.Uri.joinPath(folder.uri, name)),
      ),
    );
    return {
      fitting: [...stacks.map(setupFor), ...intoEnvFiles],
      others: [
        // There are no others where none is above.
        separator(stacks.length === 0 ? '' : t('Other SDK Setups')),
        ...all.filter((stack) => !stacks.includes(stack)).map(setupFor),
      ],
    };
  }

  async function insertVariable(known: KnownKey, file: vscode.Uri): Promise<boolean> {
    const isWritten = await writeVariable(file, defaultVariable, known.key.tracker_dsn, known);
    if (isWritten) {
      await vscode.window.showTextDocument(file, { preview: false });
      notifyDone(
        known,
        loadingLabel(file, { variable: defaultVariable, loader: t('{0} or {1}', 'python-dotenv', 'node --env-file') }),
      );
    }
    return isWritten;
  }

  async function insertSetup(known: KnownKey, setup: Stack, folder: ProgramFolder): Promise<boolean> {
    const { content, install } = setup;
    const file = vscode.Uri.joinPath(folder.uri, setup.file);
    const path = vscode.workspace.asRelativePath(file);
    const before = await readText(file);
    const change = { uri: file, before, changes: [{ offset: 0, length: before?.length ?? 0, newText: content }] };
    const envFile = vscode.Uri.joinPath(folder.uri, '.env');
    const rest = before === content ? [] : [change];
    if (!(await writeVariable(envFile, setup.variable, known.key.tracker_dsn, known, rest, path))) {
      return false;
    }
    await vscode.window.showTextDocument(file, { preview: false });
    const title = install.includes(' ') ? t('Copy Install Command') : t('Copy Dependency');
    const copy = { title, run: () => copyText(install) };
    const loading =
      setup.readsEnvFile === true
        ? t('{0} reads {1}, which is in .env.', path, setup.variable)
        : loadingLabel(envFile, setup);
    notifyDone(known, inSequence(loading, t('Start with: {0}', setup.use)), ...(install === '' ? [] : [copy]));
    return true;
  }

  function notifyDone(known: KnownKey, sentence: string, ...actions: readonly Action[]): void {
    dialogs.notify('info', sentence, ...actions, sendTestError(known));
  }

  /**
   * Gives a variable the DSN, in one step with what is written besides. What is replaced is asked about in one question.
   *
   * @param known the key whose DSN it is, if it is known.
   * @param path of the set-up file that is among the rest.
   * @returns whether it has the DSN.
   */
  async function writeVariable(
    file: vscode.Uri,
    name: string,
    dsn: string,
    known?: KnownKey,
    rest: readonly FileChange[] = [],
    path?: string,
  ): Promise<boolean> {
    const before = await readText(file);
    const reading = readVariable(before ?? '', name);
    const change = setVariable(before ?? '', name, dsn, isShellScript(file.path));
    const envPath = vscode.workspace.asRelativePath(file);
    if (reading === 'unclear' || !change) {
      const sentence = t(
        '{0} may be read differently by programs and shells, so {1} was not changed there.',
        envPath,
        name,
      );
      dialogs.notify('warning', sentence);
      return false;
    }
    const former = reading === 'missing' ? '' : reading.value;
    const isReplaced = former !== '' && former !== dsn;
    const isOther = path !== undefined && rest.some((one) => one.before !== undefined);
    const ask = {
      question: isReplaced ? t('Replace {0} in {1}?', name, envPath) : t('Replace {0}?', path ?? ''),
      detail: [
        ...(isReplaced ? [t('Before: {0}', valueLabel(former)), t('After: {0}', valueLabel(dsn))] : []),
        ...(isOther ? [t('{0} exists with other content. The replacement can be undone.', path)] : []),
      ],
      ...(known ? { accountId: known.project.accountId } : {}),
      verb: t('Replace'),
    };
    const files = [...rest, ...(former === dsn ? [] : [{ uri: file, before, changes: [change] }])];
    const options = { ...(isReplaced || isOther ? { ask } : {}), secret: file };
    return files.length === 0 || (await write(files, options));
  }

  /** Moves a DSN from code into an env file, and lets the code read the environment. @param range of the DSN in its string. */
  async function moveToEnvironment(uri: vscode.Uri, range: vscode.Range): Promise<void> {
    const document = await openForChange(uri);
    const dsn = parseDsn(document.getText(range));
    const literal = dsn && stringAround(document, range);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
    const folder = await programFolder(root, uri);
    const reading = readingOf(codeLanguageOf(uri.path) ?? document.languageId, folder);
    if (!literal || !reading) {
      notifyGone();
      return;
    }
    const file = vscode.Uri.joinPath(folder.uri, '.env');
    const code = changeOf(document, [literal], () => reading.expression);
    if (await writeVariable(file, reading.variable, dsn.text, undefined, [code])) {
      dialogs.notify('info', loadingLabel(file, reading));
    }
  }

  async function replaceDsn(uri: vscode.Uri, range: vscode.Range, dsn: string): Promise<void> {
    const document = await openForChange(uri);
    const former = document.getText(range);
    if (!parseDsn(dsn) || !parseDsn(former)) {
      notifyGone();
      return;
    }
    await write([changeOf(document, [range], () => writtenLike(former, dsn))], { isUnsaved: true });
  }

  function notifyGone(): void {
    dialogs.notify(
      'warning',
      t('The DSN is no longer there, it is part of a longer string, or a file has changed meanwhile.'),
    );
  }

  return {
    'beacon.errorTracking.insertDsn': insert,
    'beacon.errorTracking.moveToEnvironment': moveToEnvironment,
    'beacon.errorTracking.replaceDsn': replaceDsn,
  } satisfies Commands;
}

/** In which env file a variable is, and what loads that. */
function loadingLabel(file: vscode.Uri, { variable, loader }: Pick<Stack, 'variable' | 'loader'>): string {
  const path = vscode.workspace.asRelativePath(file);
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  const loading =
    loader === undefined
      ? t('{0} is in {1}, which the build reads.', variable, path)
      : t('{0} is in {1}. Load it where the program starts, for example by {2}.', variable, path, loader);
  return open?.isDirty === true ? inSequence(loading, t('Save {0}: it had unsaved changes.', path)) : loading;
}

function destination(label: string, description: string, icon: string, value: () => Promise<boolean>): Destination {
  return { label, description, iconPath: new vscode.ThemeIcon(icon), value };
}

/** A value of an env file in a question: a DSN by its key, project and host; nothing of what else may be secret but its host. */
function valueLabel(value: string): string {
  const dsn = parseDsn(value);
  return dsn ? dsnLabel(dsn) : plainText(URL.parse(value)?.host ?? t('another value'), 60);
}

function changeOf<R extends vscode.Range>(
  document: vscode.TextDocument,
  ranges: readonly R[],
  textOf: (range: R) => string,
): FileChange {
  const changes = ranges.map((range) => {
    const offset = document.offsetAt(range.start);
    return { offset, length: document.offsetAt(range.end) - offset, newText: textOf(range) };
  });
  return { uri: document.uri, before: document.getText(), changes };
}

/**
 * The folder of the program that a file belongs to: the nearest one above it in which a stack is recognized, else the root.
 *
 * @param root the folder of the workspace, or of the repository.
 */
async function programFolder(root: vscode.Uri, file?: vscode.Uri): Promise<ProgramFolder> {
  for (let uri = vscode.Uri.joinPath(file ?? root, '..'); isBelow(root, uri); uri = vscode.Uri.joinPath(uri, '..')) {
    const folder = await readFolder(uri);
    if (stacksIn(allStacks(folder)).length > 0) {
      return folder;
    }
  }
  return await readFolder(root);
}

async function readFolder(uri: vscode.Uri): Promise<ProgramFolder> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(uri)).catch(() => []);
  const names = entries.map(([name]) => name);
  const manifest = names.includes('package.json')
    ? await readText(vscode.Uri.joinPath(uri, 'package.json'))
    : undefined;
  return { uri, names, packages: manifest === undefined ? undefined : packagesOf(manifest) };
}
