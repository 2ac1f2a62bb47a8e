import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleWebviews, undiciParts } from '../../scripts/bundle.ts';
import { writeManifestTexts } from '../../scripts/manifestTexts.ts';
import { projectRoot } from '../../scripts/project.ts';

const globalNames = [
  'Date',
  'performance',
  'Math',
  'setTimeout',
  'setInterval',
  'clearTimeout',
  'clearInterval',
  'simulated',
];

/**
 * Gives the modules of the product the time of the simulated day, chance that depends on the seed, and an editor whose
 * questions are answered by simulated users. Nothing in the product knows of it.
 */
const simulatedSurroundings: Plugin = {
  name: 'simulated-surroundings',
  setup: (build) => {
    const soak = (file: string): string => JSON.stringify(join(projectRoot, 'test', 'soak', file));
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(join(projectRoot, 'src', '/'))) {
        return undefined;
      }
      const text = (await readFile(path, 'utf8')).replaceAll(/\bglobalThis\b(?!\.)/g, 'simulated');
      const used = globalNames.filter((name) => new RegExp(String.raw`(?<![.\w])${name}\b(?!:)`).test(text));
      const globals = used.length === 0 ? '' : `import { ${used.join(', ')} } from ${soak('time/globals.ts')};`;
      const contents = text
        .replace(`from 'node:timers/promises'`, `from ${soak('time/timersPromises.ts')}`)
        .replace(`from 'node:fs/promises'`, `from ${soak('time/files.ts')}`)
        .replace(`import * as vscode from 'vscode';`, `import { vscode } from ${soak('host/editor.ts')};`);
      return { contents: `${globals}${contents}`, loader: 'ts' };
    });
  },
};

/**
 * Makes an extension of the product in these surroundings, with what is played with it.
 *
 * @param folder where to.
 * @param play the module whose `activate` starts the product and whose `run` plays: the day by default.
 */
export async function bundleProduct(folder: string, play = 'test/soak/host/extension.ts'): Promise<void> {
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as object;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, main: './dist/extension.js' }));
  writeManifestTexts(folder);
  await cp(join(projectRoot, 'media'), join(folder, 'media'), { recursive: true });
  await bundleWebviews('production', join(folder, 'dist', 'webview'));
  await build({
    absWorkingDir: projectRoot,
    alias: { undici: join(projectRoot, undiciParts) },
    plugins: [simulatedSurroundings],
    entryPoints: [play],
    outfile: join(folder, 'dist', 'extension.js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode'],
    keepNames: true,
    logLevel: 'warning',
  });
}
