import * as vscode from 'vscode';
import type { Dialogs } from '../../accounts/dialogs.ts';
import type { Client } from '../../api/client.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import { isApiError } from '../../api/errors.ts';
import { plainText } from '../../common/inertText.ts';
import { parseDsn, shortKey, writtenLike } from '../dsn.ts';
import { openForChange, readText } from '../insertion/programFolder.ts';
import { isUpToDate, linkTargetOf, mayFollowLinks, saveDocument } from '../insertion/workspaceEdits.ts';
import { createKeyOnce, type Creation } from '../keyCommands.ts';
import { allKeys } from '../projectStates.ts';
import { type DsnUsage, isAgreed, type KeyPlaces } from '../usages.ts';
import type { CreatedRecord, RotatedKey, RotationJournal, RotationRecord, RotationSubject } from './rotationJournal.ts';

/**
 * An edit that shows each replacement in the editor's preview of refactorings, where all are selected at first and each can be
 * left out.
 *
 * @param targets where files really are that are links, by their URIs: the preview says so.
 */
export function replacementEdit(
  usages: readonly DsnUsage[],
  newKey: RotatedKey,
  targets: ReadonlyMap<string, string> = new Map(),
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const [first] = usages;
  if (first) {
    // The preview shows if an edit needs confirmation, and selects those alone that need none. Creating a file that is there does
    // nothing and is not listed.
    const metadata = { needsConfirmation: true, label: vscode.l10n.t('Replace DSN') };
    edit.createFile(first.uri, { ignoreIfExists: true }, metadata);
  }
  for (const { uri, range, text } of usages) {
    const target = targets.get(uri.toString());
    const old = parseDsn(text)?.publicKey ?? '';
    const offset = text.indexOf(old);
    // The preview cuts long lines: where nothing but the key differs, nothing else is replaced, so that both keys show.
    const fresh = writtenLike(text, newKey.dsn);
    const isKeyOnly = old !== '' && text.replace(old, () => newKey.publicKey) === fresh;
    const start = range.start.translate(0, offset);
    const place = isKeyOnly ? new vscode.Range(start, start.translate(0, old.length)) : range;
    edit.replace(uri, place, isKeyOnly ? newKey.publicKey : fresh, {
      needsConfirmation: false,
      label:
        target === undefined
          ? vscode.l10n.t('Replace DSN')
          : vscode.l10n.t('Replace DSN in the target of a link, {0}', plainText(target)),
      description: vscode.l10n.t('with the DSN of client key {0}', shortKey(newKey.publicKey)),
    });
  }
  return edit;
}

/** Replaces the DSN at places after a preview, and after asking for each file that is a link. Leaves places that have changed. */
export async function replaceUsages(
  usages: readonly DsnUsage[],
  newKey: RotatedKey,
  dialogs: Dialogs,
): Promise<boolean> {
  const files = [...new Map(usages.map(({ uri }) => [uri.toString(), uri])).values()];
  if (!(await mayFollowLinks(files, dialogs))) {
    return false;
  }
  const targets = new Map<string, string>();
  for (const uri of files) {
    const target = await linkTargetOf(uri);
    if (target !== undefined) {
      targets.set(uri.toString(), target.path);
    }
  }
  const areThere = await Promise.all(usages.map(isStillThere));
  const current = usages.filter((_, index) => areThere[index]);
  return current.length > 0 && (await applyPreviewed(replacementEdit(current, newKey, targets)));
}

/** Whether a file has what was found in it, in the editor and on the disk. */
async function isStillThere({ uri, range, text }: DsnUsage): Promise<boolean> {
  try {
    return (await openForChange(uri)).getText(range) === text && (await isUpToDate(uri));
  } catch {
    return false;
  }
}

/**
 * Applies an edit after its preview, and saves the files: programs read what is on the disk.
 *
 * @returns false if the user discarded the preview or left all places out.
 */
export async function applyPreviewed(edit: vscode.WorkspaceEdit): Promise<boolean> {
  // Opens the files so that no character is lost when they are saved.
  await Promise.all(edit.entries().map(async ([uri]) => readText(uri)));
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return false;
  }
  const changed = new Set(edit.entries().map(([uri]) => uri.toString()));
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && changed.has(document.uri.toString())) {
      // One that cannot be saved is among the files that use the old key still.
      await saveDocument(document);
    }
  }
  return true;
}

/** What a rotation does to files, and what it asks. */
export interface RotationPorts {
  readonly journal: RotationJournal;
  /** The client of an account. */
  client(accountId: string): Promise<Client>;
  /** Where a key is used in the workspace. */
  findUsages(publicKey: string): Promise<KeyPlaces>;
  /** Shows the replacements before they are made, and saves the files once they are accepted. @returns whether any was. */
  replace(usages: readonly DsnUsage[], newKey: RotatedKey): Promise<boolean>;
  /** Whether the old key is to be deleted now. @param remaining places that still use it. */
  confirmDeletion(subject: RotationSubject, remaining: KeyPlaces): Promise<boolean>;
  /** Which of several new keys is the one that the rotation made; undefined to decide later. */
  chooseNewKey(keys: readonly ClientKeyRecord[]): Promise<ClientKeyRecord | undefined>;
}

/** What came of a rotation, or of going on with one. */
export type RotationOutcome =
  | 'done'
  /** Both keys are there, because the user keeps the old one until programs have the new one; the journal has the rest. */
  | 'waiting'
  /** The same, because no place was replaced. */
  | 'nothingReplaced'
  /** No key was made; everything is as before. */
  | 'nothingMade'
  /** Whether a key was made, or which, is not known yet; the journal has the rest. */
  | 'unknown'
  /** The new key is gone or inactive: the old one stays. */
  | 'newKeyLost'
  /** The rotation was taken back: the old key stays. */
  | 'newKeyDeleted'
  /** It could not be taken back, because the old key is gone or inactive: the new one stays. */
  | 'oldKeyLost';

/**
 * Exchanges a client key for a new one: makes it, replaces the DSN in the files, deletes the old one once the user says so. The
 * journal records each step before it is taken. At every moment the DSN in the files belongs to an existing key: the old key is
 * deleted last.
 */
export class Rotation {
  readonly #ports: RotationPorts;

  constructor(ports: RotationPorts) {
    this.#ports = ports;
  }

  /**
   * Begins a rotation.
   *
   * @throws ApiError if nothing was made for sure.
   */
  async begin(place: Omit<RotationSubject, 'oldKey'>, key: ClientKeyRecord): Promise<RotationOutcome> {
    const { journal } = this.#ports;
    const client = await this.#ports.client(place.accountId);
    const subject = { ...place, oldKey: rotatedKey(key) };
    let creation: Creation;
    try {
      creation = await createKeyOnce(client, place.projectId, (keysBefore) =>
        journal.put({ ...subject, step: 'creating', keysBefore }),
      );
    } catch (error) {
      if (isApiError(error)) {
        await journal.remove(subject);
      }
      throw error;
    }
    switch (creation.outcome) {
      case 'created':
        return await this.#adopt(subject, [creation.key]);
      case 'several':
        return await this.#adopt(subject, creation.keys);
      case 'notCreated':
        await journal.remove(subject);
        return 'nothingMade';
      case 'unknown':
        return 'unknown';
    }
  }

  /** Goes on with a rotation from where the journal has it. */
  async resume(record: RotationRecord): Promise<RotationOutcome> {
    if (record.step !== 'creating') {
      return await this.#goOn(record);
    }
    const { keys } = await allKeys(await this.#ports.client(record.accountId), record.projectId);
    const fresh = keys.filter(({ id, active }) => active && !record.keysBefore.includes(id));
    if (fresh.length === 0) {
      await this.#ports.journal.remove(record);
      return 'nothingMade';
    }
    return await this.#adopt(record, fresh);
  }

  /** Ends a rotation before the old key is deleted: both keys stay. */
  async abandon(subject: RotationSubject): Promise<void> {
    await this.#ports.journal.remove(subject);
  }

  /** Ends a rotation by deleting the new key; never leaves the project without both keys. */
  async takeBack(record: CreatedRecord): Promise<RotationOutcome> {
    const client = await this.#ports.client(record.accountId);
    if (!(await isActive(client, record.projectId, record.oldKey))) {
      return 'oldKeyLost';
    }
    await deleteKey(client, record.projectId, record.newKey.id);
    await this.#ports.journal.remove(record);
    return 'newKeyDeleted';
  }

  /** Goes on with the key that was made. */
  async #adopt(
    { accountId, projectId, path, oldKey }: RotationSubject,
    fresh: readonly ClientKeyRecord[],
  ): Promise<RotationOutcome> {
    const key = fresh.length === 1 ? fresh[0] : await this.#ports.chooseNewKey(fresh);
    if (!key) {
      return 'unknown';
    }
    const record = { accountId, projectId, path, oldKey, step: 'created' as const, newKey: rotatedKey(key) };
    await this.#ports.journal.put(record);
    return await this.#goOn(record);
  }

  async #goOn(record: CreatedRecord): Promise<RotationOutcome> {
    const { journal, ...ports } = this.#ports;
    const { accountId, projectId, path, oldKey, newKey } = record;
    const client = await ports.client(accountId);
    const isThere = async (): Promise<boolean> => await isActive(client, projectId, newKey);
    if (!(await isThere())) {
      await journal.remove(record);
      return 'newKeyLost';
    }
    const find = (): Promise<KeyPlaces> => ports.findUsages(oldKey.publicKey);
    const { dsns } = await find();
    const isReplaced = dsns.length === 0 || (await ports.replace(dsns, newKey));
    const isAgreedTo =
      isReplaced &&
      (await isAgreed(find, (places) => ports.confirmDeletion({ accountId, projectId, path, oldKey }, places)));
    if (!isAgreedTo) {
      // It may have been agreed to before the editor was closed.
      await journal.put({ ...record, step: 'created' });
      return isReplaced ? 'waiting' : 'nothingReplaced';
    }
    // Preview and question may have been open for long.
    if (!(await isThere())) {
      await journal.remove(record);
      return 'newKeyLost';
    }
    await journal.put({ ...record, step: 'replaced' });
    await deleteKey(client, projectId, oldKey.id);
    await journal.remove(record);
    return 'done';
  }
}

/** Whether a key is there and active by now. */
async function isActive(client: Client, projectId: number, { id }: RotatedKey): Promise<boolean> {
  const { keys } = await allKeys(client, projectId);
  return keys.some((key) => key.id === id && key.active);
}

/** Deletes a key; one that is gone already, perhaps by this very rotation before it was interrupted, is no failure. */
async function deleteKey(client: Client, projectId: number, keyId: number): Promise<void> {
  try {
    await client.errorTracking.deleteClientKey(projectId, keyId);
  } catch (error) {
    if (!isApiError(error) || error.reason !== 'notFound') {
      throw error;
    }
  }
}

function rotatedKey({ id, public_key: publicKey, tracker_dsn: dsn }: ClientKeyRecord): RotatedKey {
  return { id, publicKey, dsn };
}
