import type * as vscode from 'vscode';
import { EventEmitter } from './types.ts';

type Values = Record<string, unknown>;

/** A value that is kept outside of windows, each of which hears of a change a moment later. */
class Kept<T> {
  readonly changed = new EventEmitter<void>();
  value: T;

  constructor(value: T) {
    this.value = value;
  }

  async set(value: T): Promise<void> {
    await new Promise(setImmediate);
    this.value = value;
    setImmediate(() => this.changed.fire());
  }
}

/** What outlasts windows, and what those share that are open at the same time. */
export class Storage {
  readonly global = new Kept<string>('{}');
  workspace = new Kept<string>('{}');
  readonly secrets = new Map<string, string>();
  readonly secretChanged = new EventEmitter<vscode.SecretStorageChangeEvent>();
  /** Settings of the user and of the workspace, by their whole names. */
  settings: readonly [user: Values, workspace: Values] = [{}, {}];
  readonly settingChanged = new EventEmitter<string>();

  /** The same for a window that has another folder open. */
  ofOtherWorkspace(): Storage {
    const other: Storage = Object.assign(Object.create(Storage.prototype) as Storage, this);
    other.workspace = new Kept('{}');
    other.settings = [this.settings[0], {}];
    return other;
  }
}

/** A memento: a copy of all that is kept, in each window, of which a change writes everything. */
export class Memento {
  readonly #kept: Kept<string>;
  readonly #subscription: { dispose(): void };
  #values: Values;
  #writing: Promise<void> | undefined;

  constructor(kept: Kept<string>) {
    this.#kept = kept;
    this.#values = JSON.parse(kept.value) as Values;
    this.#subscription = kept.changed.event(() => {
      this.#values = JSON.parse(kept.value) as Values;
    });
  }

  keys(): readonly string[] {
    return Object.keys(this.#values).filter((key) => this.#values[key] !== undefined);
  }

  get(key: string, byDefault?: unknown): unknown {
    return this.#values[key] ?? byDefault;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values[key] = value;
    // What is changed in the same turn is written together.
    this.#writing ??= Promise.resolve().then(async () => {
      this.#writing = undefined;
      await this.#kept.set(JSON.stringify(this.#values));
    });
    await this.#writing;
  }

  setKeysForSync(): void {}

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** The secrets of the extension, as one window has them. */
export class Secrets {
  readonly #storage: Storage;
  readonly onDidChange: Storage['secretChanged']['event'];
  /** Thrown by each call, where the keyring of the system does not work. */
  failure: Error | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.onDidChange = storage.secretChanged.event;
  }

  async keys(): Promise<string[]> {
    return await this.#later(() => [...this.#storage.secrets.keys()]);
  }

  async get(key: string): Promise<string | undefined> {
    return await this.#later(() => this.#storage.secrets.get(key));
  }

  async store(key: string, value: string): Promise<void> {
    await this.#later(() => this.#storage.secrets.set(key, value));
    this.#storage.secretChanged.fire({ key });
  }

  async delete(key: string): Promise<void> {
    await this.#later(() => this.#storage.secrets.delete(key));
    this.#storage.secretChanged.fire({ key });
  }

  async #later<T>(act: () => T): Promise<T> {
    await new Promise(setImmediate);
    if (this.failure) {
      throw this.failure;
    }
    return act();
  }
}

/** A part of the settings, as the extension reads and writes it. */
export function configuration(
  { settings, settingChanged }: Storage,
  defaults: Readonly<Values>,
  section: string | undefined,
): vscode.WorkspaceConfiguration {
  const full = (key: string): string => [section, key].filter(Boolean).join('.');
  const [user, workspace] = settings;
  const valueOf = (name: string): unknown => structuredClone(workspace[name] ?? user[name] ?? defaults[name]);
  const below = (name: string): [string, unknown][] =>
    [...new Set([...Object.keys(defaults), ...Object.keys(user), ...Object.keys(workspace)])]
      .filter((one) => one.startsWith(`${name}.`))
      .map((one) => [one.slice(name.length + 1), valueOf(one)]);
  const get = (key: string, byDefault?: unknown): unknown => {
    const parts = below(full(key));
    return valueOf(full(key)) ?? (parts.length > 0 ? Object.fromEntries(parts) : byDefault);
  };
  const read = {
    get,
    has: (key: string) => get(key) !== undefined,
    inspect: (key: string) => ({
      key: full(key),
      defaultValue: defaults[full(key)],
      globalValue: user[full(key)],
      workspaceValue: workspace[full(key)],
    }),
    update: async (key: string, value: unknown, target: boolean | number = false) => {
      if (!(full(key) in defaults)) {
        throw new Error(`Unable to write to User Settings because ${full(key)} is not a registered configuration.`);
      }
      const values = target === true || target === 1 ? user : workspace;
      await new Promise(setImmediate);
      values[full(key)] = value;
      if (value === undefined) {
        delete values[full(key)];
      }
      settingChanged.fire(full(key));
    },
  };
  return read as unknown as vscode.WorkspaceConfiguration;
}
