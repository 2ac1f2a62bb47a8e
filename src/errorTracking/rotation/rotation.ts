import * as vscode from 'vscode';
import type { Dialogs } from '../../accounts/dialogs.ts';
import type { Client } from '../../api/client.ts';
import type { ClientKeyRecord } from '../../api/errorTracking.ts';
import { isApiError } from '../../api/errors.ts';
import { plainText } from '../../common/inertText.ts';
import { textOfBytes } from '../../workspace/batches.ts';
import { parseDsn, shortKey } from '../dsn.ts';
import { readText } from '../insertion/programFolder.ts';
import { mayFollowLinks, saveDocument, targetOutside } from '../insertion/workspaceEdits.ts';
import { createKeyOnce, type Creation } from '../keyCommands.ts';
import { allKeys } from '../projectStates.ts';
import type { DsnUsage } from '../usages.ts';
import type { CreatedRecord, RotatedKey, RotationJournal, RotationRecord, RotationSubject } from './rotationJournal.ts';

/**
 * An edit that shows each replacement in the editor's preview of refactorings, where all are selected at first and each can be
 * left out.
 *
 * @param targets where files really are that are links out of their folder, by their URIs: the preview says so.
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
    const isKeyOnly = old !== '' && text.replace(old, () => newKey.publicKey) === newKey.dsn;
    const start = range.start.translate(0, offset);
    const place = isKeyOnly ? new vscode.Range(start, start.translate(0, old.length)) : range;
    edit.replace(uri, place, isKeyOnly ? newKey.publicKey : newKey.dsn, {
      needsConfirmation: false,
      label:
        target === undefined
          ? vscode.l10n.t('Replace DSN')
          : vscode.l10n.t('Replace DSN outside of the workspace, in {0}', plainText(target)),
      description: vscode.l10n.t('with the DSN of client key {0}', shortKey(newKey.publicKey)),
    });
  }
  return edit;
}

/** What came of replacing DSNs: `declined` if the user discarded the preview or left all places out, `notSaved` if a file was not. */
export type Replacement = 'replaced' | 'declined' | 'notSaved';

/** Replaces the DSN at places after a preview, and after asking for each file that is a link out of the workspace. */
export async function replaceUsages(
  usages: readonly DsnUsage[],
  newKey: RotatedKey,
  dialogs: Dialogs,
): Promise<Replacement> {
  const files = [...new Map(usages.map(({ uri }) => [uri.toString(), uri])).values()];
  if (!(await mayFollowLinks(files, dialogs))) {
    return 'declined';
  }
  const targets = new Map<string, string>();
  for (const uri of files) {
    const target = await targetOutside(uri);
    if (target !== undefined) {
      targets.set(uri.toString(), target);
    }
  }
  return await applyPreviewed(replacementEdit(usages, newKey, targets));
}

/**
 * Applies an edit after its preview, and saves the files: the old key goes next, and what is not saved would be lost with the
 * editor, and the program with it.
 */
export async function applyPreviewed(edit: vscode.WorkspaceEdit): Promise<Replacement> {
  // Opens the files so that no character is lost when they are saved.
  await Promise.all(edit.entries().map(async ([uri]) => readText(uri)));
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    return 'declined';
  }
  const changed = new Map(edit.entries().map(([uri, edits]) => [uri.toString(), edits]));
  for (const document of vscode.workspace.textDocuments) {
    const edits = changed.get(document.uri.toString());
    if (!edits) {
      continue;
    }
    if (document.isDirty && !(await saveDocument(document))) {
      return 'notSaved';
    }
    const text = document.getText();
    if (
      !(await isOnDisk(
        document.uri,
        edits.map(({ newText }) => newText).filter((part) => text.includes(part)),
      ))
    ) {
      return 'notSaved';
    }
  }
  return 'replaced';
}

/** Whether a file has texts. The editor changes a read-only file in its window alone, and calls nothing unsaved then. */
async function isOnDisk(uri: vscode.Uri, texts: readonly string[]): Promise<boolean> {
  try {
    const text = textOfBytes(await vscode.workspace.fs.readFile(uri)) ?? '';
    return texts.every((one) => text.includes(one));
  } catch {
    return false;
  }
}

/** What a rotation does to files, and what it asks. */
export interface RotationPorts {
  readonly journal: RotationJournal;
  /** The client of an account. */
  client(accountId: string): Promise<Client>;
  /** Where a key's DSN stands in the workspace. */
  findUsages(publicKey: string): Promise<readonly DsnUsage[]>;
  /** Shows the replacements before they are made, and saves the files once they are accepted. */
  replace(usages: readonly DsnUsage[], newKey: RotatedKey): Promise<Replacement>;
  /** Whether the old key is to be deleted though places still use it, or though none has been seen to. */
  confirmDeletion(subject: RotationSubject, remaining: readonly DsnUsage[]): Promise<boolean>;
  /** Which of several new keys is the one that the rotation made; undefined to decide later. */
  chooseNewKey(keys: readonly ClientKeyRecord[]): Promise<ClientKeyRecord | undefined>;
}

/** What came of a rotation, or of going on with one. */
export type RotationOutcome =
  | 'done'
  /** Both keys are there, because the user keeps the old one for now; the journal has the rest. */
  | 'waiting'
  /** The same, because no place was replaced. */
  | 'nothingReplaced'
  /** The same, because a file could not be saved. */
  | 'notSaved'
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
 * Exchanges a client key for a new one: makes it, replaces the DSN in the files, deletes the old one. The journal records
 * each step before it is taken. At every moment the DSN in the files belongs to an existing key: the old key is deleted
 * last.
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
    const { keys } = await allKeys(client, record.projectId);
    if (!keys.some(({ id, active }) => id === record.oldKey.id && active)) {
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
    const { journal } = this.#ports;
    const client = await this.#ports.client(record.accountId);
    const { keys } = await allKeys(client, record.projectId);
    if (!keys.some(({ id, active }) => id === record.newKey.id && active)) {
      await journal.remove(record);
      return 'newKeyLost';
    }
    const wasReplaced = record.step === 'replaced';
    const obstacle = await this.#replace(record, wasReplaced);
    if (obstacle) {
      if (wasReplaced) {
        await journal.put({ ...record, step: 'created' });
      }
      return obstacle;
    }
    await journal.put({ ...record, step: 'replaced' });
    await deleteKey(client, record.projectId, record.oldKey.id);
    await journal.remove(record);
    return 'done';
  }

  /**
   * Replaces the DSN, so that the old key can be deleted.
   *
   * @param wasAccepted whether the deletion was agreed to before, and only an undo or another place would change it.
   * @returns why the old key has to stay; undefined if it can be deleted.
   */
  async #replace(
    { accountId, projectId, path, oldKey, newKey }: CreatedRecord,
    wasAccepted: boolean,
  ): Promise<'waiting' | 'nothingReplaced' | 'notSaved' | undefined> {
    const ports = this.#ports;
    const subject = { accountId, projectId, path, oldKey };
    const usages = await ports.findUsages(oldKey.publicKey);
    if (usages.length === 0) {
      return wasAccepted || (await ports.confirmDeletion(subject, [])) ? undefined : 'waiting';
    }
    const replacement = await ports.replace(usages, newKey);
    if (replacement !== 'replaced') {
      return replacement === 'declined' ? 'nothingReplaced' : 'notSaved';
    }
    const remaining = await ports.findUsages(oldKey.publicKey);
    return remaining.length === 0 || (await ports.confirmDeletion(subject, remaining)) ? undefined : 'waiting';
  }
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
