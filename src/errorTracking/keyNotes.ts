import * as vscode from 'vscode';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import { plainText } from '../common/inertText.ts';
import { itemsIn } from '../common/stored.ts';
import { shortKey } from './dsn.ts';
import { type DsnFiles, type DsnPlace, placesLabel } from './dsnFiles.ts';
import type { KnownKey, Projects, TrackedProject } from './projects.ts';

const { t } = vscode.l10n;
/**
 * Keys that others have replaced in the files of the workspace, kept until programs elsewhere have the new one: a line each, of an
 * account and the ids of project, old and new key.
 */
const storeKey = 'errorTracking.replacedKeys';
const replacement = /^\S+(?: \d{1,15}){3}$/;
/** At most this many replacements are remembered. */
const mostKept = 100;

/** What tells client keys apart: which files of the workspace use them, and which one has replaced another. */
export function keyNotes(app: App, projects: Projects, files: DsnFiles) {
  const changed = new vscode.EventEmitter<void>();
  const subscription = vscode.Disposable.from(
    changed,
    files.onDidChange(() => changed.fire()),
    projects.onDidChange(() => void forgetGone()),
  );

  /**
   * In a few words for the row of a key, such as `inactive` and `in .env`; else that it is active, which its icon says, too. A narrow view
   * cuts the end.
   */
  function labels(project: TrackedProject, key: ClientKeyRecord): readonly string[] {
    const names = usesOf(key).map(({ uri }) => plainText(uri.path.slice(uri.path.lastIndexOf('/') + 1)));
    const [file, ...more] = new Set(names);
    const replacedBy = replacementOf(project, key);
    const words = [
      ...(key.active ? [] : [t('inactive')]),
      ...(replacedBy ? [t('replaced by {0}', shortKey(replacedBy.public_key))] : []),
    ];
    if (file !== undefined) {
      words.push(more.length === 0 ? t('in {0}', file) : t('in {0} and {1} more', file, more.length));
    } else if (files.gap === undefined) {
      words.push(t('DSN in no file'));
    }
    return words.length > 0 ? words : [t('active')];
  }

  /** The same in sentences, without whether the key is active. */
  function sentences(project: TrackedProject, key: ClientKeyRecord): readonly string[] {
    const replacedBy = replacementOf(project, key);
    const sentence = (name: string): string =>
      t('Client key {0} has replaced it in this workspace. Delete it once deployed programs have the new DSN.', name);
    return [
      ...(replacedBy ? [sentence(shortKey(replacedBy.public_key))] : []),
      ...placesLabel(usesOf(key)).map((lines) => lines.join('\n')),
    ];
  }

  async function noteReplacement({ project: { accountId }, facts, key }: KnownKey, fresh: ClientKeyRecord) {
    const start = `${accountId} ${facts.id} ${key.id} `;
    const others = kept().filter((line) => !line.startsWith(start));
    await keep([...others, `${start}${fresh.id}`].slice(-mostKept));
  }

  function kept(): readonly string[] {
    return itemsIn(app.workspaceState, storeKey, (line) =>
      typeof line === 'string' && replacement.test(line) ? line : undefined,
    );
  }

  async function keep(replacements: readonly string[]): Promise<void> {
    await app.workspaceState.update(storeKey, replacements);
    changed.fire();
  }

  function usesOf({ public_key: publicKey, active }: ClientKeyRecord): readonly DsnPlace[] {
    // What was never saved, no program uses.
    const uses = files.all.filter(({ uri, dsn }) => uri.scheme !== 'untitled' && dsn.publicKey === publicKey);
    if (uses.length > 0 && active) {
      noteConnected();
    }
    return uses;
  }

  function replacementOf(project: TrackedProject, key: ClientKeyRecord): ClientKeyRecord | undefined {
    const { facts, tracking } = projects.get(project) ?? {};
    const start = `${project.accountId} ${facts?.id} ${key.id} `;
    const line = kept().find((one) => one.startsWith(start));
    return tracking?.keys.find(({ id }) => line === `${start}${id}`);
  }

  /** Forgets replacements of which either key is gone. */
  async function forgetGone(): Promise<void> {
    const lines = kept();
    const there = lines.filter((line) => {
      const [accountId = '', idOrPath = '', ...keyIds] = line.split(' ');
      const { tracking, error } = projects.get({ accountId, idOrPath }) ?? {};
      const isKnown = tracking !== undefined && error === undefined && tracking.unreadableKeys === 0;
      return !isKnown || keyIds.every((keyId) => tracking.keys.some(({ id }) => String(id) === keyId));
    });
    if (there.length < lines.length) {
      await keep(there);
    }
  }

  const dispose = (): void => void subscription.dispose();
  return { onDidChange: changed.event, labels, sentences, noteReplacement, dispose };
}

export type KeyNotes = ReturnType<typeof keyNotes>;

/** Ticks the step of the walkthrough: a program has the DSN of a key, or a test error with it was accepted. */
export function noteConnected(): void {
  void vscode.commands.executeCommand('setContext', 'beacon.errorTracking.connected', true);
}
