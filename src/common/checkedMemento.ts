import type * as vscode from 'vscode';

/** Another window may write the same again and again. */
const mostWrites = 4;

/**
 * A memento that may hold anything: what another version wrote, or what is left after a crash. Where what is kept is of
 * another kind than the default that is asked for with it, the default counts, and the log says so once.
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

  get<T>(key: string): T | undefined;
  get<T>(key: string, defaultValue: T): T;
  get<T>(key: string, defaultValue?: T): T | undefined {
    const value = this.#memento.get<T>(key);
    if (value === undefined || defaultValue === undefined || kindOf(value) === kindOf(defaultValue)) {
      return value ?? defaultValue;
    }
    if (!this.#noted.has(key)) {
      this.#noted.add(key);
      this.#log.warn(`What was kept as "${key}" cannot be read (${kindOf(value)}) and is left out.`);
    }
    return defaultValue;
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
