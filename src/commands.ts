/** What a command runs; the editor passes what the command was chosen on. */
export type Command = (...args: never[]) => unknown;

/** Commands of a feature, by their ids in the manifest. */
export type Commands = Readonly<Record<string, Command>>;
