import { isDeepStrictEqual } from '#platform/runtime.ts';
import * as vscode from 'vscode';

/** Another window may write the same again and again. */
const mostWrites = 4;

/**
 * A memento that may hold anything: what another version wrote, or what is left after a crash. What cannot be read counts as not there,
 * and the log says so once.
 */
export class CheckedMemento implements vscode.Memento {
  readonly #memento: vscode.Memento;
  readonly #log: Pick<vscode.LogOutputChannel, 'warn'>;
  readonly #noted = new Set<string>();
  /** The last write of each key: an earlier one is not repeated over it. */
  readonly #writes = new Map<string, symbol>();

  constructor(memento: vscode.Memento, log: Pick<vscode.LogOutputChannel, 'warn'>) {
    this.#memento = memento;
    this.#log = log;
  }

  keys(): readonly string[] {
    return this.#memento.keys();
  }

  /** @param defaultValue counts where something of another kind is kept. */
  get<T>(key: string): T | undefined;
  get<T>(key: string, defaultValue: T): T;
  get<T>(key: string, defaultValue?: T): T | undefined {
    const value = this.#memento.get<T>(key);
    if (value === undefined || defaultValue === undefined || kindOf(value) === kindOf(defaultValue)) {
      return value ?? defaultValue;
    }
    this.note(key, `What was kept as "${key}" cannot be read (${kindOf(value)}) and is left out.`);
    return defaultValue;
  }

  note(key: string, sentence: string): void {
    if (!this.#noted.has(key)) {
      this.#noted.add(key);
      this.#log.warn(sentence);
    }
  }

  /**
   * Keeps a value. The editor tells a window of each of its own writes, and when that comes between a next one and its way to the
   * disk, what was before is kept instead: then it is written again.
   */
  async update(key: string, value: unknown): Promise<void> {
    const write = Symbol(key);
    this.#writes.set(key, write);
    for (let writes = 0; writes < mostWrites; writes += 1) {
      await this.#memento.update(key, value);
      const isKept = JSON.stringify(this.#memento.get(key)) === JSON.stringify(value);
      if (isKept || this.#writes.get(key) !== write) {
        return;
      }
    }
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/**
 * The items of a list in a memento. What is none counts as not there, is named in the log, and goes with the next change.
 *
 * @param read gives an item as it was stored; undefined for what is none.
 */
export function itemsIn<T>(memento: vscode.Memento, key: string, read: (value: unknown) => T | undefined): T[] {
  const stored = memento.get<unknown>(key, []);
  const values: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const items = values.flatMap((value) => read(value) ?? []);
  if (items.length < values.length && memento instanceof CheckedMemento) {
    memento.note(key, `Of what was kept as "${key}", ${values.length - items.length} cannot be read and are left out.`);
  }
  return items;
}

export class MementoList<T extends object> {
  readonly #memento: vscode.Memento;
  readonly #key: string;
  readonly #read: (value: unknown) => T | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento, key: string, read: (value: unknown) => T | undefined) {
    this.#memento = memento;
    this.#key = key;
    this.#read = read;
  }

  get all(): readonly T[] {
    return itemsIn(this.#memento, this.#key, this.#read);
  }

  /** Changes the list, if there is anything to change. */
  async update(change: (items: readonly T[]) => readonly T[]): Promise<void> {
    const before = this.all;
    const now = change(before);
    if (!isDeepStrictEqual(now, before)) {
      await this.#memento.update(this.#key, now);
      this.#changed.fire();
    }
  }
}

/** The editor's secret store could not be read or written, such as when the keyring of the system is locked or missing. */
export class SecretStoreError extends Error {
  override readonly name = 'SecretStoreError';
  readonly operation: 'read' | 'write';

  constructor(operation: 'read' | 'write', cause: unknown) {
    super(`The secret store cannot be ${operation === 'read' ? 'read' : 'written'}`, { cause });
    this.operation = operation;
  }
}

/** Reads or writes secrets. @throws SecretStoreError if the editor's secret store fails. */
export async function accessSecrets<T>(operation: 'read' | 'write', run: () => PromiseLike<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new SecretStoreError(operation, error);
  }
}
