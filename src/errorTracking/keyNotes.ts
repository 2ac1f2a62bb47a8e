import * as vscode from 'vscode';
import type { ClientKeyRecord } from '../api/errorTracking.ts';
import type { App } from '../app.ts';
import { plainText } from '../common/inertText.ts';
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
export class KeyNotes implements vscode.Disposable {
  readonly #app: App;
  readonly #projects: Projects;
  readonly #files: DsnFiles;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(app: App, projects: Projects, files: DsnFiles) {
    this.#app = app;
    this.#projects = projects;
    this.#files = files;
    this.#subscription = vscode.Disposable.from(
      this.#changed,
      files.onDidChange(() => this.#changed.fire()),
      projects.onDidChange(() => void this.#forgetGone()),
    );
  }

  /** In a few words for the row of a key, such as `inactive` and `used in .env`; else that it is active, which its icon says, too. */
  labels(project: TrackedProject, key: ClientKeyRecord): readonly string[] {
    const names = this.#usesOf(key).map(({ uri }) => plainText(uri.path.slice(uri.path.lastIndexOf('/') + 1)));
    const [file, ...more] = new Set(names);
    const replacedBy = this.#replacementOf(project, key);
    const labels = [
      ...(key.active ? [] : [t('inactive')]),
      ...(replacedBy ? [t('replaced by {0}', shortKey(replacedBy.public_key))] : []),
    ];
    if (file !== undefined) {
      labels.push(more.length === 0 ? t('used in {0}', file) : t('used in {0} and {1} more', file, more.length));
    } else if (this.#files.gap === undefined) {
      labels.push(t('not found in this workspace'));
    }
    return labels.length > 0 ? labels : [t('active')];
  }

  /** The same in sentences, without whether the key is active. */
  sentences(project: TrackedProject, key: ClientKeyRecord): readonly string[] {
    const replacedBy = this.#replacementOf(project, key);
    const sentence = (name: string): string =>
      t('Client key {0} has replaced it in this workspace. Delete it once deployed programs have the new DSN.', name);
    return [
      ...(replacedBy ? [sentence(shortKey(replacedBy.public_key))] : []),
      ...placesLabel(this.#usesOf(key)).map((lines) => lines.join('\n')),
    ];
  }

  async noteReplacement({ project: { accountId }, facts, key }: KnownKey, fresh: ClientKeyRecord): Promise<void> {
    const start = `${accountId} ${facts.id} ${key.id} `;
    const others = this.#kept.filter((line) => !line.startsWith(start));
    await this.#keep([...others, `${start}${fresh.id}`].slice(-mostKept));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  get #kept(): readonly string[] {
    return this.#app.workspaceState
      .get<unknown[]>(storeKey, [])
      .map(String)
      .filter((line) => replacement.test(line));
  }

  async #keep(replacements: readonly string[]): Promise<void> {
    await this.#app.workspaceState.update(storeKey, replacements);
    this.#changed.fire();
  }

  #usesOf({ public_key: publicKey, active }: ClientKeyRecord): readonly DsnPlace[] {
    const uses = this.#files.all.filter(
      // What was never saved, no program uses.
      ({ uri, dsn }) => uri.scheme !== 'untitled' && dsn.publicKey === publicKey,
    );
    if (uses.length > 0 && active) {
      noteConnected();
    }
    return uses;
  }

  #replacementOf(project: TrackedProject, key: ClientKeyRecord): ClientKeyRecord | undefined {
    const { facts, tracking } = this.#projects.get(project) ?? {};
    const start = `${project.accountId} ${facts?.id} ${key.id} `;
    const kept = this.#kept.find((line) => line.startsWith(start));
    return tracking?.keys.find(({ id }) => kept === `${start}${id}`);
  }

  /** Forgets replacements of which either key is gone. */
  async #forgetGone(): Promise<void> {
    const kept = this.#kept;
    const there = kept.filter((line) => {
      const [accountId = '', idOrPath = '', ...keyIds] = line.split(' ');
      const { tracking, error } = this.#projects.get({ accountId, idOrPath }) ?? {};
      const isKnown = tracking !== undefined && error === undefined && tracking.unreadableKeys === 0;
      return !isKnown || keyIds.every((keyId) => tracking.keys.some(({ id }) => String(id) === keyId));
    });
    if (there.length < kept.length) {
      await this.#keep(there);
    }
  }
}

/** Ticks the step of the walkthrough: a program has the DSN of a key, or a test error with it was accepted. */
export function noteConnected(): void {
  void vscode.commands.executeCommand('setContext', 'beacon.errorTracking.connected', true);
}
