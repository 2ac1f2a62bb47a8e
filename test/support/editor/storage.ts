import type * as vscode from 'vscode';
import { EventEmitter } from './types.ts';

type Values = Record<string, unknown>;

/** A value that is kept outside of windows, each of which hears of a change, the one that made it, too. */
class Kept<T> {
  readonly changed = new EventEmitter<void>();
  value: T;

  constructor(value: T) {
    this.value = value;
  }

  async set(value: T): Promise<void> {
    await new Promise(setImmediate);
    this.value = value;
    this.changed.fire();
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
    return this.#values[key] === undefined ? byDefault : this.#values[key];
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

/** A part of the settings as it is now. */
export function configuration(
  { settings: [user, workspace], settingChanged }: Storage,
  defaults: Readonly<Values>,
  section: string | undefined,
): vscode.WorkspaceConfiguration {
  const prefix = section === undefined ? '' : `${section}.`;
  const values: Values = structuredClone({ ...defaults, ...user, ...workspace });
  const get = (key: string, byDefault?: unknown): unknown => {
    const below = Object.keys(values).filter((name) => name.startsWith(`${prefix}${key}.`));
    const parts = below.map((name) => [name.slice(`${prefix}${key}.`.length), values[name]]);
    return structuredClone(values[prefix + key]) ?? (parts.length > 0 ? Object.fromEntries(parts) : byDefault);
  };
  const part = {
    get,
    has: (key: string) => get(key) !== undefined,
    inspect: (key: string) => {
      const name = prefix + key;
      return { key: name, defaultValue: defaults[name], globalValue: user[name], workspaceValue: workspace[name] };
    },
    update: async (key: string, value: unknown, target: boolean | number = false) => {
      const name = prefix + key;
      if (!(name in defaults)) {
        throw new Error(`Unable to write because ${name} is not a registered configuration.`);
      }
      await new Promise(setImmediate);
      const changed = target === true || target === 1 ? user : workspace;
      changed[name] = value;
      if (value === undefined) {
        delete changed[name];
      }
      settingChanged.fire(name);
    },
  };
  return part as unknown as vscode.WorkspaceConfiguration;
}
