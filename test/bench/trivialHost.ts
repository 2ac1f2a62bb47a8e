import { statSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';

/** What is written down of the second after the activation of Beacon. */
export interface ActivationMeasurement {
  /** In milliseconds, of the tasks that activation has left for later. */
  readonly longestTask: number;
  /** The bytes of all files of Beacon that were loaded until then. */
  readonly loaded: number;
}

/** The extension host is idle once it was busy for no more of a second, as a share of it. */
const idle = 0.05;

/**
 * Does next to nothing, until it is asked to measure, for which it waits until its extension host is idle: it writes JSON to the file
 * that BEACON_BENCH_RESULTS names.
 */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const measure = (measured: () => Promise<unknown>) => async () => {
    await hostIsIdle();
    writeFileSync(process.env['BEACON_BENCH_RESULTS'] ?? '', JSON.stringify(await measured()));
  };
  subscriptions.push(
    vscode.commands.registerCommand('trivial.measureMemory', measure(measureMemory)),
    vscode.commands.registerCommand('trivial.measureTask', measure(measureTask)),
  );
}

async function hostIsIdle(): Promise<void> {
  for (let busy = 1; busy > idle;) {
    const before = performance.eventLoopUtilization();
    await sleep(1000);
    busy = performance.eventLoopUtilization(before).utilization;
  }
}

/** The memory of the extension host after a garbage collection, in bytes. */
async function measureMemory(): Promise<NodeJS.MemoryUsage> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NonNullable<typeof gc>;
  // The last resort also gives back what is kept for the next allocations.
  for (let round = 0; round < 3; round += 1) {
    collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
    await sleep(100);
  }
  return process.memoryUsage();
}

/** Activates Beacon, and looks at the tasks that this leaves for later. */
async function measureTask(): Promise<ActivationMeasurement> {
  const plain = globalThis.setTimeout;
  const tasks: number[] = [];
  const watched = (callback: (...args: unknown[]) => void, delay?: number, ...args: unknown[]): NodeJS.Timeout => {
    if (delay !== undefined && delay > 0) {
      return plain(callback, delay, ...args);
    }
    // The tasks from the one of the timer on, until one has nothing to do.
    let before = 0;
    const look = (): void => {
      const now = performance.now();
      const task = now - before;
      tasks.push(task);
      before = now;
      if (task > 1) {
        setImmediate(look);
      }
    };
    return plain(() => {
      before = performance.now();
      setImmediate(look);
      callback(...args);
    }, 0);
  };
  globalThis.setTimeout = watched as typeof setTimeout;
  const beacon = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab');
  await beacon?.activate();
  await sleep(1000);
  globalThis.setTimeout = plain;
  const files = Object.keys(require.cache).filter((file) => file.startsWith(beacon?.extensionPath ?? ''));
  return {
    longestTask: Math.max(...tasks),
    loaded: files.reduce((sum, file) => sum + statSync(file).size, 0),
  };
}
