import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin, transform } from 'esbuild';
import { projectRoot } from './project.ts';
import { undiciParts } from './undici.ts';

/**
 * Bundles the extension: `extension.js` with all that activation needs, in one file because each further one takes its time
 * to load, and a chunk for everything that is first asked for by a dynamic import, such as the API client, the sandbox, and
 * the larger parts of the features. What several of them use is in chunks of its own, so that every module exists once.
 *
 * @param mode `production` minifies; `development` adds source maps.
 * @param outdir Where to; what is there is deleted.
 */
export async function bundleExtension(
  mode: 'production' | 'development',
  outdir = join(projectRoot, 'dist'),
): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  const shared = {
    platform: 'node',
    target: 'node22',
    minify: mode === 'production',
    sourcemap: mode === 'development' ? 'inline' : false,
    legalComments: 'none',
    logLevel: 'warning',
  } as const;
  // esbuild splits ECMAScript modules alone, which the extension host loads by its slower hooks: CommonJS comes second.
  const { metafile } = await build({
    ...shared,
    define: undiciParts.define,
    plugins: [...undiciParts.plugins, oneEditorImport],
    absWorkingDir: projectRoot,
    entryPoints: ['src/extension.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['vscode'],
    metafile: true,
  });
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const first = filesOfActivation(metafile);
  const rest = files.filter((file) => !first.includes(file));
  const commonJs = { ...shared, format: 'cjs', supported: { 'dynamic-import': false } } as const;
  await build({
    ...commonJs,
    stdin: {
      contents: [
        `export { activate } from './extension.js';`,
        ...first.map((file, index) => `export * as part${index} from './${file}';`),
      ].join('\n'),
      resolveDir: outdir,
    },
    outfile: join(outdir, 'extension.js'),
    allowOverwrite: true,
    bundle: true,
    external: rest.map((file) => join(outdir, file)),
  });
  for (const file of rest) {
    const { code } = await transform(await readFile(join(outdir, file), 'utf8'), commonJs);
    await writeFile(join(outdir, file), takeFromExtension(code, first));
  }
  await Promise.all(first.filter((file) => file !== 'extension.js').map((file) => rm(join(outdir, file))));
  await bundleWebviews(mode, join(outdir, 'webview'));
}

/** Imports the editor's API once for all modules. As it stands esbuild would copy all of its names for each of them. */
const oneEditorImport: Plugin = {
  name: 'one-editor-import',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        `import * as vscode from 'vscode';`,
        `import { vscode } from 'editor';`,
      ),
      loader: 'ts',
    }));
    build.onResolve({ filter: /^editor$/ }, ({ path }) => ({ path, namespace: 'editor' }));
    build.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({
      contents: `export const vscode = require('vscode');`,
    }));
  },
};

/** The names of `extension.js` and of all files that are loaded with it. */
function filesOfActivation({ outputs }: Metafile): readonly string[] {
  const found = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === 'src/extension.ts'));
  for (const path of found) {
    const imports = outputs[path]?.imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
    imports?.forEach((one) => found.add(one.path));
  }
  return [...found].map((path) => basename(path));
}

/** Lets the code of a chunk take what activation has loaded from where it is. */
function takeFromExtension(code: string, first: readonly string[]): string {
  return first.reduce(
    (text, file, index) => text.replaceAll(`require("./${file}")`, `require("./extension.js").part${index}`),
    code,
  );
}

/** What runs in webviews, by its name in `dist/webview/`. */
const webviewEntries = [
  { in: 'src/notifications/form/main.ts', out: 'notificationSettings' },
  { in: 'src/notifications/form/form.css', out: 'notificationSettings' },
  { in: 'src/notifications/overview/page/main.ts', out: 'notificationOverview' },
  { in: 'src/notifications/overview/page/overview.css', out: 'notificationOverview' },
];

/** Bundles what runs in webviews: for each a script and a style. */
async function bundleWebviews(mode: 'production' | 'development', outdir: string): Promise<void> {
  await build({
    absWorkingDir: projectRoot,
    entryPoints: webviewEntries,
    outdir,
    bundle: true,
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    minify: mode === 'production',
    legalComments: 'none',
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
