/** What a command runs; the editor passes what the command was chosen on. */
export type Command = (...args: never[]) => unknown;

/** Commands of a feature, by their ids in the manifest. */
export type Commands = Readonly<Record<string, Command>>;

/**
 * Commands that are there at once, while what runs them is loaded when one of them is run.
 *
 * @param ids their ids in the manifest.
 * @param load gives what runs them; asked for each run.
 */
export function loadedCommands<Id extends string>(
  ids: readonly Id[],
  load: () => Promise<{ readonly commands: Readonly<Record<Id, Command>> }>,
): Commands {
  const commandOf = (id: Id): Command => {
    return async (...args) => (await load()).commands[id](...args);
  };
  return Object.fromEntries(ids.map((id) => [id, commandOf(id)]));
}
