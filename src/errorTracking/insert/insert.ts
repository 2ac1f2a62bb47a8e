import * as vscode from 'vscode';
import { type Choice, commandAction, type Confirmation, type Dialogs } from '../../accounts/dialogs.ts';
import type { Commands } from '../../common/commands.ts';
import { plainText } from '../../common/inertText.ts';
import { separator, setStatusBarMessage } from '../../common/inertWindow.ts';
import { isBelow } from '../../common/paths.ts';
import { codeLanguageOf } from '../../workspace/languages.ts';
import { parseDsn, shortKey, writtenLike } from '../dsn.ts';
import type { KeyNotes } from '../keyNotes.ts';
import { type CommandTarget, enableActions, sendTestError } from '../labels.ts';
import type { KnownKey, Targets } from '../pick.ts';
import { takesErrors } from '../projects.ts';
import { dsnAtCursor, isInString, languageOf, placeIn, stringAround } from './cursor.ts';
import { defaultVariable, isEnvExample, isEnvFile, isShellScript, readVariable, setVariable } from './envFile.ts';
import {
  type Folder,
  packagesOf,
  type Reading,
  readingOf,
  type Setup,
  setupOf,
  type Stack,
  stacks,
  stacksOf,
} from './stacks.ts';
import { type FileChange, openForChange, readText, type Writer } from './write.ts';

const { t } = vscode.l10n;

/** The folder of a program: where its manifest is, where set-ups and env files go. */
interface ProgramFolder extends Folder {
  readonly uri: vscode.Uri;
}

/** Where a DSN can go. */
type Destination =
  | { readonly kind: 'cursor'; readonly editor: vscode.TextEditor }
  | {
      readonly kind: 'reading';
      readonly editor: vscode.TextEditor;
      readonly reading: Reading;
      readonly file: vscode.Uri;
    }
  | { readonly kind: 'envFile'; readonly file: vscode.Uri }
  | { readonly kind: 'setup'; readonly setup: Setup; readonly folder: ProgramFolder };

/** What a variable of an env file becomes. */
interface Variable {
  readonly file: vscode.Uri;
  readonly name: string;
  readonly dsn: string;
}

/** The commands that bring a DSN where a program reads it. */
export class Insertion {
  readonly #targets: Targets;
  readonly #notes: KeyNotes;
  readonly #writer: Writer;
  readonly #dialogs: Dialogs;
  readonly commands = {
    'beacon.errorTracking.insertDsn': (chosen?: CommandTarget | vscode.Uri) => this.#insert(chosen),
    // A keybinding or task says no place.
    'beacon.errorTracking.moveToEnvironment': (uri?: vscode.Uri, range?: vscode.Range) =>
      uri && range ? this.#move(uri, range) : this.#notifyGone(),
    'beacon.errorTracking.replaceDsn': (uri?: vscode.Uri, range?: vscode.Range, dsn = '') =>
      uri && range ? this.#replace(uri, range, dsn) : this.#notifyGone(),
  } satisfies Commands;

  constructor(targets: Targets, notes: KeyNotes, writer: Writer, dialogs: Dialogs) {
    this.#targets = targets;
    this.#notes = notes;
    this.#writer = writer;
    this.#dialogs = dialogs;
  }

  async #insert(chosen: CommandTarget | vscode.Uri | undefined): Promise<void> {
    const title = t('Insert DSN');
    const editor = vscode.window.activeTextEditor;
    // The menu of an editor says where it was opened.
    const isCursorMeant = chosen instanceof vscode.Uri;
    const known = await this.#targets.key(isCursorMeant ? undefined : chosen, title, 'active');
    if (!known) {
      return;
    }
    const { project, key, facts, tracking } = known;
    const file = editor?.document.uri;
    const ofFile = file && vscode.workspace.getWorkspaceFolder(file)?.uri;
    const root = project.folder ?? ofFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
    const folder = root && (await programFolder(root, file));
    const choices = destinations(editor, folder, isCursorMeant);
    const [only, ...others] = choices;
    if (!only) {
      this.#dialogs.notify(
        'warning',
        t('Open a folder or a file to insert the DSN into.'),
        commandAction(t('Copy DSN'), 'beacon.errorTracking.copyDsn', { project, key }),
      );
      return;
    }
    const placeholder = t('Where the program reads the DSN');
    const destination =
      others.length === 0
        ? only.value
        : await this.#dialogs.choose(this.#targets.withKey(title, known), placeholder, choices);
    if (!destination || !(await this.#insertInto(destination, known))) {
      return;
    }
    this.#notes.noteConnected();
    setStatusBarMessage(this.#targets.withKey(t('DSN inserted'), known), 5000);
    if (!takesErrors(tracking.settings)) {
      this.#dialogs.notify(
        'warning',
        t('The DSN was inserted, but the instance does not track the errors of {0} now.', facts.path),
        ...enableActions(project, tracking.settings),
      );
    }
  }

  /** @returns whether the DSN is there. */
  async #insertInto(destination: Destination, known: KnownKey): Promise<boolean> {
    const dsn = known.key.tracker_dsn;
    switch (destination.kind) {
      case 'cursor': {
        const { document, selections } = destination.editor;
        const textAt = ({ start }: vscode.Selection): string => dsnAtCursor(placeIn(document, start), dsn);
        return await this.#writer.write([changeOf(document, selections, textAt)], { isUnsaved: true });
      }
      case 'reading': {
        const { editor, reading, file } = destination;
        const rest = changeOf(editor.document, editor.selections, () => reading.expression);
        const isWritten = await this.#writeVariable({ file, name: reading.variable, dsn }, known, [rest]);
        return isWritten && this.#notifyVariable(known, file, reading);
      }
      case 'envFile': {
        const { file } = destination;
        if (!(await this.#writeVariable({ file, name: defaultVariable, dsn }, known))) {
          return false;
        }
        await vscode.window.showTextDocument(file, { preview: false });
        const loader = 'python-dotenv, node --env-file';
        return this.#notifyVariable(known, file, { variable: defaultVariable, expression: '', loader });
      }
      case 'setup':
        return await this.#insertSetup(known, destination.setup, destination.folder);
    }
  }

  async #insertSetup(known: KnownKey, setup: Setup, folder: ProgramFolder): Promise<boolean> {
    const file = vscode.Uri.joinPath(folder.uri, setup.file);
    const path = vscode.workspace.asRelativePath(file);
    const before = await readText(file);
    const content = { offset: 0, length: before?.length ?? 0, newText: setup.content };
    const isOther = before !== undefined && before !== setup.content;
    const isMeant =
      !isOther ||
      (await this.#dialogs.confirm({
        question: t('Replace {0}?', path),
        detail: t('The file exists with other content. The replacement can be undone.'),
        verb: t('Replace'),
      }));
    const envFile = vscode.Uri.joinPath(folder.uri, '.env');
    const { variable: name } = setup;
    const variable = { file: envFile, name, dsn: known.key.tracker_dsn };
    const rest = before === setup.content ? [] : [{ uri: file, before, changes: [content] }];
    if (!isMeant || !(await this.#writeVariable(variable, known, rest))) {
      return false;
    }
    await vscode.window.showTextDocument(file, { preview: false });
    const sentences = [
      setup.readsEnvFile === true
        ? t('{0} reads {1}, which is in .env.', path, name)
        : t('{0} reads {1} from the environment. Load .env where you start the program.', path, name),
      setup.isCommand === true ? t('Start with: {0}', setup.use) : t('Add this line to your code: {0}', setup.use),
    ];
    const title = setup.install.includes(' ') ? t('Copy Install Command') : t('Copy Dependency');
    const copy = { title, run: () => vscode.env.clipboard.writeText(setup.install) };
    this.#dialogs.notify('info', sentences.join(' '), copy, sendTestError(known));
    return true;
  }

  /**
   * Gives a variable the DSN, in one step with what is written besides.
   *
   * @param known the key whose DSN it is, if it is known.
   * @returns whether it has the DSN.
   */
  async #writeVariable(
    { file, name, dsn }: Variable,
    known?: KnownKey,
    rest: readonly FileChange[] = [],
  ): Promise<boolean> {
    const before = await readText(file);
    const reading = readVariable(before ?? '', name);
    const change = setVariable(before ?? '', name, dsn, isShellScript(file.path));
    const path = vscode.workspace.asRelativePath(file);
    if (reading === 'unclear' || !change) {
      const sentence = t(
        '{0} may be read differently by programs and shells, so {1} was not changed there.',
        path,
        name,
      );
      this.#dialogs.notify('warning', sentence);
      return false;
    }
    const former = reading === 'missing' ? '' : reading.value;
    const isThere = former === dsn;
    const ask: Confirmation | undefined =
      former === '' || isThere
        ? undefined
        : {
            question: t('Replace {0} in {1}?', name, path),
            detail: [t('Before: {0}', valueLabel(former)), t('After: {0}', valueLabel(dsn))],
            ...(known ? { accountId: known.project.accountId } : {}),
            verb: t('Replace'),
          };
    const files = [...rest, ...(isThere ? [] : [{ uri: file, before, changes: [change] }])];
    return files.length === 0 || (await this.#writer.write(files, { ask, secret: file }));
  }

  #notifyVariable(known: KnownKey, file: vscode.Uri, reading: Reading): true {
    const sentence = this.#targets.named(loadingLabel(reading, file), known.project.accountId);
    this.#dialogs.notify('info', sentence, sendTestError(known));
    return true;
  }

  /** Moves a DSN from code into an env file, and lets the code read the environment. @param range of the DSN in its string. */
  async #move(uri: vscode.Uri, range: vscode.Range): Promise<void> {
    const document = await openForChange(uri);
    const dsn = parseDsn(document.getText(range));
    const literal = dsn && stringAround(document, range);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
    const folder = await programFolder(root, uri);
    const reading = readingOf(codeLanguageOf(uri.path) ?? document.languageId, folder);
    if (!literal || !reading) {
      this.#notifyGone();
      return;
    }
    const file = vscode.Uri.joinPath(folder.uri, '.env');
    const code = changeOf(document, [literal], () => reading.expression);
    if (await this.#writeVariable({ file, name: reading.variable, dsn: dsn.text }, undefined, [code])) {
      this.#dialogs.notify('info', loadingLabel(reading, file));
    }
  }

  /** Puts a DSN in the place of another one. */
  async #replace(uri: vscode.Uri, range: vscode.Range, dsn: string): Promise<void> {
    const document = await openForChange(uri);
    const former = document.getText(range);
    if (!parseDsn(dsn) || !parseDsn(former)) {
      this.#notifyGone();
      return;
    }
    await this.#writer.write([changeOf(document, [range], () => writtenLike(former, dsn))], { isUnsaved: true });
  }

  #notifyGone(): void {
    this.#dialogs.notify(
      'warning',
      t('The DSN is no longer there, it is part of a longer string, or a file has changed meanwhile.'),
    );
  }
}

/** A value of an env file in a question: a DSN by its key, project and host; nothing of what else may be secret but its host. */
function valueLabel(value: string): string {
  const dsn = parseDsn(value);
  if (!dsn) {
    return plainText(URL.parse(value)?.host ?? t('another value'), 60);
  }
  return t(
    'DSN of project {0} at {1}, with client key {2}.',
    dsn.projectId,
    new URL(dsn.origin).host,
    shortKey(dsn.publicKey),
  );
}

/** Says in which env file a variable is, and what loads that. */
function loadingLabel({ variable, loader }: Reading, file: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(file);
  return loader === undefined
    ? t('{0} is in {1}, which the build reads.', variable, path)
    : t('{0} is in {1}. Load it where the program starts, for example by {2}.', variable, path, loader);
}

/** The change of a document that puts a text in the place of each range. */
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
    if (stacksOf(folder).length > 0) {
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

function destinations(
  editor: vscode.TextEditor | undefined,
  folder: ProgramFolder | undefined,
  isCursorMeant: boolean,
): readonly Choice<Destination>[] {
  const atCursor = editor ? cursorDestinations(editor, folder) : [];
  if (!folder) {
    return atCursor;
  }
  const setupFor = (stack: Stack): Choice<Destination> => {
    const setup = setupOf(stack, folder);
    return {
      label: t('SDK Setup for {0}', setup.name),
      iconPath: new vscode.ThemeIcon('symbol-file'),
      description: `${setup.file}, .env`,
      value: { kind: 'setup', setup, folder },
    };
  };
  const fitting = stacksOf(folder, editor?.document.languageId);
  const envFiles = folder.names.filter((name) => isEnvFile(name) && !isEnvExample(name)).toSorted();
  return [
    ...(isCursorMeant ? atCursor : []),
    ...fitting.map(setupFor),
    ...[...new Set(['.env', ...envFiles])].map((name): Choice<Destination> => ({
      label: t('Into {0}', name),
      iconPath: new vscode.ThemeIcon('settings'),
      description: envFiles.includes(name) ? '' : t('new file'),
      value: { kind: 'envFile', file: vscode.Uri.joinPath(folder.uri, name) },
    })),
    ...(isCursorMeant ? [] : atCursor),
    // There are no others where none is above.
    separator(fitting.length === 0 ? '' : t('Other SDK Setups')),
    ...stacks.filter((stack) => !fitting.includes(stack)).map(setupFor),
  ];
}

/** What can be written at the cursor: in code what reads the DSN from the environment, and a string; else what the place takes. */
function cursorDestinations(editor: vscode.TextEditor, folder: ProgramFolder | undefined): Choice<Destination>[] {
  const { document, selection } = editor;
  const place = placeIn(document, selection.start);
  const iconPath = new vscode.ThemeIcon('edit');
  const path = `${vscode.workspace.asRelativePath(document.uri)}:${selection.start.line + 1}`;
  const reading = folder && !isInString(place) ? readingOf(languageOf(place), folder) : undefined;
  const asText: Choice<Destination> = {
    label: reading ? t('As a String, at the Cursor') : t('At the Cursor'),
    iconPath,
    description: path,
    value: { kind: 'cursor', editor },
  };
  if (!folder || !reading) {
    return [asText];
  }
  const file = vscode.Uri.joinPath(folder.uri, '.env');
  return [
    {
      label: t('At the Cursor: {0}', reading.expression),
      iconPath,
      // A narrow list cuts the end.
      description: [t('DSN into {0}', '.env'), path].join(' · '),
      value: { kind: 'reading', editor, reading, file },
    },
    asText,
  ];
}
