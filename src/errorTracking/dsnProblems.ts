import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import type { App } from '../app.ts';
import { escapeMarkdown } from '../common/inertText.ts';
import { Yielder } from '../workspace/batches.ts';
import { codeLanguageOf } from '../workspace/languages.ts';
import { type Dsn, findDsns, parseDsn, shortKey } from './dsn.ts';
import { type DsnFiles, mostOfAll, mostOfFile, type PlacedDsn } from './dsnFiles.ts';
import type { DsnState, DsnStates } from './dsnStates.ts';
import { stringAround } from './insert/cursor.ts';
import { type CommandTarget, failureLabel, settingsLabel } from './labels.ts';
import { type KnownProject, takesErrors } from './projects.ts';

/** What is wrong with a DSN. */
type DsnProblem = 'deletedKey' | 'inactiveKey' | 'wrongProject' | 'hardCodedDsn' | 'notLookedAt';

/** By which quick fixes find theirs. */
const problemSource = 'Beacon';

/** What is wrong with the DSNs of a file, as they are known. Nothing is said that the instance has not confirmed. */
export async function problemsOf(uri: vscode.Uri, files: DsnFiles, states: DsnStates): Promise<vscode.Diagnostic[]> {
  if (vscode.workspace.getConfiguration().get<unknown>('beacon.errorTracking.problems') === false) {
    return [];
  }
  const { dsns, rest } = files.get(uri);
  const problems: vscode.Diagnostic[] = [];
  const yielder = new Yielder();
  for (const placed of dsns) {
    problems.push(...(await problemsOfDsn(uri, placed, states)));
    await yielder.rest();
  }
  if (rest) {
    const message = vscode.l10n.t(
      'This DSN and those after it are not examined: only {0} of a file are, and {1} of a workspace.',
      mostOfFile,
      mostOfAll,
    );
    problems.push(problem('notLookedAt', rest, message, vscode.DiagnosticSeverity.Information));
  }
  return problems;
}

async function problemsOfDsn(
  uri: vscode.Uri,
  { dsn, range }: PlacedDsn,
  states: DsnStates,
): Promise<vscode.Diagnostic[]> {
  const { Error, Warning, Information } = vscode.DiagnosticSeverity;
  const inCode = vscode.l10n.t('A DSN in code cannot be changed without a release: read it from the environment.');
  const state = await states.of(dsn);
  const right = await states.rightProjectFor(uri, dsn);
  return [
    ...(codeLanguageOf(uri.path) === undefined ? [] : [problem('hardCodedDsn', range, inCode, Information)]),
    ...(state.kind === 'deleted' ? [problem('deletedKey', range, keyLabel(state, dsn), Error)] : []),
    ...(state.kind === 'inactive' ? [problem('inactiveKey', range, keyLabel(state, dsn), Warning)] : []),
    ...(right ? [problem('wrongProject', range, wrongProjectLabel(dsn, state, right), Warning)] : []),
  ];
}

function problem(
  code: DsnProblem,
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  return Object.assign(new vscode.Diagnostic(range, message, severity), { source: problemSource, code });
}

function keyLabel({ kind, key }: DsnState & { readonly key?: { readonly id: number } | undefined }, dsn: Dsn): string {
  const name = shortKey(dsn.publicKey);
  const { t } = vscode.l10n;
  switch (kind) {
    case 'active':
      return t('Client key {0} (ID {1}) is active.', name, key?.id ?? '');
    case 'inactive':
      return t('Client key {0} (ID {1}) is inactive: errors that are sent with it are refused.', name, key?.id ?? '');
    default:
      return t('Client key {0} is deleted: errors that are sent with it are lost.', name);
  }
}

function wrongProjectLabel(dsn: Dsn, state: DsnState, right: KnownProject): string {
  const path = pathOf(state) ?? String(dsn.projectId);
  return vscode.l10n.t('This DSN sends errors to {0}, but this is the repository of {1}.', path, right.facts.path);
}

function pathOf(state: DsnState): string | undefined {
  return state.kind === 'foreign' ? undefined : state.kind === 'unknown' ? state.state.facts?.path : state.facts.path;
}

/** What a DSN is, in sentences: key, project, and whether a program that uses it is heard. */
function dsnLabel(dsn: Dsn, state: DsnState): readonly string[] {
  const { t } = vscode.l10n;
  const { host } = new URL(dsn.origin);
  if (state.kind === 'foreign' || state.kind === 'unknown') {
    const path = pathOf(state) ?? dsn.projectId;
    return [
      t('DSN of project {0} at {1}, with client key {2}.', path, host, shortKey(dsn.publicKey)),
      state.kind === 'foreign'
        ? t('You are not signed in to that instance.')
        : state.state.error === undefined
          ? t('It is not known whether the client key works.')
          : failureLabel(state.project, state.state).sentence,
    ];
  }
  const { settings } = state.tracking;
  return [
    t('DSN of project {0} at {1}.', state.facts.path, host),
    keyLabel(state, dsn),
    // That errors are received would contradict that those of this key are not.
    ...(state.kind === 'active' || !takesErrors(settings) ? [settingsLabel(settings).sentence] : []),
  ];
}

/** The longest line in which a DSN is looked for: no longer one is for humans. */
const longestLine = 10_000;

/** Says what the DSN under the pointer is: its project, its key, and whether a program that uses it is heard. */
export async function dsnHover(
  app: App,
  states: DsnStates,
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const { text } = document.lineAt(line);
  const found = (text.length > longestLine ? [] : findDsns(text)).find(
    ({ offset, written }) => offset <= character && character <= offset + written.length,
  );
  if (!found) {
    return undefined;
  }
  const { dsn, offset, written } = found;
  const state = await states.of(dsn);
  // The editor shows problems in the same hover, which is to fit without a scroll bar.
  const problems = vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
  const sentences = dsnLabel(dsn, state).filter((sentence) => !problems.includes(sentence));
  if (state.kind !== 'foreign' && app.accounts.all.length > 1) {
    sentences.push(vscode.l10n.t('The account here is {0}.', accountLabel(state.project.accountId)));
  }
  // A word joiner keeps a shortened key on one line.
  const said = new vscode.MarkdownString(escapeMarkdown(sentences.join(' ').replaceAll('…', '…\u2060')));
  return new vscode.Hover(
    [said, ...commandLinks(state)],
    new vscode.Range(line, offset, line, offset + written.length),
  );
}

/**
 * Links that run commands on the key of a DSN. This Markdown may run these commands and no others, so nothing stands in it that others
 * wrote, but in the arguments, where it is encoded and means a project and a key: what a command does with them comes from the instance.
 */
function commandLinks(state: DsnState): readonly vscode.MarkdownString[] {
  if ((state.kind !== 'active' && state.kind !== 'inactive') || !state.key) {
    return [];
  }
  const { project, facts, key } = state;
  const target: CommandTarget = {
    project: { accountId: project.accountId, idOrPath: facts.id },
    key: { id: key.id, public_key: key.public_key },
  };
  const query = encodeURIComponent(JSON.stringify([target]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  const commands = [
    ['beacon.errorTracking.copyDsn', vscode.l10n.t('Copy DSN…')],
    ['beacon.errorTracking.sendTestError', vscode.l10n.t('Send Test Error')],
    ['beacon.errorTracking.replaceKey', vscode.l10n.t('Replace Key…')],
  ] as const;
  const links = new vscode.MarkdownString();
  links.appendMarkdown(commands.map(([id, title]) => `[${title}](command:${id}?${query})`).join(' · '));
  links.isTrusted = { enabledCommands: commands.map(([id]) => id) };
  return [links];
}

/** At most this many keys are offered in the place of one that does not do. */
const mostKeys = 3;

/** Offers what fixes a problem with a DSN. */
export async function dsnFixes(
  states: DsnStates,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): Promise<vscode.CodeAction[]> {
  const actions: vscode.CodeAction[] = [];
  for (const diagnostic of diagnostics.filter(({ source }) => source === problemSource)) {
    const dsn = parseDsn(document.getText(diagnostic.range));
    const code = diagnostic.code as DsnProblem | undefined;
    if (dsn && code === 'hardCodedDsn' && stringAround(document, diagnostic.range)) {
      const title = vscode.l10n.t('Read the DSN from the environment');
      actions.push(fix(diagnostic, title, 'moveToEnvironment', [document.uri, diagnostic.range]));
    } else if (dsn && code === 'wrongProject') {
      const right = await states.rightProjectFor(document.uri, dsn);
      actions.push(...(right ? replacements(document, diagnostic, right) : []));
    } else if (dsn && (code === 'deletedKey' || code === 'inactiveKey')) {
      const state = await states.of(dsn);
      actions.push(...('tracking' in state ? replacements(document, diagnostic, state) : []));
    }
  }
  return actions;
}

/** Actions that put the DSN of an active key of a project in; one that makes such a key where there is none. */
function replacements(
  { uri }: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  { project, facts, tracking }: KnownProject,
): vscode.CodeAction[] {
  const active = tracking.keys.filter((key) => key.active).slice(0, mostKeys);
  if (active.length === 0) {
    const title = vscode.l10n.t('Create a client key for {0}', facts.path);
    return [fix(diagnostic, title, 'createKey', [{ project }])];
  }
  return active.map((key, index) => {
    const title = vscode.l10n.t('Use the DSN of client key {0} of {1}', shortKey(key.public_key), facts.path);
    const action = fix(diagnostic, title, 'replaceDsn', [uri, diagnostic.range, key.tracker_dsn]);
    action.isPreferred = index === 0;
    return action;
  });
}

function fix(diagnostic: vscode.Diagnostic, title: string, command: string, args: unknown[]): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.command = { command: `beacon.errorTracking.${command}`, title, arguments: args };
  return action;
}
