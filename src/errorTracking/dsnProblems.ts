import * as vscode from 'vscode';
import type { Account } from '../accounts/account.ts';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import { escapeMarkdown, inSequence } from '../common/inertText.ts';
import { Yielder } from '../workspace/batches.ts';
import { codeLanguageOf } from '../workspace/languages.ts';
import { type Dsn, findDsns, parseDsn, shortKey } from './dsn.ts';
import type { DsnPlace } from './dsnFiles.ts';
import { stringAround } from './insert/cursor.ts';
import { type CommandTarget, dsnLabel, failureLabel, settingsLabel } from './labels.ts';
import { type KnownProject, type ProjectState, type Projects, takesErrors, type TrackedProject } from './projects.ts';

const { t } = vscode.l10n;

/** What is known of a DSN, with its project as far as that is known. */
interface DsnState extends ProjectState {
  /**
   * `foreign`: no account here is on the instance that it belongs to. `unknown`: the instance does not say, because of a missing role, a
   * hidden project or a failure.
   */
  readonly kind: 'foreign' | 'unknown' | 'deleted' | 'inactive' | 'active';
  readonly project?: TrackedProject;
  /** Of the last two. */
  readonly key?: ClientKeyRecord;
}

/** By which quick fixes find theirs. */
const problemSource = 'Beacon';
/** At most this many projects are asked about on account of DSNs; a file full of made-up ones is no reason for more. */
const mostProjects = 40;
/** The longest line in which a DSN is looked for: no longer one is for humans. */
const longestLine = 10_000;
/** At most this many keys are offered in the place of one that does not do. */
const mostKeys = 3;

/** What is known of DSNs in files: what is wrong with them, how it is mended, and what they are. */
export function dsnProblems(app: App, projects: Projects) {
  const asked = new Set<string>();

  /** The account on the instance that takes what is sent to a DSN; the one in use before the others. */
  async function accountOf({ origin }: Dsn): Promise<Account | undefined> {
    const { hostname } = new URL(origin);
    const isLocal = hostname === '127.0.0.1' || hostname === 'localhost';
    const { account: inUse } = app.accountInUse;
    for (const account of [...(inUse ? [inUse] : []), ...app.accounts.all]) {
      // The sandbox is on this computer alone, and not started for the sake of other DSNs.
      if (account.kind === 'sandbox' && hostname !== '127.0.0.1') {
        continue;
      }
      const instance = new URL(
        account.kind === 'sandbox' ? (await app.connections.of(account.id)).instanceUrl : account.instanceUrl,
      );
      // Instances may take errors at a host below their own.
      const isBelow = hostname === instance.hostname || hostname.endsWith(`.${instance.hostname}`);
      if (isLocal ? instance.origin === origin : isBelow) {
        return account;
      }
    }
    return undefined;
  }

  /** Whether the key is there and active, asked of the instance where it is not known. */
  async function stateOf(dsn: Dsn): Promise<DsnState> {
    const account = await accountOf(dsn);
    if (!account) {
      return { kind: 'foreign' };
    }
    const project = projects.find({ accountId: account.id, idOrPath: dsn.projectId });
    const name = `${account.id} ${dsn.projectId}`;
    if (!asked.has(name) && asked.size >= mostProjects) {
      return { kind: 'unknown', project };
    }
    asked.add(name);
    const state = await projects.load(project);
    const { facts, tracking, error } = state;
    const key = tracking?.keys.find((candidate) => candidate.public_key === dsn.publicKey);
    if (!facts || !tracking || error !== undefined || (!key && tracking.unreadableKeys > 0)) {
      return { ...state, kind: 'unknown', project };
    }
    return key
      ? { ...state, kind: key.active ? 'active' : 'inactive', project, key }
      : { ...state, kind: 'deleted', project };
  }

  /** The project of the workspace whose DSN a file ought to have, if the one that it has is of another one on the same instance. */
  async function rightProjectFor(file: vscode.Uri, dsn: Dsn): Promise<KnownProject | undefined> {
    const project = projects.projectOf(file);
    if (!project || (await accountOf(dsn))?.id !== project.accountId) {
      return undefined;
    }
    const { facts, tracking } = await projects.load(project);
    return facts && tracking && facts.id !== dsn.projectId ? { project, facts, tracking } : undefined;
  }

  /** What is wrong with the DSNs of a file, as they are known. Nothing is said that the instance has not confirmed. */
  async function problemsOf(places: readonly DsnPlace[]): Promise<vscode.Diagnostic[]> {
    const { Error, Warning, Information } = vscode.DiagnosticSeverity;
    const problems: vscode.Diagnostic[] = [];
    const isOff = vscode.workspace.getConfiguration().get<unknown>('beacon.errorTracking.problems') === false;
    const yielder = new Yielder();
    for (const { uri, range, dsn } of isOff ? [] : places) {
      const add = (code: string, message: string, severity: vscode.DiagnosticSeverity): void => {
        const diagnostic = new vscode.Diagnostic(range, message, severity);
        problems.push(Object.assign(diagnostic, { source: problemSource, code }));
      };
      const state = await stateOf(dsn);
      const right = await rightProjectFor(uri, dsn);
      if (codeLanguageOf(uri.path) !== undefined) {
        const inCode = t('A DSN in code cannot be changed without a release: read it from the environment.');
        add('hardCodedDsn', inCode, Information);
      }
      if (state.kind === 'deleted' || state.kind === 'inactive') {
        add(`${state.kind}Key`, keyLabel(state, dsn), state.kind === 'deleted' ? Error : Warning);
      }
      if (right) {
        const [path, here] = [state.facts?.path ?? dsn.projectId, right.facts.path];
        add('wrongProject', t('This DSN sends errors to {0}, but this is the repository of {1}.', path, here), Warning);
      }
      await yielder.rest();
    }
    return problems;
  }

  /** Says what the DSN under the pointer is: its project, its key, and whether a program that uses it is heard. */
  async function hover(
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
    const state = await stateOf(dsn);
    // The editor shows problems in the same hover, which is to fit without a scroll bar.
    const problems = vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
    const sentences = sentencesOf(dsn, state).filter((sentence) => !problems.includes(sentence));
    const account = state.project ? app.accountInUse.labelOf(state.project.accountId) : '';
    if (account !== '') {
      sentences.push(t('The account here is {0}.', account));
    }
    // A word joiner keeps a shortened key on one line.
    const said = new vscode.MarkdownString(escapeMarkdown(inSequence(...sentences).replaceAll('…', '…\u2060')));
    const range = new vscode.Range(line, offset, line, offset + written.length);
    return new vscode.Hover([said, ...commandLinks(state)], range);
  }

  async function fixes(
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
        const known = diagnostic.code === 'wrongProject' ? await rightProjectFor(uri, dsn) : await stateOf(dsn);
        const { project, facts, tracking }: Partial<DsnState> = known ?? {};
        const active = tracking?.keys.filter((key) => key.active).slice(0, mostKeys) ?? [];
        if (facts && tracking && active.length === 0) {
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

  const anywhere = { pattern: '**' };
  const providers = vscode.Disposable.from(
    vscode.languages.registerHoverProvider(anywhere, {
      provideHover: async (document, position) =>
        vscode.workspace.isTrusted ? await hover(document, position) : undefined,
    }),
    vscode.languages.registerCodeActionsProvider(
      anywhere,
      { provideCodeActions: async (document, _range, { diagnostics }) => await fixes(document, diagnostics) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  return { problemsOf, dispose: () => void providers.dispose() };
}

function keyLabel({ kind, key }: DsnState, dsn: Dsn): string {
  const name = shortKey(dsn.publicKey);
  if (!key) {
    return t('Client key {0} is deleted: errors that are sent with it are lost.', name);
  }
  return kind === 'active'
    ? t('Client key {0} (ID {1}) is active.', name, key.id)
    : t('Client key {0} (ID {1}) is inactive: errors that are sent with it are refused.', name, key.id);
}

function sentencesOf(dsn: Dsn, state: DsnState): readonly string[] {
  const { kind, project, facts, tracking, error } = state;
  const path = facts?.path ?? dsn.projectId;
  if (kind === 'foreign' || kind === 'unknown' || !tracking) {
    const unknown =
      project && error !== undefined
        ? failureLabel(project, state).sentence
        : t('It is not known whether the client key works.');
    return [dsnLabel(dsn, path), kind === 'foreign' ? t('You are not signed in to that instance.') : unknown];
  }
  return [
    t('DSN of project {0} at {1}.', path, new URL(dsn.origin).host),
    keyLabel(state, dsn),
    // That errors are received would contradict that those of this key are not.
    ...(kind === 'active' || !takesErrors(tracking.settings) ? [settingsLabel(tracking.settings).sentence] : []),
  ];
}

/**
 * Links that run commands on the key of a DSN. This Markdown may run these commands and no others, so nothing stands in it that others
 * wrote, but in the arguments, where it is encoded and means a project and a key: what a command does with them comes from the instance.
 */
function commandLinks({ project, facts, key }: DsnState): readonly vscode.MarkdownString[] {
  if (!project || !facts || !key) {
    return [];
  }
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
