import type * as vscode from 'vscode';
import { Secrets, Storage } from './editor/storage.ts';

/** A memento over a map, which shows what was left in it. */
export class MemoryMemento implements vscode.Memento {
  readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, defaultValue?: T): T | undefined {
    return this.values.has(key) ? (this.values.get(key) as T) : defaultValue;
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) {
      this.values.delete(key);
    } else {
      this.values.set(key, structuredClone(value));
    }
  }
}

/** A secret store that several windows share: each hears of what every one does. Fails on demand. */
export class MemorySecrets extends Secrets {
  readonly values: Map<string, string>;

  constructor(storage = new Storage()) {
    super(storage);
    this.values = storage.secrets;
  }
}
