/** What a command runs; the editor passes what the command was chosen on. */
export type Command = (...args: never[]) => unknown;

/** Commands of a feature, by their ids in the manifest. */
export type Commands = Readonly<Record<string, Command>>;

/**
 * Commands that are there at once, while what runs them is loaded when one of them is run.
 *
 * @param names their ids in the manifest, without what all of them begin with.
 * @param load gives what runs them; asked for each run.
 * @param prefix what all of the ids begin with: every window loads these lists.
 */
export function loadedCommands<Name extends string, Prefix extends string = ''>(
  names: readonly Name[],
  load: () => Promise<{ readonly commands: Readonly<Record<`${Prefix}${Name}`, Command>> }>,
  prefix = '' as Prefix,
): Commands {
  const commandOf = (id: `${Prefix}${Name}`): Command => {
    return async (...args) => (await load()).commands[id](...args);
  };
  return Object.fromEntries(names.map((name) => [prefix + name, commandOf(`${prefix}${name}`)]));
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
