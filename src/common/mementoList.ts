import type * as vscode from 'vscode';

/** A list in a memento. What is none of its items counts as not there, and goes with the next change. */
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
    // With a default, what is no list at all is named in the log.
    const stored = this.#memento.get<unknown>(this.#key, []);
    return Array.isArray(stored) ? stored.flatMap((value) => this.#read(value) ?? []) : [];
  }

  async update(change: (items: readonly T[]) => readonly T[]): Promise<void> {
    await this.#memento.update(this.#key, change(this.all));
  }
}
