import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { projectRoot } from '../../scripts/project.ts';

/** What the trivial extension writes down of the extension host that it is in, in bytes. */
export interface MemoryMeasurement {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
}

/** What the trivial extension writes down of the second after the activation of Beacon. */
export interface ActivationMeasurement {
  /** In milliseconds, of the tasks that activation has left for later. */
  readonly longestTask: number;
  /** The bytes of all files of Beacon that were loaded until then. */
  readonly loaded: number;
}

/** The commands of the trivial extension, by their titles. */
export const trivialCommands = {
  run: 'Trivial: Run',
  measureMemory: 'Trivial: Measure Memory',
  measureTask: 'Trivial: Measure Task',
} as const;

/**
 * Packs an extension that does next to nothing, until it is asked to measure: it writes JSON to the file that BEACON_BENCH_RESULTS
 * names. Of the memory of its extension host, after a garbage collection, a `MemoryMeasurement`; of what activating Beacon leaves for
 * later, an `ActivationMeasurement`.
 *
 * @param folder for it to be made in.
 * @returns the path of the package.
 */
export async function packTrivialExtension(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { engines } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as { engines: object };
  const manifest = {
    ...{ name: 'trivial', displayName: 'Trivial', publisher: 'bench', version: '1.0.0', license: 'MIT', engines },
    main: './extension.js',
    activationEvents: ['onStartupFinished'],
    contributes: {
      commands: [
        { command: 'trivial.run', title: trivialCommands.run },
        { command: 'trivial.measureMemory', title: trivialCommands.measureMemory },
        { command: 'trivial.measureTask', title: trivialCommands.measureTask },
      ],
    },
  };
  const code = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => subscriptions.push(
  vscode.commands.registerCommand('trivial.run', () => {}),
  vscode.commands.registerCommand('trivial.measureMemory', async () => {
    require('node:v8').setFlagsFromString('--expose-gc');
    const collect = require('node:vm').runInNewContext('gc');
    // The last resort also gives back what is kept for the next allocations.
    for (let round = 0; round < 3; round += 1) {
      collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    require('node:fs').writeFileSync(process.env.BEACON_BENCH_RESULTS, JSON.stringify(process.memoryUsage()));
  }),
  vscode.commands.registerCommand('trivial.measureTask', async () => {
    const [plain, tasks] = [setTimeout, []];
    globalThis.setTimeout = (callback, delay, ...args) => {
      if (delay > 0) {
        return plain(callback, delay, ...args);
      }
      // The tasks from the one of the timer on, until one has nothing to do.
      let before;
      const look = () => {
        const now = performance.now();
        tasks.push(now - before);
        before = now;
        if (tasks.at(-1) > 1) {
          setImmediate(look);
        }
      };
      return plain(() => {
        before = performance.now();
        setImmediate(look);
        callback(...args);
      }, 0);
    };
    await vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab').activate();
    await new Promise((resolve) => plain(resolve, 1000));
    globalThis.setTimeout = plain;
    const fs = require('node:fs');
    const { extensionPath } = vscode.extensions.getExtension('beacon-gitlab.beacon-gitlab');
    const files = Object.keys(require.cache).filter((file) => file.startsWith(extensionPath));
    const loaded = files.reduce((sum, file) => sum + fs.statSync(file).size, 0);
    fs.writeFileSync(process.env.BEACON_BENCH_RESULTS, JSON.stringify({ longestTask: Math.max(...tasks), loaded }));
  }),
);
`;
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'extension.js'), code);
  await writeFile(join(folder, 'README.md'), '# Trivial\n');
  await writeFile(join(folder, 'LICENSE'), 'MIT\n');
  const packagePath = join(folder, 'trivial.vsix');
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true });
  return packagePath;
}
