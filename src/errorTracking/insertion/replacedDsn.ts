import * as vscode from 'vscode';
import type { Dialogs } from '../../accounts/dialogs.ts';
import { plainText } from '../../common/inertText.ts';
import { textOfBytes } from '../../workspace/batches.ts';
import { type Dsn, parseDsn, shortKey } from '../dsn.ts';
import type { ErrorTrackingState } from '../projectStates.ts';
import { variableOf } from './envFile.ts';
import { targetOutside } from './workspaceEdits.ts';

/** A variable of an env file. */
export interface EnvVariable {
  readonly file: vscode.Uri;
  readonly name: string;
}

/** What a variable has until a DSN replaces it. */
export type Replaced =
  | { readonly kind: 'sameKey' }
  /** Another key of the same project; `unknown` where its keys are not known. */
  | { readonly kind: 'active' | 'inactive' | 'deleted' | 'unknown'; readonly keyName: string }
  /** A DSN of another project or another tracker. */
  | { readonly kind: 'elsewhere'; readonly host: string }
  | { readonly kind: 'other'; readonly name: string };

/** Longer env files are not looked at before they are chosen. */
const mostBytes = 1024 * 1024;

/**
 * The text of an env file, if it can be had without a trace: other extensions see what is opened, reading a pipe waits for who
 * fills it, and a link out of the workspace is followed after a question.
 */
export async function peek(file: vscode.Uri): Promise<string | undefined> {
  const opened = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (opened) {
    return opened.getText();
  }
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    const isRead =
      (type & vscode.FileType.File) !== 0 && size <= mostBytes && (await targetOutside(file)) === undefined;
    return isRead ? textOfBytes(await vscode.workspace.fs.readFile(file)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a variable has that a DSN is to replace; undefined if it has no value.
 *
 * @param text of the env file.
 * @param tracking of the project of the DSN, if it is known.
 */
export function replacedBy(
  dsn: string,
  text: string | undefined,
  name: string,
  tracking?: Pick<ErrorTrackingState, 'keys' | 'unreadableKeys'>,
): Replaced | undefined {
  // Env files of some programs quote with backticks.
  const before = variableOf(text ?? '', name)
    ?.replaceAll('`', '')
    .trim();
  if (before === undefined || before === '') {
    return undefined;
  }
  if (before === dsn) {
    return { kind: 'sameKey' };
  }
  const [old, fresh] = [parseDsn(before), parseDsn(dsn)];
  if (!old || !fresh || projectOf(old) !== projectOf(fresh)) {
    return /^https?:/i.test(before)
      ? { kind: 'elsewhere', host: plainText(URL.parse(before)?.host ?? before, 60) }
      : { kind: 'other', name };
  }
  if (old.publicKey === fresh.publicKey) {
    return { kind: 'sameKey' };
  }
  const key = tracking?.keys.find(({ public_key: publicKey }) => publicKey === old.publicKey);
  const missing = tracking?.unreadableKeys === 0 ? 'deleted' : 'unknown';
  return { kind: key ? (key.active ? 'active' : 'inactive') : missing, keyName: shortKey(old.publicKey) };
}

/** Says what is replaced, before it is. */
export function replacedLabel(replaced: Replaced): string {
  switch (replaced.kind) {
    case 'sameKey':
      return vscode.l10n.t('Has the DSN of this client key already.');
    case 'active':
      return vscode.l10n.t('Replaces the DSN of the active client key {0}.', replaced.keyName);
    case 'inactive':
      return vscode.l10n.t(
        'Replaces the DSN of client key {0}, which is inactive: errors with it are refused.',
        replaced.keyName,
      );
    case 'deleted':
      return vscode.l10n.t(
        'Replaces the DSN of client key {0}, which is deleted: errors with it are refused.',
        replaced.keyName,
      );
    case 'unknown':
      return vscode.l10n.t('Replaces the DSN of client key {0}.', replaced.keyName);
    case 'elsewhere':
      return vscode.l10n.t('Replaces the DSN of another project at {0}, after asking.', replaced.host);
    case 'other':
      return vscode.l10n.t('Replaces the value of {0}.', replaced.name);
  }
}

/**
 * Asks before errors go elsewhere than they did: to another project, to which a program may report on purpose, or to a key that
 * works as well as the one before. What refuses errors is replaced without a question.
 *
 * @param shown what the user was told is replaced, if anything was.
 */
export async function mayReplace(
  replaced: Replaced | undefined,
  { file, name }: EnvVariable,
  dialogs: Dialogs,
  shown?: string,
): Promise<boolean> {
  const detail = replaced && lossLabel(replaced);
  const wasChosen = replaced && replaced.kind !== 'elsewhere' && replacedLabel(replaced) === shown;
  if (detail === undefined || wasChosen) {
    return true;
  }
  return await dialogs.confirm({
    question: vscode.l10n.t('Replace {0} in {1}?', name, vscode.workspace.asRelativePath(file)),
    detail,
    verb: vscode.l10n.t('Replace'),
  });
}

/** What may be missed afterwards; undefined if nothing is. */
function lossLabel(replaced: Replaced): string | undefined {
  switch (replaced.kind) {
    case 'elsewhere':
      return vscode.l10n.t(
        'Errors currently go to another project at {0}. The replacement can be undone.',
        replaced.host,
      );
    case 'active':
    case 'unknown':
      return vscode.l10n.t(
        'It is the DSN of client key {0} of the same project. The replacement can be undone.',
        replaced.keyName,
      );
    default:
      return undefined;
  }
}

/** Tells projects apart, also those of instances that share a host, each below a path of its own. */
function projectOf({ text, origin, projectId }: Dsn): string {
  const root = new URL(text).pathname.replace(/\/(?:errortracking|api\/v4\/error_tracking)\/.*/i, '');
  return `${origin}${root} ${projectId}`;
}
