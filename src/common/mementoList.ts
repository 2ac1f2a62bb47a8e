import type * as vscode from 'vscode';
import { itemsIn } from './checkedMemento.ts';

export class MementoList<T extends object> {
  readonly #memento: vscode.Memento;
  readonly #key: string;
  readonly #read: (value: unknown) => T | undefined;

  constructor(memento: vscode.Memento, key: string, read: (value: unknown) => T | undefined) {
    this.#memento = memento;
    this.#key = key;
    this.#read = read;
  }

  get all(): readonly T[] {
    return itemsIn(this.#memento, this.#key, this.#read);
  }

  async update(change: (items: readonly T[]) => readonly T[]): Promise<void> {
    await this.#memento.update(this.#key, change(this.all));
  }
}
