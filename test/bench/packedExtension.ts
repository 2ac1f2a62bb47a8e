import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { bundleForHost } from '../../scripts/bundle.ts';

/**
 * Packs an extension of one module of this folder, which starts with each window.
 *
 * @param folder for it to be made in.
 * @param name of the module, without "Host.ts", and of the extension.
 * @param commands their titles by their names.
 * @param define constants of the module, as JSON.
 * @returns the path of the package.
 */
export async function packExtension(
  folder: string,
  name: string,
  commands: Readonly<Record<string, string>> = {},
  define: Readonly<Record<string, string>> = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const packagePath = join(folder, `${name}.vsix`);
  const entryPoints = [`test/bench/${name}Host.ts`];
  await bundleForHost({ entryPoints, outfile: join(folder, 'extension.js'), define });
  const manifest = {
    ...{ name, displayName: name, version: '1.0.0', publisher: 'bench', engines: { vscode: '^1.105.0' } },
    ...{ main: './extension.js', files: ['extension.js'], activationEvents: ['onStartupFinished'] },
    contributes: {
      commands: Object.entries(commands).map(([command, title]) => ({ command: `${name}.${command}`, title })),
    },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true, skipLicense: true });
  return packagePath;
}
