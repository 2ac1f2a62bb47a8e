import type * as vscode from 'vscode';

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
export class MemorySecrets implements vscode.SecretStorage {
  readonly values = new Map<string, string>();
  readonly #listeners = new Set<(event: vscode.SecretStorageChangeEvent) => unknown>();
  failure: Error | undefined;

  readonly onDidChange = (listener: (event: vscode.SecretStorageChangeEvent) => unknown): vscode.Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  async keys(): Promise<string[]> {
    this.#failIfAsked();
    return [...this.values.keys()];
  }

  async get(key: string): Promise<string | undefined> {
    this.#failIfAsked();
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    this.#failIfAsked();
    this.values.set(key, value);
    this.#notify(key);
  }

  async delete(key: string): Promise<void> {
    this.#failIfAsked();
    this.values.delete(key);
    this.#notify(key);
  }

  #failIfAsked(): void {
    if (this.failure) {
      throw this.failure;
    }
  }

  #notify(key: string): void {
    this.#listeners.forEach((listener) => listener({ key }));
  }
}
