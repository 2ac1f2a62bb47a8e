import type * as vscode from 'vscode';
import { EventEmitter } from './types.ts';

type Values = Record<string, unknown>;

/** The values of a memento as they are on the disk; each window hears of a change, the one that made it, too. */
export class Kept {
  readonly changed = new EventEmitter<void>();
  text: string;

  constructor(values: Values = {}) {
    this.text = JSON.stringify(values);
  }
}

/** What outlasts windows, and what those share that are open at the same time. */
export class Storage {
  readonly global = new Kept();
  workspace = new Kept();
  readonly secrets = new Map<string, string>();
  readonly secretChanged = new EventEmitter<vscode.SecretStorageChangeEvent>();
  /** Settings of the user and of the workspace, by their whole names. */
  settings: readonly [user: Values, workspace: Values] = [{}, {}];
  readonly settingChanged = new EventEmitter<string>();

  /** The same for a window that has another folder open. */
  ofOtherWorkspace(): Storage {
    const [user] = this.settings;
    return Object.assign(new Storage(), this, { workspace: new Kept(), settings: [user, {}] });
  }
}

/** A memento: a copy of all that is kept, in each window, of which a change writes everything. */
export class Memento implements vscode.Memento {
  readonly #kept: Kept;
  readonly #subscription: vscode.Disposable;
  #values: Values;
  #writing: Promise<void> | undefined;

  constructor(kept = new Kept()) {
    const read = (): Values => JSON.parse(kept.text) as Values;
    [this.#kept, this.#values] = [kept, read()];
    this.#subscription = kept.changed.event(() => (this.#values = read()));
  }

  keys(): readonly string[] {
    return Object.keys(this.#values).filter((key) => this.#values[key] !== undefined);
  }

  get<T>(key: string, byDefault?: T): T | undefined {
    return this.#values[key] === undefined ? byDefault : (this.#values[key] as T);
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values[key] = value;
    // What is changed in the same turn is written together.
    this.#writing ??= Promise.resolve().then(async () => {
      this.#writing = undefined;
      const text = JSON.stringify(this.#values);
      await new Promise(setImmediate);
      this.#kept.text = text;
      this.#kept.changed.fire();
    });
    await this.#writing;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** The secrets of the extension, as one window has them. */
export class Secrets implements vscode.SecretStorage {
  /** What the keyring holds: a change here reaches no window, as one while the editor is closed. */
  readonly values: Map<string, string>;
  readonly onDidChange: Storage['secretChanged']['event'];
  readonly #changed: Storage['secretChanged'];
  /** Thrown by each call, where the keyring of the system does not work. */
  failure: Error | undefined;
  readonly keys = () => this.#later((all) => [...all.keys()]);
  get = (key: string) => this.#later((all) => all.get(key));
  readonly store = (key: string, value: string) => this.#change(key, (all) => all.set(key, value));
  readonly delete = (key: string) => this.#change(key, (all) => all.delete(key));

  constructor({ secrets, secretChanged } = new Storage()) {
    [this.values, this.#changed, this.onDidChange] = [secrets, secretChanged, secretChanged.event];
  }

  async #change(key: string, act: (all: Map<string, string>) => unknown): Promise<void> {
    await this.#later(act);
    this.#changed.fire({ key });
  }

  async #later<T>(act: (all: Map<string, string>) => T): Promise<T> {
    await new Promise(setImmediate);
    if (this.failure) {
      throw this.failure;
    }
    return act(this.values);
  }
}

/** A part of the settings as it is now. */
export function configuration(
  { settings: [user, workspace], settingChanged }: Storage,
  defaults: Readonly<Values>,
  section: string | undefined,
) {
  const nameOf = (key: string): string => (section === undefined ? key : `${section}.${key}`);
  const values: Values = { ...defaults, ...user, ...workspace };
  return {
    get: (key: string, byDefault?: unknown): unknown => {
      const value = structuredClone(values[nameOf(key)]);
      return value === undefined ? byDefault : value;
    },
    inspect: (key: string) => ({ defaultValue: defaults[nameOf(key)], globalValue: user[nameOf(key)] }),
    update: async (key: string, value: unknown, target?: boolean | number) => {
      const name = nameOf(key);
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
}
