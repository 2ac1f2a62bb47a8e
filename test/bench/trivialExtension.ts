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

/** The commands of the trivial extension, by their titles. */
export const trivialCommands = { run: 'Trivial: Run', measure: 'Trivial: Measure Memory' } as const;

/**
 * Packs an extension that does next to nothing, until it is asked for the memory of its extension host: then it collects the
 * garbage and writes a `MemoryMeasurement` as JSON to the file that BEACON_BENCH_RESULTS names.
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
        { command: 'trivial.measure', title: trivialCommands.measure },
      ],
    },
  };
  const code = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => subscriptions.push(
  vscode.commands.registerCommand('trivial.run', () => {}),
  vscode.commands.registerCommand('trivial.measure', async () => {
    require('node:v8').setFlagsFromString('--expose-gc');
    const collect = require('node:vm').runInNewContext('gc');
    // The last resort also gives back what is kept for the next allocations.
    for (let round = 0; round < 3; round += 1) {
      collect({ type: 'major', flavor: 'last-resort', execution: 'sync' });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    require('node:fs').writeFileSync(process.env.BEACON_BENCH_RESULTS, JSON.stringify(process.memoryUsage()));
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
