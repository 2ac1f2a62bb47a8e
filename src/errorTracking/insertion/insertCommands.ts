import * as vscode from 'vscode';
import { type Choice, commandAction, type Dialogs } from '../../accounts/dialogs.ts';
import type { Action } from '../../accounts/problem.ts';
import type { Commands } from '../../common/commands.ts';
import { separator, setStatusBarMessage } from '../../common/inertWindow.ts';
import { isBelow } from '../../common/paths.ts';
import { enableActions } from '../messageRows.ts';
import { takesErrors } from '../projectStates.ts';
import type { KeyFacts } from '../keyFacts.ts';
import { type CommandTarget, type ResolvedKey, sendTestError, type TargetResolver } from '../targets.ts';
import { copyForms } from './copyForms.ts';
import { type Dsn, DsnSearch, isSameProject, parseDsn } from '../dsn.ts';
import { dsnAtCursor, isInString, languageOf, placeIn, stringAround } from './cursorText.ts';
import { defaultVariable } from './envFile.ts';
import { findProgramFolder, type ProgramFolder, readText } from './programFolder.ts';
import { mayReplace, type NewDsn, type PathOf, peek, replacedBy, replacedLabel, undoActions } from './replacedDsn.ts';
import {
  allStacks,
  readVariable,
  sdkSetup,
  type SdkSetup,
  type Stack,
  stacksFor,
  type VariableReading,
} from './sdkSetups.ts';
import {
  addReading,
  addVariable,
  applyAndSave,
  createFile,
  type EnvVariable,
  type GitIgnoring,
  loadingLabel,
  mayFollowLinks,
} from './workspaceEdits.ts';

/** Where a DSN can go. */
type Destination = Place & {
  /** What was shown to the user as replaced. */
  readonly shown?: string;
};
type Place =
  | { readonly kind: 'cursor'; readonly editor: vscode.TextEditor }
  | {
      readonly kind: 'environment';
      readonly editor: vscode.TextEditor;
      readonly reading: EnvironmentReading;
      /** A string that is a DSN of the project, in the place of which it is read; at the cursors if there is none. */
      readonly literal?: { readonly range: vscode.Range; readonly text: string };
    }
  | { readonly kind: 'envFile'; readonly file: vscode.Uri }
  | { readonly kind: 'setup'; readonly setup: SdkSetup; readonly folder: ProgramFolder };

/** How code at the cursor gets the DSN from the environment. */
interface EnvironmentReading extends VariableReading {
  readonly languageId: string;
  /** Gets the variable. */
  readonly envFile: vscode.Uri;
}

export interface InsertDeps {
  readonly targets: TargetResolver;
  readonly ignoring: GitIgnoring;
  readonly dialogs: Dialogs;
  readonly keyFacts: Pick<KeyFacts, 'noteInsertion'>;
  readonly pathOf: PathOf;
  /** Those of the workspace. */
  readonly folders?: () => readonly vscode.Uri[];
}

/** What became of the place that was chosen. */
type Insertion = 'inserted' | 'wasThere';

/** So many characters of a document are searched for DSNs, and so many DSNs are places to insert another one. */
const mostSearched = 1_000_000;
const mostLiterals = 3;

/** What so many destinations replace is said with them; of others when they are chosen. */
const mostDescribed = 50;

/** Brings the DSN of an active client key where a program reads it, or onto the clipboard in the form that is needed. */
export class InsertCommands {
  readonly #targets: TargetResolver;
  readonly #ignoring: GitIgnoring;
  readonly #dialogs: Dialogs;
  readonly #keyFacts: Pick<KeyFacts, 'noteInsertion'>;
  readonly #pathOf: PathOf;
  readonly #folders: () => readonly vscode.Uri[];
  readonly commands = {
    'beacon.errorTracking.insertDsn': (chosen?: CommandTarget) => this.insert(chosen),
    'beacon.errorTracking.copyAs': (chosen?: CommandTarget) => this.copyAs(chosen),
  } satisfies Commands;

  constructor({ targets, ignoring, dialogs, keyFacts, pathOf, folders }: InsertDeps) {
    this.#targets = targets;
    this.#ignoring = ignoring;
    this.#dialogs = dialogs;
    this.#keyFacts = keyFacts;
    this.#pathOf = pathOf;
    this.#folders = folders ?? (() => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri));
  }

  async copyAs(chosen?: CommandTarget): Promise<void> {
    const title = vscode.l10n.t('Copy DSN As');
    const known = await this.#targets.key(chosen, title, 'active');
    const text =
      known &&
      (await this.#dialogs.choose(
        this.#targets.withKey(title, known),
        vscode.l10n.t('Choose a format'),
        copyForms(known.key.tracker_dsn).map(({ label, detail, text: value }) => ({
          label,
          description: detail,
          value,
        })),
      ));
    if (text !== undefined) {
      await vscode.env.clipboard.writeText(text);
    }
  }

  async insert(chosen?: CommandTarget): Promise<void> {
    const title = vscode.l10n.t('Insert DSN');
    const editor = vscode.window.activeTextEditor;
    const known = await this.#targets.key(chosen, title, 'active');
    if (!known) {
      return;
    }
    const { project, key, facts, tracking } = known;
    const folder = await programFolder(known, this.#folders(), editor?.document.uri);
    if (!editor && !folder) {
      this.#dialogs.notify(
        'warning',
        vscode.l10n.t('Open a folder or a file to insert the DSN into.'),
        commandAction(vscode.l10n.t('Copy DSN'), 'beacon.errorTracking.copyDsn', { project, key }),
      );
      return;
    }
    // The menu of an editor says where it was opened.
    const choices = await describe(
      destinations(editor, folder, (chosen as unknown) instanceof vscode.Uri, parseDsn(key.tracker_dsn)),
      this.#newDsn(known),
    );
    const destination =
      choices.length === 1
        ? choices[0]?.value
        : await this.#dialogs.choose(
            this.#targets.withKey(title, known),
            vscode.l10n.t('Where the program reads the DSN'),
            choices,
          );
    const done = destination && (await this.#insertInto(destination, known));
    if (done === undefined) {
      return;
    }
    this.#keyFacts.noteInsertion();
    setStatusBarMessage(
      this.#targets.withKey(
        done === 'inserted'
          ? vscode.l10n.t('DSN inserted')
          : vscode.l10n.t('Nothing changed, the DSN was there already'),
        known,
      ),
      5000,
    );
    if (!takesErrors(tracking.settings)) {
      this.#dialogs.notify(
        'warning',
        vscode.l10n.t('The DSN was inserted, but the instance does not track the errors of {0} now.', facts.path),
        ...enableActions(project, tracking.settings),
      );
    }
  }

  /** @returns undefined if the DSN is not there. */
  async #insertInto(destination: Destination, known: ResolvedKey): Promise<Insertion | undefined> {
    switch (destination.kind) {
      case 'cursor':
        return this.#applied(
          await insertAtCursor(destination.editor, known.key.tracker_dsn),
          destination.editor.document.uri,
        )
          ? 'inserted'
          : undefined;
      case 'environment':
        return await this.#insertReading(known, destination);
      case 'envFile':
        return await this.#insertIntoEnvFile(known, destination);
      case 'setup':
        return await this.#insertSetup(known, destination);
    }
  }

  /** Lets code read the DSN from the environment, and puts the DSN into the env file. */
  async #insertReading(
    known: ResolvedKey,
    { editor, reading, literal, shown }: Destination & { readonly kind: 'environment' },
  ): Promise<Insertion | undefined> {
    const { document } = editor;
    const { languageId, expression, variable, envFile } = reading;
    if (!(await mayFollowLinks([document.uri, envFile], this.#dialogs))) {
      return undefined;
    }
    const edit = new vscode.WorkspaceEdit();
    const variableInFile = { file: envFile, name: variable };
    const undo = await this.#writeVariable(edit, variableInFile, known, shown, document.uri, () => {
      const isThere = !literal || document.getText(literal.range) === literal.text;
      if (isThere) {
        addReading(edit, document, languageId, literal ? [literal.range] : editor.selections, expression);
      }
      return isThere;
    });
    if (!undo) {
      return undefined;
    }
    this.#notifyVariable(known, envFile, reading, undo);
    return 'inserted';
  }

  async #insertIntoEnvFile(
    known: ResolvedKey,
    { file, shown }: Destination & { readonly kind: 'envFile' },
  ): Promise<Insertion | undefined> {
    if (!(await mayFollowLinks([file], this.#dialogs))) {
      return undefined;
    }
    const before = await readText(file);
    const edit = new vscode.WorkspaceEdit();
    const undo = await this.#writeVariable(edit, { file, name: defaultVariable }, known, shown, file);
    if (!undo) {
      return undefined;
    }
    await vscode.window.showTextDocument(file, { preview: false });
    this.#notifyVariable(known, file, { variable: defaultVariable, loader: 'python-dotenv, node --env-file' }, undo);
    return before !== undefined && before === (await readText(file)) ? 'wasThere' : 'inserted';
  }

  #notifyVariable(
    known: ResolvedKey,
    file: vscode.Uri,
    reading: Pick<VariableReading, 'variable' | 'loader'>,
    undo: readonly Action[],
  ): void {
    const sentence = this.#targets.named(loadingLabel(reading, file), known.project.accountId);
    this.#dialogs.notify('info', sentence, sendTestError(known), ...undo);
  }

  /**
   * Gives a variable the DSN, in one step with what an edit has already.
   *
   * @param shown what was shown to the user as replaced.
   * @param subject the file that is named if the editor refuses.
   * @param addRest adds what the edit does besides, as the files are by then; false if they are no longer what was shown.
   * @returns the button that undoes it, if something was replaced; undefined if nothing was written.
   */
  async #writeVariable(
    edit: vscode.WorkspaceEdit,
    variable: EnvVariable,
    known: ResolvedKey,
    shown: string | undefined,
    subject: vscode.Uri,
    addRest: () => boolean | Promise<boolean> = () => true,
  ): Promise<readonly Action[] | undefined> {
    const { file, name } = variable;
    const dsn = this.#newDsn(known);
    const before = await readText(file);
    const replaced = replacedBy(dsn, before, name);
    if (!(await mayReplace(replaced, variable, dsn, this.#dialogs, shown)) || !(await this.#ignoring.settle(file))) {
      return undefined;
    }
    // The files may have changed while the user was asked.
    const isAsShown = (await addVariable(edit, variable, dsn.text, before)) && (await addRest());
    if (!this.#applied(isAsShown && (await applyAndSave(edit)), subject)) {
      return undefined;
    }
    return undoActions(replaced, variable, dsn.text, this.#dialogs);
  }

  #newDsn({ key, facts, tracking, project }: ResolvedKey): NewDsn {
    const { path } = facts;
    return { text: key.tracker_dsn, path, tracking, accountId: project.accountId, pathOf: this.#pathOf };
  }

  /** Says if the editor has refused a change, such as that of a file that is read-only. */
  #applied(isApplied: boolean, file: vscode.Uri): boolean {
    if (!isApplied) {
      const path = vscode.workspace.asRelativePath(file);
      this.#dialogs.notify(
        'warning',
        vscode.l10n.t('{0} has changed meanwhile, or cannot be changed; nothing was inserted.', path),
      );
    }
    return isApplied;
  }

  /** @returns undefined if the set-up is not there. */
  async #insertSetup(
    known: ResolvedKey,
    { setup, folder, shown }: Destination & { readonly kind: 'setup' },
  ): Promise<Insertion | undefined> {
    const file = vscode.Uri.joinPath(folder.uri, setup.file);
    const envFile = vscode.Uri.joinPath(folder.uri, '.env');
    if (!(await mayFollowLinks([file, envFile], this.#dialogs))) {
      return undefined;
    }
    const edit = new vscode.WorkspaceEdit();
    const content = await readText(file);
    if (content !== undefined && content !== setup.content) {
      const isMeant = await this.#dialogs.confirm({
        question: vscode.l10n.t('Replace {0}?', vscode.workspace.asRelativePath(file)),
        detail: vscode.l10n.t('The file exists with other content. The replacement can be undone.'),
        verb: vscode.l10n.t('Replace'),
      });
      if (!isMeant) {
        return undefined;
      }
    }
    const variable = { file: envFile, name: setup.variable };
    const undo = await this.#writeVariable(edit, variable, known, shown, file, async () => {
      if (content === undefined) {
        createFile(edit, file, setup.content);
      } else if (content !== setup.content) {
        const document = await vscode.workspace.openTextDocument(file);
        edit.replace(
          file,
          new vscode.Range(new vscode.Position(0, 0), document.positionAt(content.length)),
          setup.content,
        );
      }
      return (await readText(file)) === content;
    });
    if (!undo) {
      return undefined;
    }
    await vscode.window.showTextDocument(file, { preview: false });
    const path = vscode.workspace.asRelativePath(file);
    this.#dialogs.notify(
      'info',
      [
        setup.readsEnvFile
          ? vscode.l10n.t('{0} reads {1}, which is in .env.', path, setup.variable)
          : vscode.l10n.t(
              '{0} reads {1} from the environment. Load .env where you start the program.',
              path,
              setup.variable,
            ),
        setup.isCommand
          ? vscode.l10n.t('Start with: {0}', setup.use)
          : vscode.l10n.t('Add this line to your code: {0}', setup.use),
      ].join(' '),
      {
        title: setup.install.includes(' ') ? vscode.l10n.t('Copy Install Command') : vscode.l10n.t('Copy Dependency'),
        run: () => vscode.env.clipboard.writeText(setup.install),
      },
      sendTestError(known),
      ...undo,
    );
    return 'inserted';
  }
}

/** The folder of the program that is meant: that of the project's repository, or of the file that is edited. */
async function programFolder(
  { project }: ResolvedKey,
  folders: readonly vscode.Uri[],
  file: vscode.Uri | undefined,
): Promise<ProgramFolder | undefined> {
  const ofFile = file && vscode.workspace.getWorkspaceFolder(file);
  const root = project.folder ?? ofFile?.uri ?? folders[0];
  return root && (await findProgramFolder(root, file));
}

function destinations(
  editor: vscode.TextEditor | undefined,
  folder: ProgramFolder | undefined,
  isCursorMeant: boolean,
  dsn: Dsn | undefined,
): readonly Choice<Destination>[] {
  const atCursor = editor ? cursorDestinations(editor, folder) : [];
  if (!folder) {
    return atCursor;
  }
  const { envFiles, shape, uri } = folder;
  const setupFor = (stack: Stack): Choice<Destination> => {
    const setup = sdkSetup(stack, shape);
    return {
      label: vscode.l10n.t('SDK Setup for {0}', setup.name),
      iconPath: new vscode.ThemeIcon('symbol-file'),
      description: `${setup.file}, .env`,
      value: { kind: 'setup', setup, folder },
    };
  };
  const stacks = stacksFor(editor?.document.languageId, shape);
  const files = envFiles.includes('.env') ? envFiles : ['.env', ...envFiles];
  return [
    ...(isCursorMeant ? atCursor : []),
    ...(editor && dsn ? literalDestinations(editor, folder, dsn) : []),
    ...stacks.map(setupFor),
    ...files.map((name): Choice<Destination> => ({
      label: vscode.l10n.t('Into {0}', name),
      iconPath: new vscode.ThemeIcon('settings'),
      description: envFiles.includes(name) ? '' : vscode.l10n.t('new file'),
      value: { kind: 'envFile', file: vscode.Uri.joinPath(uri, name) },
    })),
    ...(isCursorMeant ? [] : atCursor),
    // There are no others where none is above.
    separator(stacks.length === 0 ? '' : vscode.l10n.t('Other SDK Setups')),
    ...allStacks.filter((stack) => !stacks.includes(stack)).map(setupFor),
  ];
}

/** Says on destinations what they replace. That an env file has the DSN already, or that of another project, which is asked about, it alone says. */
async function describe(choices: readonly Choice<Destination>[], dsn: NewDsn): Promise<readonly Choice<Destination>[]> {
  return await Promise.all(
    choices.map(async (choice, index) => {
      const variable = choice.value && variableOf(choice.value);
      const replaced =
        variable && index < mostDescribed ? replacedBy(dsn, await peek(variable.file), variable.name) : undefined;
      if (!choice.value || !replaced) {
        return choice;
      }
      const shown = replacedLabel(replaced);
      const isNews = !['sameKey', 'elsewhere'].includes(replaced.kind) || choice.value.kind === 'envFile';
      return { ...choice, ...(isNews ? { detail: shown } : {}), value: { ...choice.value, shown } };
    }),
  );
}

/** The variable that gets the DSN. */
function variableOf(place: Place): EnvVariable | undefined {
  switch (place.kind) {
    case 'cursor':
      return undefined;
    case 'environment':
      return { file: place.reading.envFile, name: place.reading.variable };
    case 'envFile':
      return { file: place.file, name: defaultVariable };
    case 'setup':
      return { file: vscode.Uri.joinPath(place.folder.uri, '.env'), name: place.setup.variable };
  }
}

/** What can be written at the cursor: in code what reads the DSN from the environment, and a string; else what the place takes. */
function cursorDestinations(
  editor: vscode.TextEditor,
  folder: ProgramFolder | undefined,
): readonly Choice<Destination>[] {
  const { document, selection } = editor;
  const place = placeIn(document, selection.start);
  const iconPath = new vscode.ThemeIcon('edit');
  const path = `${vscode.workspace.asRelativePath(document.uri)}:${selection.start.line + 1}`;
  const languageId = languageOf(place);
  const read = folder && !isInString(place) ? readVariable(languageId, folder.shape.bundler) : undefined;
  if (!folder || !read) {
    return [{ label: vscode.l10n.t('At the Cursor'), iconPath, description: path, value: { kind: 'cursor', editor } }];
  }
  return [
    readingChoice(editor, folder, { ...read, languageId }),
    {
      label: vscode.l10n.t('As a String, at the Cursor'),
      iconPath,
      description: path,
      value: { kind: 'cursor', editor },
    },
  ];
}

/** Lets code read the DSN from the environment: in the place of a string, or at the cursor. */
function readingChoice(
  editor: vscode.TextEditor,
  folder: ProgramFolder,
  reading: Omit<EnvironmentReading, 'envFile'>,
  literal?: vscode.Range,
): Choice<Destination> {
  const { document, selection } = editor;
  const line = (literal ?? selection).start.line + 1;
  const path = `${vscode.workspace.asRelativePath(document.uri)}:${line}`;
  const { expression } = reading;
  const envFile = vscode.Uri.joinPath(folder.uri, '.env');
  return {
    label: literal
      ? vscode.l10n.t('Instead of the DSN in Line {0}: {1}', line, expression)
      : vscode.l10n.t('At the Cursor: {0}', expression),
    iconPath: new vscode.ThemeIcon('edit'),
    // A narrow list cuts the end.
    description: [vscode.l10n.t('DSN into {0}', '.env'), path].join(' · '),
    value: {
      kind: 'environment',
      editor,
      reading: { ...reading, envFile },
      ...(literal ? { literal: { range: literal, text: document.getText(literal) } } : {}),
    },
  };
}

/** Strings of the program's code that are a DSN of the project, in whose place it can be read from the environment. */
function literalDestinations(
  editor: vscode.TextEditor,
  folder: ProgramFolder,
  own: Dsn,
): readonly Choice<Destination>[] {
  const { document } = editor;
  if (!isBelow(folder.uri, document.uri)) {
    return [];
  }
  const search = new DsnSearch(document.getText());
  search.advance(mostSearched, mostLiterals);
  const found = search.found.filter(({ dsn }) => isSameProject(dsn, own));
  return found.flatMap(({ offset, written }): readonly Choice<Destination>[] => {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + written.length));
    const literal = stringAround(document, range);
    const languageId = languageOf(placeIn(document, range.start));
    const read = readVariable(languageId, folder.shape.bundler);
    return literal && read ? [readingChoice(editor, folder, { ...read, languageId }, literal)] : [];
  });
}

/** Puts a DSN in the place of each selection, as the place takes it. */
async function insertAtCursor(editor: vscode.TextEditor, dsn: string): Promise<boolean> {
  const { document } = editor;
  const edit = new vscode.WorkspaceEdit();
  for (const selection of editor.selections) {
    edit.replace(document.uri, selection, dsnAtCursor(placeIn(document, selection.start), dsn));
  }
  return await vscode.workspace.applyEdit(edit);
}
