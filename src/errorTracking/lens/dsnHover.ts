import * as vscode from 'vscode';
import { escapeMarkdown } from '../../common/inertText.ts';
import { type Dsn, findDsns, shortKey } from '../dsn.ts';
import { failureLabel } from '../messageRows.ts';
import { settingsLabel, takesErrors } from '../projectStates.ts';
import type { CommandTarget } from '../targets.ts';
import type { DsnState, DsnStates, RightProject } from './dsnStates.ts';

/** What a DSN is, in sentences: key, project, and whether a program that uses it is heard. */
export function dsnLabel(dsn: Dsn, state: DsnState, right: RightProject | undefined): readonly string[] {
  const host = new URL(dsn.origin).host;
  const key = shortKey(dsn.publicKey);
  switch (state.kind) {
    case 'foreign':
      return [
        vscode.l10n.t('DSN of project {0} at {1}, with client key {2}.', dsn.projectId, host, key),
        vscode.l10n.t('You are not signed in to that instance.'),
      ];
    case 'untold':
      return [
        vscode.l10n.t('DSN of project {0} at {1}, with client key {2}.', state.facts?.path ?? dsn.projectId, host, key),
        state.error === undefined
          ? vscode.l10n.t('It is not known whether the client key works.')
          : failureLabel(state.project, state).sentence,
      ];
    case 'active':
    case 'inactive':
    case 'deleted':
      return [
        vscode.l10n.t('DSN of project {0} at {1}.', state.facts.path, host),
        keyLabel(state.kind, key, state.key?.id),
        // That errors are received would contradict that those of this key are not.
        ...(state.kind === 'active' || !takesErrors(state.tracking.settings)
          ? [settingsLabel(state.tracking.settings).sentence]
          : []),
        ...(right ? [wrongProjectLabel(state.facts.path, right)] : []),
      ];
  }
}

export function keyLabel(kind: 'active' | 'inactive' | 'deleted', key: string, id: number | undefined): string {
  switch (kind) {
    case 'active':
      return vscode.l10n.t('Client key {0} (ID {1}) is active.', key, id ?? '');
    case 'inactive':
      return vscode.l10n.t(
        'Client key {0} (ID {1}) is inactive: errors that are sent with it are refused.',
        key,
        id ?? '',
      );
    case 'deleted':
      return vscode.l10n.t('Client key {0} is deleted: errors that are sent with it are lost.', key);
  }
}

export function wrongProjectLabel(path: string, right: RightProject): string {
  return vscode.l10n.t('This DSN sends errors to {0}, but this is the repository of {1}.', path, right.facts.path);
}

/** Says what the DSN under the pointer is: its project, its key, and whether a program that uses it is heard. */
export class DsnHover implements vscode.HoverProvider {
  readonly #states: Pick<DsnStates, 'of' | 'rightProjectFor' | 'accountLabel'>;

  constructor(states: Pick<DsnStates, 'of' | 'rightProjectFor' | 'accountLabel'>) {
    this.#states = states;
  }

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const found = dsnAt(document, position);
    if (!found) {
      return undefined;
    }
    const { dsn, range } = found;
    const [state, right] = await Promise.all([
      this.#states.of(dsn),
      this.#states.rightProjectFor(document.uri, dsn).catch(() => undefined),
    ]);
    // The editor shows problems in the same hover, which is to fit without a scroll bar.
    const problems = vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
    const account = state.kind === 'foreign' ? undefined : this.#states.accountLabel(state.project);
    const sentences = [
      ...dsnLabel(dsn, state, right).filter((sentence) => !problems.includes(sentence)),
      ...(account === undefined ? [] : [vscode.l10n.t('The account here is {0}.', account)]),
    ];
    // The spaces of `appendText` break no line, so that words would. A word joiner keeps a shortened key on one line.
    const text = new vscode.MarkdownString(escapeMarkdown(sentences.join(' ').replaceAll('…', '…\u2060')));
    return new vscode.Hover([text, ...commandLinks(state)], range);
  }
}

/**
 * Links that run commands on the key of a DSN. This Markdown may run these commands and no others, so nothing stands in it that others
 * wrote, but in the arguments, where it is encoded and means a project and a key: what a command does with them comes from the instance.
 */
function commandLinks(state: DsnState): readonly vscode.MarkdownString[] {
  if (state.kind === 'foreign') {
    // Without an address: that of the DSN comes from a file, and a token must not follow it.
    return [linksTo([['beacon.signIn', vscode.l10n.t('Sign In…')]])];
  }
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
    ['beacon.errorTracking.copyDsn', vscode.l10n.t('Copy DSN')],
    ['beacon.errorTracking.sendTestError', vscode.l10n.t('Send Test Error')],
    ['beacon.errorTracking.rotateKey', vscode.l10n.t('Rotate…')],
  ] as const;
  return [linksTo(commands, `?${query}`)];
}

function linksTo(commands: readonly (readonly [id: string, title: string])[], query = ''): vscode.MarkdownString {
  const links = new vscode.MarkdownString();
  links.appendMarkdown(commands.map(([id, title]) => `[${title}](command:${id}${query})`).join(' · '));
  links.isTrusted = { enabledCommands: commands.map(([id]) => id) };
  return links;
}

/** The DSN at a position of a document. Reads only that line, and no line that is too long for a human. */
function dsnAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): { readonly dsn: Dsn; readonly range: vscode.Range } | undefined {
  const { text } = document.lineAt(position);
  if (text.length > 10_000) {
    return undefined;
  }
  for (const { dsn, offset, written } of findDsns(text)) {
    const range = new vscode.Range(position.line, offset, position.line, offset + written.length);
    if (range.contains(position)) {
      return { dsn, range };
    }
  }
  return undefined;
}
