import * as vscode from 'vscode';
import type { Dialogs } from '../../accounts/dialogs.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import type { Commands } from '../../common/commands.ts';
import { codeLanguageOf } from '../../workspace/languages.ts';
import { type Dsn, parseDsn, shortKey, writtenLike } from '../dsn.ts';
import { stringAround } from '../insertion/cursorText.ts';
import { findProgramFolder, openForChange, readText } from '../insertion/programFolder.ts';
import { mayReplace, replacedBy, undoActions } from '../insertion/replacedDsn.ts';
import { readVariable } from '../insertion/sdkSetups.ts';
import {
  addReading,
  addVariable,
  applyAndSave,
  type GitIgnoring,
  loadingLabel,
  linkTargetOf,
  mayFollowLinks,
} from '../insertion/workspaceEdits.ts';
import type { TrackedProject } from '../trackedProjects.ts';
import type { DsnProblem } from './dsnDiagnostics.ts';
import type { DsnStates } from './dsnStates.ts';

/** What quick fixes do that have to ask first. */
export class DsnFixes {
  readonly #ignoring: GitIgnoring;
  readonly #dialogs: Dialogs;
  readonly #states: Pick<DsnStates, 'of' | 'pathOf'>;
  readonly commands = {
    // A keybinding or task says no place.
    'beacon.errorTracking.moveToEnvironment': (uri?: vscode.Uri, range?: vscode.Range) =>
      uri && range ? this.move(uri, range) : this.#notifyGone(),
    'beacon.errorTracking.replaceDsn': (uri?: vscode.Uri, range?: vscode.Range, dsn = '') =>
      uri && range ? this.replace(uri, range, dsn) : this.#notifyGone(),
  } satisfies Commands;

  constructor(ignoring: GitIgnoring, dialogs: Dialogs, states: Pick<DsnStates, 'of' | 'pathOf'>) {
    this.#states = states;
    this.#ignoring = ignoring;
    this.#dialogs = dialogs;
  }

  /**
   * Puts a DSN in the place of another one, after asking if the file is a link.
   *
   * @param range where the other DSN is.
   */
  async replace(uri: vscode.Uri, range: vscode.Range, dsn: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const former = document.getText(range);
    if (parseDsn(dsn) && parseDsn(former) && !(await mayFollowLinks([uri], this.#dialogs))) {
      return;
    }
    // The file may have changed while the user was asked.
    if (!parseDsn(dsn) || !parseDsn(former) || document.getText(range) !== former) {
      this.#notifyGone();
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, range, writtenLike(former, dsn));
    await vscode.workspace.applyEdit(edit);
  }

  /**
   * Moves a DSN from code into an env file, and lets the code read the environment. A DSN of the same project there that takes errors
   * stays if the one in the code does not.
   *
   * @param range where the DSN is, as the whole of a string.
   */
  async move(uri: vscode.Uri, range: vscode.Range): Promise<void> {
    const document = await openForChange(uri);
    const written = document.getText(range);
    const dsn = parseDsn(written);
    const literal = stringAround(document, range);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
    const folder = await findProgramFolder(root, uri);
    const languageId = codeLanguageOf(uri.path) ?? document.languageId;
    const read = readVariable(languageId, folder.shape.bundler);
    if (!dsn || !literal || !read) {
      this.#notifyGone();
      return;
    }
    const envFile = vscode.Uri.joinPath(folder.uri, '.env');
    if (!(await mayFollowLinks([uri, envFile], this.#dialogs))) {
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    const variable = { file: envFile, name: read.variable };
    const state = await this.#states.of(dsn);
    const fresh = {
      text: dsn.text,
      pathOf: (one: Dsn) => this.#states.pathOf(one),
      ...('tracking' in state ? { tracking: state.tracking } : {}),
    };
    const before = await readText(envFile);
    const replaced = replacedBy(fresh, before, read.variable);
    const kept =
      replaced?.kind === 'active' && (state.kind === 'inactive' || state.kind === 'deleted')
        ? replaced.keyName
        : undefined;
    if (kept === undefined) {
      if (!(await mayReplace(replaced, variable, fresh, this.#dialogs)) || !(await this.#ignoring.settle(envFile))) {
        return;
      }
    }
    // The files may have changed while the user was asked.
    const isAsShown = kept !== undefined || (await addVariable(edit, variable, dsn.text, before));
    if (!isAsShown || document.getText(range) !== written) {
      this.#notifyGone();
      return;
    }
    addReading(edit, document, languageId, [literal], read.expression);
    if (!(await applyAndSave(edit))) {
      this.#notifyGone();
    } else {
      this.#dialogs.notify(
        'info',
        [
          loadingLabel(read, envFile),
          ...(kept === undefined
            ? []
            : [vscode.l10n.t('It keeps the DSN of client key {0}: errors with that of the code are refused.', kept)]),
        ].join(' '),
        ...(kept === undefined ? undoActions(replaced, variable, dsn.text, this.#dialogs) : []),
      );
    }
  }

  #notifyGone(): void {
    this.#dialogs.notify(
      'warning',
      vscode.l10n.t('The DSN is no longer there, it is part of a longer string, or a file has changed meanwhile.'),
    );
  }
}

/** So many keys are offered in the place of one that does not do. */
const mostKeys = 3;

/** Offers what fixes a problem with a DSN. */
export class DsnQuickFixes implements vscode.CodeActionProvider {
  readonly #states: DsnStates;

  constructor(states: DsnStates) {
    this.#states = states;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const actions: vscode.CodeAction[] = [];
    for (const diagnostic of diagnostics.filter(({ source }) => source === 'Beacon')) {
      const dsn = parseDsn(document.getText(diagnostic.range));
      if (dsn) {
        actions.push(...(await this.#fixesOf(document, diagnostic, dsn)));
      }
    }
    return actions;
  }

  async #fixesOf(
    document: vscode.TextDocument,
    diagnostic: vscode.Diagnostic,
    dsn: Dsn,
  ): Promise<readonly vscode.CodeAction[]> {
    switch (diagnostic.code as DsnProblem | undefined) {
      case 'deletedKey':
      case 'inactiveKey': {
        const state = await this.#states.of(dsn);
        return state.kind === 'deleted' || state.kind === 'inactive'
          ? replacements(document, diagnostic, state.project, state.facts.path, state.tracking.keys)
          : [];
      }
      case 'wrongProject': {
        const right = await this.#states.rightProjectFor(document.uri, dsn);
        return right
          ? replacements(document, diagnostic, right.project, right.facts.path, right.tracking?.keys ?? [])
          : [];
      }
      case 'hardCodedDsn':
        return readFromEnvironment(document, diagnostic);
      default:
        // From another feature of this extension.
        return [];
    }
  }
}

/** Actions that put the DSN of an active key of a project in; one that makes such a key where there is none. */
async function replacements(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  project: TrackedProject,
  path: string,
  keys: readonly ClientKeyRecord[],
): Promise<vscode.CodeAction[]> {
  const active = keys.filter((key) => key.active).slice(0, mostKeys);
  if (active.length === 0) {
    const title = vscode.l10n.t('Create a client key for {0}', path);
    const action = fix(title, diagnostic);
    action.command = { command: 'beacon.errorTracking.createKey', title, arguments: [{ project }] };
    return [action];
  }
  // What is written through a link is asked first, which an edit by itself does not.
  const isLink = (await linkTargetOf(document.uri)) !== undefined;
  return active.map((key, index) => {
    const title = vscode.l10n.t('Use the DSN of client key {0} of {1}', shortKey(key.public_key), path);
    const action = fix(title, diagnostic);
    if (isLink) {
      const args = [document.uri, diagnostic.range, key.tracker_dsn];
      action.command = { command: 'beacon.errorTracking.replaceDsn', title, arguments: args };
    } else {
      action.edit = new vscode.WorkspaceEdit();
      const dsn = writtenLike(document.getText(diagnostic.range), key.tracker_dsn);
      action.edit.replace(document.uri, diagnostic.range, dsn);
    }
    action.isPreferred = index === 0;
    return action;
  });
}

/** An action that moves the DSN into the environment, for one that is a string by itself. */
function readFromEnvironment(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction[] {
  if (!stringAround(document, diagnostic.range)) {
    return [];
  }
  const title = vscode.l10n.t('Read the DSN from the environment');
  const action = fix(title, diagnostic);
  action.command = {
    command: 'beacon.errorTracking.moveToEnvironment',
    title,
    arguments: [document.uri, diagnostic.range],
  };
  return [action];
}

function fix(title: string, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  return action;
}
