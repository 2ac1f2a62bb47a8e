import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { projectRoot } from './project.ts';

/** A package that more than one chunk uses. */
const undici = join('node_modules', 'undici', 'index.js');

/**
 * The files of dist/, each with the module it starts from. An import of such a module from anywhere else stays an
 * import of that file, so that it loads when it is first asked for and exists once: the API client with undici and zod
 * at the first request, what opens its connections, the sandbox when it is started, the error classes with whoever is first.
 */
const chunks = new Map(
  [
    ['src/extension.ts', 'extension'],
    ['src/api/client.ts', 'api'],
    ['src/api/errors.ts', 'errors'],
    ['src/accounts/network/dispatcher.ts', 'network'],
    ['src/sandbox/server.ts', 'sandbox'],
    [undici, 'undici'],
  ].map(([source = '', name = '']) => [join(projectRoot, source), name]),
);

const keepChunksApart: Plugin = {
  name: 'keep-chunks-apart',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^undici$/ }, () => ({ path: './undici.js', external: true }));
    pluginBuild.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, kind }) => {
      const chunk = kind === 'entry-point' ? undefined : chunks.get(resolve(dirname(importer), path));
      return chunk === undefined ? undefined : { path: `./${chunk}.js`, external: true };
    });
  },
};

/**
 * Bundles the extension into dist/.
 *
 * @param mode `production` minifies; `development` adds source maps.
 */
export async function bundleExtension(mode: 'production' | 'development'): Promise<void> {
  const outdir = join(projectRoot, 'dist');
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [...chunks].map(([source, name]) => ({ in: source, out: name })),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    // A dynamic import becomes a require at that place: the extension host loads CommonJS without its slower module hooks.
    supported: { 'dynamic-import': false },
    external: ['vscode'],
    minify: mode === 'production',
    keepNames: true,
    sourcemap: mode === 'development' ? 'linked' : false,
    legalComments: 'none',
    plugins: [keepChunksApart],
    logLevel: 'warning',
  });
}

/** Bundles the tests that run inside the extension host into one CommonJS module per test file; answers with the folder. */
export async function bundleHostTests(testFiles: readonly string[], entry: string): Promise<string> {
  const outdir = join(projectRoot, 'dist', 'test');
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [entry, ...testFiles],
    outbase: join(projectRoot, 'test', 'host'),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return outdir;
}
