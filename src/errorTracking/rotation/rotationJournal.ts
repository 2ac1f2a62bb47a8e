import type * as vscode from 'vscode';
import { MementoList } from '../../common/mementoList.ts';

const journalKey = 'errorTracking.rotations';

/** A client key as far as a rotation needs it. */
export interface RotatedKey {
  readonly id: number;
  readonly publicKey: string;
  readonly dsn: string;
}

/** Which key of which project a rotation exchanges. */
export interface RotationSubject {
  readonly accountId: string;
  readonly projectId: number;
  /** The full path of the project, to name it. */
  readonly path: string;
  readonly oldKey: RotatedKey;
}

/** The request that makes the new key was perhaps sent. */
export interface CreatingRecord extends RotationSubject {
  readonly step: 'creating';
  /** The ids of the keys before. */
  readonly keysBefore: readonly number[];
}

/** `created`: the new key is there, files may still have the old DSN. `replaced`: the old key is to be deleted. */
export interface CreatedRecord extends RotationSubject {
  readonly step: 'created' | 'replaced';
  readonly newKey: RotatedKey;
}

/** The progress of a rotation. Stored before each step, so that it can resume after the editor was killed. */
export type RotationRecord = CreatingRecord | CreatedRecord;

/** The rotations of a workspace that are under way or were interrupted. */
export class RotationJournal {
  readonly #list: MementoList<RotationRecord>;
  readonly #listeners = new Set<() => unknown>();

  /** Fires when a rotation begins, takes a step or ends in this window. */
  readonly onDidChange = (listener: () => unknown): vscode.Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  constructor(memento: vscode.Memento) {
    this.#list = new MementoList(memento, journalKey, (value) => (isRecord(value) ? value : undefined));
  }

  get all(): readonly RotationRecord[] {
    return this.#list.all;
  }

  find(accountId: string, projectId: number, oldKeyId: number): RotationRecord | undefined {
    return this.all.find((record) => isOf(record, accountId, projectId, oldKeyId));
  }

  /** How far a rotation is that was seen before; undefined if it has ended, also where another one of its key has begun. */
  current(seen: RotationRecord): RotationRecord | undefined {
    const now = this.find(seen.accountId, seen.projectId, seen.oldKey.id);
    return now && isSame(seen, now) ? now : undefined;
  }

  /** Writes a record down in the place of the one before for the same key. */
  async put(record: RotationRecord): Promise<void> {
    await this.#update((all) => [...without(all, record), record]);
  }

  async remove(subject: RotationSubject): Promise<void> {
    await this.#update((all) => without(all, subject));
  }

  async #update(change: (all: readonly RotationRecord[]) => readonly RotationRecord[]): Promise<void> {
    await this.#list.update(change);
    this.#listeners.forEach((listener) => listener());
  }
}

function without(
  records: readonly RotationRecord[],
  { accountId, projectId, oldKey }: RotationSubject,
): readonly RotationRecord[] {
  return records.filter((record) => !isOf(record, accountId, projectId, oldKey.id));
}

function isOf(record: RotationRecord, accountId: string, projectId: number, oldKeyId: number): boolean {
  return record.accountId === accountId && record.projectId === projectId && record.oldKey.id === oldKeyId;
}

/** Whether a record is of the same rotation as one before it: of the same new key, or without one of the same beginning. */
function isSame(seen: RotationRecord, now: RotationRecord): boolean {
  if (now.step === 'creating') {
    return seen.step === 'creating' && seen.keysBefore.join() === now.keysBefore.join();
  }
  return seen.step === 'creating' ? !seen.keysBefore.includes(now.newKey.id) : seen.newKey.id === now.newKey.id;
}

function isRecord(value: unknown): value is RotationRecord {
  const { accountId, projectId, path, oldKey, step, keysBefore, newKey } = (value ?? {}) as Partial<
    Record<keyof CreatingRecord | keyof CreatedRecord, unknown>
  >;
  return (
    typeof accountId === 'string' &&
    Number.isSafeInteger(projectId) &&
    typeof path === 'string' &&
    isKey(oldKey) &&
    (step === 'creating'
      ? Array.isArray(keysBefore) && keysBefore.every(Number.isSafeInteger)
      : (step === 'created' || step === 'replaced') && isKey(newKey))
  );
}

function isKey(value: unknown): value is RotatedKey {
  const { id, publicKey, dsn } = (value ?? {}) as Partial<RotatedKey>;
  return Number.isSafeInteger(id) && typeof publicKey === 'string' && typeof dsn === 'string';
}
