import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Reads what a command was called with. Ends the process where that is `--help`, or with status 2 where the command does not take it. */
export function readOptions<const Config extends ParseArgsConfig>(
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.includes('--help')) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return endWith((error as Error).message, help);
  }
}

/** Ends the process for what a command does not take, with what it does take. */
export function endWith(sentence: string, help: string): never {
  console.error(`${sentence}\n\n${help}`);
  process.exit(2);
}
