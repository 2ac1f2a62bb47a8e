import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What an extension declares for these assertions. */
export const truthManifest = {
  ...{
    name: 'truth',
    publisher: 'beacon-gitlab',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    main: './main.js',
  },
  activationEvents: [],
  contributes: {
    configuration: [
      {
        title: 'Truth',
        properties: {
          'truth.count': { type: 'number', default: 7 },
          'truth.part.names': { type: 'array', default: ['one'] },
          'truth.part.on': { type: 'boolean', default: true },
        },
      },
    ],
    views: { explorer: [{ id: 'truth.tree', name: 'Truth' }] },
  },
};

/** Puts an extension with this manifest into a folder of extensions; when activated, it gives its context. */
export async function writeTruthExtension(extensions: string): Promise<void> {
  const { publisher, name, version, main } = truthManifest;
  const folder = join(extensions, `${publisher}.${name}-${version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(truthManifest));
  await writeFile(join(folder, main), 'exports.activate = (context) => context;');
}
