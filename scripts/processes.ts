import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a program to its end, showing its output.
 *
 * @throws Error with the command line if it cannot be started or exits with another code than 0.
 */
export async function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) {
    throw new Error(`"${[command, ...args].join(' ')}" ended with code ${code}.`);
  }
}
