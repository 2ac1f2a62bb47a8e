/** What a command runs; the editor passes what the command was chosen on. */
export type Command = (...args: never[]) => unknown;

/** Commands of a feature, by their ids in the manifest. */
export type Commands = Readonly<Record<string, Command>>;

/** Some of the commands of the manifest, whose code is loaded when one of them runs. */
export interface CommandSource {
  /** What the ids of the commands begin with; several sources may have the same. */
  readonly prefix: string;
  /** Loads the commands; asked for each run. */
  readonly load: () => Promise<Commands>;
}

/**
 * Finds what runs a command: the first of the sources with its prefix that has it.
 *
 * @throws Error if none of them has the command.
 */
export async function findCommand(id: string, sources: readonly CommandSource[]): Promise<Command> {
  for (const { prefix, load } of sources) {
    const command = id.startsWith(prefix) ? (await load())[id] : undefined;
    if (command) {
      return command;
    }
  }
  throw new Error(`Nothing answers the command ${id}.`);
}

/** A service whose code is loaded when it is first needed. */
export class LazyService<T extends { dispose(): unknown }> {
  /** Gives the service, loaded as by `loadOnce`. */
  readonly load: () => Promise<T>;
  #loaded: T | undefined;
  #isDisposed = false;

  constructor(load: () => Promise<T>) {
    this.load = loadOnce(async () => {
      const loaded = await load();
      if (this.#isDisposed) {
        loaded.dispose();
      }
      this.#loaded = loaded;
      return loaded;
    });
  }

  /** Undefined as long as it is not loaded. */
  get loaded(): T | undefined {
    return this.#loaded;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#loaded?.dispose();
  }
}

/**
 * Loads something lazily, once.
 *
 * @param load loads the code and builds the result.
 * @returns a function that gives all callers the same result. After a failure the next call loads again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return async () => {
    const current = (loaded ??= load());
    try {
      return await current;
    } catch (error) {
      if (loaded === current) {
        loaded = undefined;
      }
      throw error;
    }
  };
}
