import * as vscode from 'vscode';
import type { Dialogs } from '../../accounts/dialogs.ts';
import type { Action } from '../../accounts/problem.ts';
import { plainText } from '../../common/inertText.ts';
import { textOfBytes } from '../../workspace/batches.ts';
import { type Dsn, isSameProject, parseDsn, shortKey } from '../dsn.ts';
import type { ErrorTrackingState } from '../projectStates.ts';
import { variableOf } from './envFile.ts';
import { readText } from './programFolder.ts';
import { addVariable, applyAndSave, type EnvVariable, linkTargetOf, mayFollowLinks } from './workspaceEdits.ts';

/** The DSN that a variable gets. */
export interface NewDsn {
  readonly text: string;
  /** Of its project, if it is known. */
  readonly path?: string;
  readonly tracking?: Pick<ErrorTrackingState, 'keys' | 'unreadableKeys'>;
  readonly accountId?: string;
  readonly pathOf: PathOf;
}

/** Finds the path of the project of a DSN; undefined if no account here reads it. */
export type PathOf = (dsn: Dsn) => Promise<string | undefined>;

/** What a variable has until a DSN replaces it. */
export type Replaced =
  | { readonly kind: 'sameKey'; readonly name: string; readonly isSame: boolean }
  /** Another key of the same project; `unknown` where its keys are not known. */
  | (Former & { readonly kind: 'active' | 'inactive' | 'deleted' | 'unknown'; readonly keyName: string })
  /** A DSN of another project or another tracker. */
  | (Former & {
      readonly kind: 'elsewhere';
      readonly host: string;
      /** Whether it is of another instance, or of no instance. */
      readonly isOtherHost: boolean;
    })
  | { readonly kind: 'other'; readonly name: string; readonly value: string };

interface Former {
  /** As it stands in the file, without quotes. */
  readonly value: string;
  /** What it is, if it is a DSN of an instance. */
  readonly old: Dsn | undefined;
}

/** Longer env files are not looked at before they are chosen. */
const mostBytes = 1024 * 1024;

/**
 * The text of an env file, if it can be had without a trace: other extensions see what is opened, reading a pipe waits for who
 * fills it, and a link is followed after a question.
 */
export async function peek(file: vscode.Uri): Promise<string | undefined> {
  const opened = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (opened) {
    return opened.getText();
  }
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    const isRead = (type & vscode.FileType.File) !== 0 && size <= mostBytes && (await linkTargetOf(file)) === undefined;
    return isRead ? textOfBytes(await vscode.workspace.fs.readFile(file)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What a variable has that a DSN is to replace; undefined if it has no value.
 *
 * @param text of the env file.
 */
export function replacedBy(dsn: NewDsn, text: string | undefined, name: string): Replaced | undefined {
  const value = variableOf(text ?? '', name) ?? '';
  // Env files of some programs quote with backticks.
  const before = value.replaceAll('`', '').trim();
  if (before === '') {
    return undefined;
  }
  if (before === dsn.text) {
    return { kind: 'sameKey', name, isSame: value === before };
  }
  const [old, fresh] = [parseDsn(before), parseDsn(dsn.text)];
  if (!old || !fresh || !isSameProject(old, fresh)) {
    if (!/^https?:/i.test(before)) {
      return { kind: 'other', value, name };
    }
    const host = URL.parse(before)?.host ?? before;
    const isOtherHost = host !== URL.parse(dsn.text)?.host;
    return { kind: 'elsewhere', value, old, host: plainText(host, 60), isOtherHost };
  }
  if (old.publicKey === fresh.publicKey) {
    return { kind: 'sameKey', name, isSame: false };
  }
  const key = dsn.tracking?.keys.find(({ public_key: publicKey }) => publicKey === old.publicKey);
  const missing = dsn.tracking?.unreadableKeys === 0 ? 'deleted' : 'unknown';
  return {
    kind: key ? (key.active ? 'active' : 'inactive') : missing,
    keyName: shortKey(old.publicKey),
    value,
    old,
  };
}

/** Says which DSN it is. @param path of its project, if it is known. */
function labelOf({ origin, projectId, publicKey }: Dsn, path: string | undefined): string {
  const { host } = new URL(origin);
  const { t } = vscode.l10n;
  const name = t('DSN of project {0} at {1}, with client key {2}.', path ?? projectId, host, shortKey(publicKey));
  return path === undefined ? `${name} ${t('No account here can read that project.')}` : name;
}

/** Says what is replaced, before it is. */
export function replacedLabel(replaced: Replaced): string {
  switch (replaced.kind) {
    case 'sameKey':
      return replaced.isSame
        ? vscode.l10n.t('{0} has this DSN already: nothing changes.', replaced.name)
        : vscode.l10n.t('{0} has the DSN of this client key already.', replaced.name);
    case 'active':
    case 'unknown':
      return vscode.l10n.t('Replaces the DSN of client key {0}.', replaced.keyName);
    case 'inactive':
    case 'deleted':
      return vscode.l10n.t('Replaces the DSN of client key {0}, with which errors are refused.', replaced.keyName);
    case 'elsewhere':
      return replaced.isOtherHost
        ? vscode.l10n.t('Replaces a DSN of another host, {0}, after asking.', replaced.host)
        : vscode.l10n.t('Replaces the DSN of another project at {0}, after asking.', replaced.host);
    case 'other':
      return vscode.l10n.t('Replaces the value of {0}.', replaced.name);
  }
}

/**
 * Asks before errors go elsewhere than they did: to another project, to which a program may report on purpose, or to a key that
 * works as well as the one before. What refuses errors is replaced without a question.
 *
 * @param shown what was shown to the user as replaced, if anything was.
 */
export async function mayReplace(
  replaced: Replaced | undefined,
  { file, name }: EnvVariable,
  { text, path, pathOf, accountId }: NewDsn,
  dialogs: Dialogs,
  shown?: string,
): Promise<boolean> {
  if (
    !replaced ||
    !['elsewhere', 'active', 'unknown'].includes(replaced.kind) ||
    (replaced.kind !== 'elsewhere' && replacedLabel(replaced) === shown)
  ) {
    return true;
  }
  const old = 'old' in replaced ? replaced.old : undefined;
  const fresh = parseDsn(text);
  return await dialogs.confirm({
    question: vscode.l10n.t('Replace {0} in {1}?', name, vscode.workspace.asRelativePath(file)),
    detail: [
      vscode.l10n.t('Before: {0}', old ? labelOf(old, await pathOf(old)) : 'host' in replaced ? replaced.host : name),
      ...(fresh ? [vscode.l10n.t('After: {0}', labelOf(fresh, path ?? (await pathOf(fresh))))] : []),
    ].join('\n\n'),
    ...(accountId === undefined ? {} : { accountId }),
    verb: vscode.l10n.t('Replace'),
  });
}

/** The button that gives a variable its former value back, as long as it has the DSN that replaced it. */
export function undoActions(
  replaced: Replaced | undefined,
  { file, name }: EnvVariable,
  dsn: string,
  dialogs: Dialogs,
): readonly Action[] {
  if (!replaced || replaced.kind === 'sameKey') {
    return [];
  }
  const run = async (): Promise<void> => {
    if (!(await mayFollowLinks([file], dialogs))) {
      return;
    }
    const path = vscode.workspace.asRelativePath(file);
    const edit = new vscode.WorkspaceEdit();
    const text = await readText(file);
    const isThere = variableOf(text ?? '', name) === dsn;
    if (isThere && (await addVariable(edit, { file, name }, replaced.value, text)) && (await applyAndSave(edit))) {
      dialogs.notify('info', vscode.l10n.t('Undone: {0}', name));
    } else {
      dialogs.notify(
        'warning',
        vscode.l10n.t('{0} in {1} has changed since, or cannot be changed: nothing was undone.', name, path),
      );
    }
  };
  return [{ title: vscode.l10n.t('Undo Replacement'), run }];
}
