import type * as vscode from 'vscode';

/** A list in a memento. What another version of Beacon wrote and this one does not understand stays in it, and is not seen. */
export class MementoList<T extends object> {
  readonly #memento: vscode.Memento;
  readonly #key: string;
  readonly #read: (value: unknown) => T | undefined;

  /** @param read gives an item as it was stored; undefined for what is none. */
  constructor(memento: vscode.Memento, key: string, read: (value: unknown) => T | undefined) {
    this.#memento = memento;
    this.#key = key;
    this.#read = read;
  }

  get all(): readonly T[] {
    return this.#stored().flatMap((value) => this.#read(value) ?? []);
  }

  /** Stores another list. What the present one has is stored as it was, with fields that this version does not know. */
  async update(change: (items: readonly T[]) => readonly T[]): Promise<void> {
    const items = new Map<T, unknown>();
    const others: unknown[] = [];
    for (const value of this.#stored()) {
      const item = this.#read(value);
      if (item === undefined) {
        others.push(value);
      } else {
        items.set(item, value);
      }
    }
    const changed = change([...items.keys()]);
    await this.#memento.update(this.#key, [...others, ...changed.map((item) => items.get(item) ?? item)]);
  }

  #stored(): readonly unknown[] {
    // With a default, what is no list at all is named in the log.
    const stored = this.#memento.get<unknown>(this.#key, []);
    return Array.isArray(stored) ? stored : [];
  }
}
