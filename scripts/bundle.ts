import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { writeManifestTexts } from './manifestTexts.ts';
import { thirdPartyNotices } from './notices.ts';
import { projectRoot } from './project.ts';

type Mode = 'production' | 'development';

/** What of undici is bundled. */
export const undiciParts = 'scripts/undici.mjs';

/** The file in `dist/` that a window in a browser loads, whose extension host is a worker and loads nothing else. */
export const webFile = 'web/extension.js';

/**
 * The files in `dist/` for extension hosts in Node, and what each begins with: what activation needs, what follows when there is something
 * to do, and what few windows need. Each has all that it imports but for the other files.
 */
const nodeFiles: Readonly<Record<string, string>> = {
  extension: 'src/extension.ts',
  app: 'src/main.ts',
  markdown: 'src/activity/document/markdown.ts',
  recognize: 'src/apiHints/recognize.ts',
  sandbox: 'src/sandbox/server.ts',
  undici: undiciParts,
};

/** What markdown-it loads and Beacon does not need. */
const markdownParts = join(projectRoot, 'src/activity/document/markdownParts.ts');

/** The folders of the pages of webviews, by their names. Each becomes one script and one style. */
const webviewPages = {
  activityEvent: 'src/activity/document/page',
  activityInsights: 'src/activity/insights/page',
  notificationSettings: 'src/notifications/page',
};

/**
 * Bundles the extension for Node and for browsers, and its pages.
 *
 * @param mode `production` minifies; `development` adds source maps.
 * @param folder of the extension, which gets the texts of the manifest and a new `dist/`.
 */
export async function bundleExtension(mode: Mode, folder = projectRoot): Promise<void> {
  const outdir = join(folder, 'dist');
  await rm(outdir, { recursive: true, force: true });
  const { metafile: forNode } = await build({
    ...optionsFor(mode, 'node'),
    // Another file is required: what `import` finds of a CommonJS file is guessed from its text, and may be nothing.
    supported: { 'dynamic-import': false },
    // As undici itself is bundled for Node: without a parser that is an experiment.
    define: { 'process.env.BEACON_BUILD': JSON.stringify(mode), esbuildDetection: '1' },
    plugins: [filesApart, oneEditorImport],
    entryPoints: nodeFiles,
    outdir,
  });
  const { metafile: forWeb } = await build({
    // What Node alone has does not build, and the imports of package.json that begin with `#platform` lead to what a browser has.
    ...optionsFor(mode, 'browser'),
    // A worker has no environment to read credentials from, whatever it is built for.
    define: { 'process.env.BEACON_BUILD': JSON.stringify('production') },
    plugins: [oneEditorImport],
    entryPoints: ['src/extension.ts'],
    outfile: join(outdir, webFile),
  });
  const notices = thirdPartyNotices([forNode, forWeb, await bundleWebviews(mode, join(outdir, 'webview'))]);
  await writeFile(join(outdir, 'THIRD_PARTY_NOTICES.txt'), notices);
  writeManifestTexts(folder);
}

/** Bundles what runs in webviews: a script and a style for each page. */
export async function bundleWebviews(mode: Mode, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...optionsFor(mode, 'browser'),
    format: 'iife',
    sourcemap: false,
    entryPoints: Object.entries(webviewPages).flatMap(([out, folder]) =>
      ['main.ts', 'page.css'].map((file) => ({ in: `${folder}/${file}`, out })),
    ),
    outdir,
  });
  return metafile;
}

function optionsFor(mode: Mode, platform: 'node' | 'browser') {
  return {
    absWorkingDir: projectRoot,
    platform,
    target: platform === 'node' ? 'node22' : 'es2023',
    format: 'cjs',
    bundle: true,
    metafile: true,
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
    const names = new Map(Object.entries(nodeFiles).map(([name, source]) => [join(projectRoot, source), name]));
    bundler.onResolve({ filter: /^undici$|\.ts$/ }, ({ path, resolveDir, kind }) => {
      const file = path === 'undici' ? join(projectRoot, undiciParts) : join(resolveDir, path);
      const name = kind === 'entry-point' ? undefined : names.get(file);
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

/** Requires the editor's API. For an import esbuild would copy all of its names, in each module. */
const oneEditorImport: Plugin = {
  name: 'one-editor-import',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        `import * as vscode from 'vscode';`,
        `const vscode = require('vscode');`,
      ),
      loader: 'ts',
    }));
  },
};

/** Bundles what runs in an extension host beside the extension into one CommonJS module. */
export async function bundleForHost(options: BuildOptions): Promise<void> {
  await build({
    absWorkingDir: projectRoot,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
    ...options,
  });
}
