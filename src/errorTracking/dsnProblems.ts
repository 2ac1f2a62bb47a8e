import * as vscode from 'vscode';
import { accountLabel } from '../accounts/accountInUse.ts';
import type { App } from '../app.ts';
import { escapeMarkdown } from '../common/inertText.ts';
import { Yielder } from '../workspace/batches.ts';
import { codeLanguageOf } from '../workspace/languages.ts';
import { type Dsn, findDsns, parseDsn, shortKey } from './dsn.ts';
import type { DsnPlace } from './dsnFiles.ts';
import type { DsnState, DsnStates } from './dsnStates.ts';
import { stringAround } from './insert/cursor.ts';
import { type CommandTarget, failureLabel, settingsLabel } from './labels.ts';
import { takesErrors } from './projects.ts';

const { t } = vscode.l10n;

/** By which quick fixes find theirs. */
const problemSource = 'Beacon';

/** What is wrong with the DSNs of a file, as they are known. Nothing is said that the instance has not confirmed. */
export async function problemsOf(places: readonly DsnPlace[], states: DsnStates): Promise<vscode.Diagnostic[]> {
  const { Error, Warning, Information } = vscode.DiagnosticSeverity;
  const problems: vscode.Diagnostic[] = [];
  const yielder = new Yielder();
  for (const { uri, range, dsn } of places) {
    const add = (code: string, message: string, severity: vscode.DiagnosticSeverity): void => {
      const diagnostic = new vscode.Diagnostic(range, message, severity);
      problems.push(Object.assign(diagnostic, { source: problemSource, code }));
    };
    const state = await states.of(dsn);
    const right = await states.rightProjectFor(uri, dsn);
    if (codeLanguageOf(uri.path) !== undefined) {
      const inCode = t('A DSN in code cannot be changed without a release: read it from the environment.');
      add('hardCodedDsn', inCode, Information);
    }
    if (state.kind === 'deleted' || state.kind === 'inactive') {
      add(`${state.kind}Key`, keyLabel(state, dsn), state.kind === 'deleted' ? Error : Warning);
    }
    if (right) {
      const [path, here] = [pathOf(state) ?? dsn.projectId, right.facts.path];
      add('wrongProject', t('This DSN sends errors to {0}, but this is the repository of {1}.', path, here), Warning);
    }
    await yielder.rest();
  }
  return problems;
}

function keyLabel(state: DsnState, dsn: Dsn): string {
  const name = shortKey(dsn.publicKey);
  if (state.kind === 'active') {
    return t('Client key {0} (ID {1}) is active.', name, state.key.id);
  }
  return state.kind === 'inactive'
    ? t('Client key {0} (ID {1}) is inactive: errors that are sent with it are refused.', name, state.key.id)
    : t('Client key {0} is deleted: errors that are sent with it are lost.', name);
}

function pathOf(state: DsnState): string | undefined {
  return state.kind === 'foreign' ? undefined : state.kind === 'unknown' ? state.state.facts?.path : state.facts.path;
}

function dsnLabel(dsn: Dsn, state: DsnState): readonly string[] {
  const { host } = new URL(dsn.origin);
  const path = pathOf(state) ?? dsn.projectId;
  if (state.kind === 'foreign' || state.kind === 'unknown') {
    const sentence = t('DSN of project {0} at {1}, with client key {2}.', path, host, shortKey(dsn.publicKey));
    if (state.kind === 'foreign') {
      return [sentence, t('You are not signed in to that instance.')];
    }
    const { project, state: known } = state;
    return [
      sentence,
      known.error === undefined
        ? t('It is not known whether the client key works.')
        : failureLabel(project, known).sentence,
    ];
  }
  const { settings } = state.tracking;
  return [
    t('DSN of project {0} at {1}.', path, host),
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
    sentences.push(t('The account here is {0}.', accountLabel(state.project.accountId)));
  }
  // A word joiner keeps a shortened key on one line.
  const said = new vscode.MarkdownString(escapeMarkdown(sentences.join(' ').replaceAll('…', '…\u2060')));
  const range = new vscode.Range(line, offset, line, offset + written.length);
  return new vscode.Hover([said, ...commandLinks(state)], range);
}

/**
 * Links that run commands on the key of a DSN. This Markdown may run these commands and no others, so nothing stands in it that others
 * wrote, but in the arguments, where it is encoded and means a project and a key: what a command does with them comes from the instance.
 */
function commandLinks(state: DsnState): readonly vscode.MarkdownString[] {
  if (state.kind !== 'active' && state.kind !== 'inactive') {
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
    ['beacon.errorTracking.copyDsn', t('Copy DSN…')],
    ['beacon.errorTracking.sendTestError', t('Send Test Error')],
    ['beacon.errorTracking.replaceKey', t('Replace Key…')],
  ] as const;
  const links = new vscode.MarkdownString();
  links.appendMarkdown(commands.map(([id, title]) => `[${title}](command:${id}?${query})`).join(' · '));
  links.isTrusted = { enabledCommands: commands.map(([id]) => id) };
  return [links];
}

/** At most this many keys are offered in the place of one that does not do. */
const mostKeys = 3;

export async function dsnFixes(
  states: DsnStates,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): Promise<vscode.CodeAction[]> {
  const { uri } = document;
  const actions: vscode.CodeAction[] = [];
  for (const diagnostic of diagnostics.filter(({ source }) => source === problemSource)) {
    const dsn = parseDsn(document.getText(diagnostic.range));
    const add = (title: string, command: string, args: unknown[]): vscode.CodeAction => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.command = { command: `beacon.errorTracking.${command}`, title, arguments: args };
      actions.push(action);
      return action;
    };
    if (dsn && diagnostic.code !== 'hardCodedDsn') {
      const known = diagnostic.code === 'wrongProject' ? await states.rightProjectFor(uri, dsn) : await states.of(dsn);
      const { project, facts, tracking } = known && 'tracking' in known ? known : {};
      const active = tracking?.keys.filter((key) => key.active).slice(0, mostKeys) ?? [];
      if (facts && active.length === 0) {
        add(t('Create a client key for {0}', facts.path), 'createKey', [{ project }]);
      }
      active.forEach((key, index) => {
        const title = t('Use the DSN of client key {0} of {1}', shortKey(key.public_key), facts?.path ?? '');
        add(title, 'replaceDsn', [uri, diagnostic.range, key.tracker_dsn]).isPreferred = index === 0;
      });
    } else if (dsn && stringAround(document, diagnostic.range)) {
      add(t('Read the DSN from the environment'), 'moveToEnvironment', [uri, diagnostic.range]);
    }
  }
  return actions;
}
