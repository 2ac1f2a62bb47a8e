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

/** The duration of what run.mjs has installed before, in seconds. */
const { BEACON_PACKAGES_INSTALLED_IN: packagesSeconds } = process.env;

/** What took how long in this run, in seconds, by the names of the steps. */
const durations = new Map<string, number>(
  packagesSeconds === undefined ? [] : [['Installing packages', Number(packagesSeconds)]],
);

/**
 * Does what may take a while, and says so in one line on stderr, with its duration.
 *
 * @param name such as `Installing Chromium`.
 */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  process.stderr.write(`${name}…`);
  try {
    return await work();
  } finally {
    const seconds = (performance.now() - start) / 1000;
    durations.set(name, seconds);
    process.stderr.write(` ${seconds.toFixed(0)} s\n`);
  }
}

/** Which step of this run took longest, in a sentence; empty if there was none. */
export function longestStep(): string {
  const [longest] = [...durations].sort(([, one], [, other]) => other - one);
  return longest ? `The longest step was ${longest[0]}: ${longest[1].toFixed(0)} s.` : '';
}

/**
 * Runs a program to its end and keeps to itself what it prints.
 *
 * @throws Error with the command line and what it has printed, if it cannot be started or exits with another code than 0.
 */
export async function runQuietly(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => output.push(data));
  child.stderr?.on('data', (data: Buffer) => output.push(data));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    throw new Error(`"${[command, ...args].join(' ')}" ended with code ${code}.\n${Buffer.concat(output).toString()}`);
  }
}
