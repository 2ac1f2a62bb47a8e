import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs a program to its end, showing its output.
 *
 * @throws Error with the command line, and with what it has printed unless that was shown, if it exits with another code than 0.
 */
export async function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  const child = spawn(command, args, { stdio: 'inherit', ...options });
  const output: Buffer[] = [];
  child.stdout?.on('data', (data: Buffer) => output.push(data));
  child.stderr?.on('data', (data: Buffer) => output.push(data));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) {
    const text = Buffer.concat(output).toString();
    throw new Error(`"${[command, ...args].join(' ')}" ended with code ${code}.\n${text}`.trimEnd());
  }
}

/** Runs a program to its end, and keeps to itself what it prints. */
export async function runQuietly(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  await run(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

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
    process.stderr.write(` ${((performance.now() - start) / 1000).toFixed(0)} s\n`);
  }
}

/** Makes a folder for temporary files, which goes with all that is in it. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'beacon-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
