import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { bundledPackages, noticesFile, thirdPartyNotices } from './notices.ts';
import { projectRoot } from './project.ts';
import { undiciBuild } from './undici.ts';

type Mode = 'production' | 'development';

/** The file in `dist/` that a window in a browser loads, whose extension host is a worker and loads nothing else. */
export const webFile = 'web/extension.js';

/**
 * The files in `dist/` for extension hosts in Node, and what each begins with: what activation needs, what follows when there is something
 * to do, and what few windows need. Each has all that it imports but for the other files.
 */
const nodeFiles: Readonly<Record<string, string>> = {
  extension: 'src/extension.ts',
  app: 'src/main.ts',
  sandbox: 'src/sandbox/server.ts',
  undici: 'undici',
};

/** What markdown-it loads and Beacon does not need. */
const markdownParts = join(projectRoot, 'src/activity/document/markdownParts.ts');

const webviewStyle = 'src/webviews/webview.css';

/** The pages of webviews by their names: the styles in their order, then the script. Each becomes one script and one style. */
const webviewPages: Readonly<Record<string, readonly string[]>> = {
  activityEvent: [webviewStyle, 'src/activity/document/page/event.css', 'src/activity/document/page/main.ts'],
  activityInsights: [webviewStyle, 'src/activity/insights/page/insights.css', 'src/activity/insights/page/main.ts'],
  notificationSettings: [webviewStyle, 'src/notifications/page/page.css', 'src/notifications/page/main.ts'],
};

/** What went into a bundle. */
export interface Bundled {
  /** What the files for Node are made of. */
  readonly metafile: Metafile;
  /** The folders, below the project's, of the packages of which something is in it. */
  readonly packages: readonly string[];
}

/**
 * Bundles the extension for Node and for browsers, and its pages.
 *
 * @param mode `production` minifies; `development` adds source maps.
 * @param outdir Where to; what is there is deleted.
 */
export async function bundleExtension(mode: Mode, outdir = join(projectRoot, 'dist')): Promise<Bundled> {
  await rm(outdir, { recursive: true, force: true });
  const bundles = [
    await bundleForNode(mode, outdir),
    await bundleForWeb(mode, outdir),
    await bundleWebviews(mode, join(outdir, 'webview')),
  ] as const;
  const packages = bundledPackages(bundles);
  await writeFile(join(outdir, noticesFile), await thirdPartyNotices(packages));
  return { metafile: bundles[0], packages };
}

async function bundleForNode(mode: Mode, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...optionsFor(mode),
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    // Another file is required: what `import` finds of a CommonJS file is guessed from its text, and may be nothing.
    supported: { 'dynamic-import': false },
    define: { ...undiciBuild.define, 'process.env.BEACON_BUILD': JSON.stringify(mode) },
    plugins: [filesApart, ...undiciBuild.plugins, oneEditorImport],
    entryPoints: nodeFiles,
    outdir,
    metafile: true,
  });
  return metafile;
}

async function bundleForWeb(mode: Mode, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...optionsFor(mode),
    // What Node alone has does not build, and the imports of package.json that begin with `#platform` lead to what a browser has.
    platform: 'browser',
    target: 'es2023',
    format: 'cjs',
    // A worker has no environment to read credentials from, whatever it is built for.
    define: { 'process.env.BEACON_BUILD': JSON.stringify('production') },
    plugins: [oneEditorImport],
    entryPoints: ['src/extension.ts'],
    outfile: join(outdir, webFile),
    metafile: true,
  });
  return metafile;
}

/** Bundles what runs in webviews: a script and a style for each page. */
export async function bundleWebviews(mode: Mode, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...optionsFor(mode),
    platform: 'browser',
    target: 'es2023',
    format: 'iife',
    sourcemap: false,
    plugins: [pageEntries],
    entryPoints: Object.fromEntries(Object.keys(webviewPages).map((name) => [name, `page:${name}`])),
    outdir,
    metafile: true,
  });
  return metafile;
}

function optionsFor(mode: Mode) {
  return {
    absWorkingDir: projectRoot,
    bundle: true,
    minify: mode === 'production',
    sourcemap: mode === 'development' ? 'inline' : false,
    legalComments: 'none',
    // What a file is called does not depend on where the packages really are.
    preserveSymlinks: true,
    external: ['vscode'],
    alias: Object.fromEntries(['linkify-it', 'uc.micro', 'entities'].map((name) => [name, markdownParts])),
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/** Leaves the files of `nodeFiles` apart: what imports one loads it. */
const filesApart: Plugin = {
  name: 'files-apart',
  setup(bundler) {
    const names = new Map(Object.entries(nodeFiles).map(([name, source]) => [sourceOf(source), name]));
    bundler.onResolve({ filter: /^undici$|\.ts$/ }, ({ path, resolveDir, kind }) => {
      const name = kind === 'entry-point' ? undefined : names.get(sourceOf(path, resolveDir));
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

function sourceOf(path: string, folder = projectRoot): string {
  return path.endsWith('.ts') ? join(folder, path) : path;
}

/** Makes the entry of a page of what `webviewPages` says. */
const pageEntries: Plugin = {
  name: 'page-entries',
  setup(bundler) {
    bundler.onResolve({ filter: /^page:/ }, ({ path }) => ({ path: path.slice('page:'.length), namespace: 'page' }));
    bundler.onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => ({
      contents: (webviewPages[path] ?? []).map((file) => `import './${file}';`).join('\n'),
      resolveDir: projectRoot,
    }));
  },
};

/** Imports the editor's API once for all modules. As it stands esbuild would copy all of its names for each of them. */
const oneEditorImport: Plugin = {
  name: 'one-editor-import',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        `import * as vscode from 'vscode';`,
        `import { vscode } from 'editor';`,
      ),
      loader: 'ts',
    }));
    bundler.onResolve({ filter: /^editor$/ }, ({ path }) => ({ path, namespace: 'editor' }));
    bundler.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({
      contents: `export const vscode = require('vscode');`,
    }));
  },
};

/**
 * Bundles the tests that run inside the extension host into one CommonJS module: what they have in common is in it once.
 *
 * @param entry exports `runTests`, which takes a function that loads the tests.
 * @param outdir a folder of the project, from which its packages are found.
 */
export async function bundleHostTests(testFiles: readonly string[], entry: string, outdir: string): Promise<void> {
  const loading = testFiles.map((file) => `require(${JSON.stringify(file)});`).join('\n');
  await build({
    absWorkingDir: projectRoot,
    stdin: {
      contents: `const { runTests } = require(${JSON.stringify(entry)});\nexports.run = () => runTests(() => {\n${loading}\n});`,
      resolveDir: projectRoot,
    },
    outfile: join(outdir, 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}
