import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { minify } from '@swc/core';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundledPackages, noticesFile, thirdPartyNotices } from './notices.ts';
import { projectRoot } from './project.ts';
import { undiciBuild } from './undici.ts';

/**
 * Bundles the extension: `extension.js` with all that activation needs and `services.js` with what every window needs after that,
 * each in one file because each further one takes its time to load, and a chunk for everything that is first asked for by a
 * dynamic import, such as the API client, the sandbox, and the larger parts of the features. Every module exists once.
 *
 * @param mode `production` minifies; `development` adds source maps.
 * @param outdir Where to; what is there is deleted.
 * @returns what went into it.
 */
export async function bundleExtension(
  mode: 'production' | 'development',
  outdir = join(projectRoot, 'dist'),
): Promise<Bundled> {
  await rm(outdir, { recursive: true, force: true });
  const shared = {
    platform: 'node',
    target: 'node22',
    minify: mode === 'production',
    sourcemap: mode === 'development' ? 'inline' : false,
    legalComments: 'none',
    // The names of chunks do not depend on where the packages really are.
    preserveSymlinks: true,
    logLevel: 'warning',
  } as const;
  const { metafile: ofSandbox } = await build({
    ...shared,
    absWorkingDir: projectRoot,
    entryPoints: ['src/sandbox/server.ts'],
    outfile: join(outdir, sandboxFile),
    bundle: true,
    format: 'cjs',
    metafile: true,
  });
  // esbuild splits ECMAScript modules alone, which the extension host loads by its slower hooks: CommonJS comes second.
  const { metafile } = await build({
    ...shared,
    define: { ...undiciBuild.define, 'process.env.BEACON_BUILD': JSON.stringify(mode) },
    plugins: [...undiciBuild.plugins, oneEditorImport, sandboxApart],
    alias: { 'ip-address': join(projectRoot, 'src/network/ipAddress.ts') },
    absWorkingDir: projectRoot,
    entryPoints: [extensionEntry],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['vscode'],
    metafile: true,
  });
  const joined = joinedFiles(metafile);
  const chunks = Object.keys(metafile.outputs).map((path) => basename(path));
  const parts = partsOf(joined, metafile);
  const files = [...joined.keys(), ...chunks.filter((chunk) => !parts.some((part) => part.chunk === chunk))];
  const bundled = files.map(async (name) => {
    const entry = joined.has(name)
      ? { stdin: { contents: joinedModule(name, parts), resolveDir: outdir } }
      : { entryPoints: [join(outdir, name)] };
    const { outputFiles } = await build({
      ...shared,
      ...entry,
      format: 'cjs',
      supported: { 'dynamic-import': false },
      plugins: [chunksBetween(name, parts)],
      outfile: join(outdir, name),
      bundle: true,
      external: ['vscode'],
      write: false,
    });
    return [name, outputFiles[0]?.contents ?? ''] as const;
  });
  await replaceFiles(outdir, chunks, await Promise.all(bundled));
  const ofWebviews = await bundleWebviews(mode, join(outdir, 'webview'));
  const ofWeb = await bundleForWeb(mode, join(outdir, dirname(webFile)));
  if (mode === 'production') {
    await minifyAgain(outdir);
  }
  const packages = bundledPackages([metafile, ofSandbox, ofWebviews, ofWeb]);
  await writeFile(join(outdir, noticesFile), await thirdPartyNotices(packages));
  return { metafile, packages };
}

/** esbuild looks at one expression at a time: what this makes of its output is 2 % smaller, and a download of it 3 %. */
async function minifyAgain(outdir: string): Promise<void> {
  for (const file of globSync('**/*.js', { cwd: outdir })) {
    // The scripts of webviews share their variables of the top level.
    const toplevel = !file.startsWith('webview');
    const source = await readFile(join(outdir, file), 'utf8');
    const { code } = await minify(source, {
      ecma: 2022,
      compress: { toplevel, passes: 5 },
      mangle: { toplevel },
      module: false,
    });
    await writeFile(join(outdir, file), code);
  }
}

/** The file in `dist/` that a window in a browser loads, whose extension host is a worker. */
export const webFile = 'web/extension.js';

/**
 * The files of `dist/web/` that are loaded on demand, and where the sources are that they begin with. Each costs a request to a server:
 * they are few, and what a window shows at once is in none of them.
 */
const webFilesOnDemand: Readonly<Record<string, readonly string[]>> = {
  'activityCommands.js': ['src/activity/commands/', 'src/activity/insights/'],
  'apiChanges.js': ['src/apiChanges/'],
  'errorTracking.js': ['src/errorTracking/'],
  'help.js': ['src/diagnostics/', 'src/help/'],
  'notifications.js': ['src/notifications/', 'src/assistantTools.ts'],
  'sandbox.js': ['src/sandbox/'],
};

/** What loads the files of `dist/web/`. */
const webLoaderEntry = 'src/platform/web/loader.ts';

/**
 * Bundles the extension for a host that is a worker of a browser, which loads one CommonJS module by itself: `extension.js`. What is
 * first asked for by a dynamic import is in `webFilesOnDemand`, which `webLoaderEntry` loads, or in `extension.js`, as is all that several
 * files share. The imports of package.json that begin with `#platform` lead to what a browser has.
 *
 * @returns which sources went into it.
 */
async function bundleForWeb(mode: 'production' | 'development', outdir: string): Promise<Metafile> {
  const shared = {
    // What Node alone has does not build.
    platform: 'browser',
    target: 'es2023',
    minify: mode === 'production',
    sourcemap: mode === 'development' ? 'inline' : false,
    legalComments: 'none',
    preserveSymlinks: true,
    logLevel: 'warning',
  } as const;
  const { metafile } = await build({
    ...shared,
    absWorkingDir: projectRoot,
    entryPoints: { extension: extensionEntry, loader: webLoaderEntry },
    // They are in the files by the hundreds.
    chunkNames: '[hash]',
    outdir,
    bundle: true,
    external: ['vscode'],
    splitting: true,
    format: 'esm',
    // A worker has no environment to read credentials from, whatever it is built for.
    define: { 'process.env.BEACON_BUILD': JSON.stringify('production') },
    plugins: [oneEditorImport],
    metafile: true,
  });
  const files = webFilesOf(metafile);
  const fileOf = new Map([...files].flatMap(([file, chunks]) => [...chunks].map((chunk) => [chunk, file] as const)));
  const isAsked = new Set([
    basename(webLoaderEntry, '.ts') + '.js',
    ...Object.entries(metafile.outputs).flatMap(([path, { imports }]) =>
      imports.map((one) => basename(one.path)).filter((one) => fileOf.get(one) !== fileOf.get(basename(path))),
    ),
  ]);
  const contents = [...files].map(async ([file, chunks]) => {
    const modules = [...chunks]
      .filter((chunk) => isAsked.has(chunk))
      .map((chunk) => `${JSON.stringify(chunk)}: () => require('./${chunk}')`)
      .join();
    const { outputFiles } = await build({
      ...shared,
      stdin: {
        contents:
          file === 'extension.js'
            ? `export { activate } from './extension.js'; import { provide } from './loader.js'; provide({ ${modules} });`
            : `module.exports = { ${modules} };`,
        resolveDir: outdir,
      },
      bundle: true,
      external: ['vscode'],
      format: 'cjs',
      supported: { 'dynamic-import': false },
      // Once in a file rather than in each module of it.
      banner: { js: '"use strict";' },
      tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
      plugins: [filesOnDemand(file, fileOf, outdir)],
      outfile: join(outdir, file),
      write: false,
    });
    return [file, outputFiles[0]?.contents ?? ''] as const;
  });
  await replaceFiles(outdir, fileOf.keys(), await Promise.all(contents));
  return metafile;
}

/** The chunks of each file in `dist/web/`, by its name. No file but `extension.js` has anything that another one needs at once. */
function webFilesOf({ outputs }: Metafile): ReadonlyMap<string, ReadonlySet<string>> {
  const fileOfEntry = (source: string): string =>
    Object.entries(webFilesOnDemand).find(([, places]) => places.some((place) => source.startsWith(place)))?.[0] ??
    'extension.js';
  const filesOf = new Map<string, Set<string>>();
  const add = (path: string, file: string): void => {
    const files = filesOf.get(path) ?? new Set();
    filesOf.set(path, files);
    if (!files.has(file)) {
      files.add(file);
      importsOf(outputs, path).forEach((one) => add(one, file));
    }
  };
  for (const [path, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint !== undefined) {
      const isLoadedAlways = [extensionEntry, servicesEntry, ...signedInEntries].includes(entryPoint);
      add(path, isLoadedAlways ? 'extension.js' : fileOfEntry(entryPoint));
    }
  }
  const chunksOf = new Map<string, Set<string>>();
  for (const [path, files] of filesOf) {
    const file = files.size === 1 ? ([...files][0] ?? '') : 'extension.js';
    chunksOf.set(file, (chunksOf.get(file) ?? new Set()).add(basename(path)));
  }
  return chunksOf;
}

/**
 * Lets a file in `dist/web/` take the chunks that it does not hold itself: those of `extension.js` from the loader, by `require`, and
 * what is imported on demand as a module that is a promise of the chunk, which `import()` waits for.
 */
function filesOnDemand(file: string, fileOf: ReadonlyMap<string, string>, resolveDir: string): Plugin {
  return {
    name: 'files-on-demand',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\/[^/]+\.js$/ }, ({ path, kind }) => {
        const chunk = basename(path);
        if (fileOf.get(chunk) === file) {
          return undefined;
        }
        return kind === 'dynamic-import' && fileOf.get(chunk) !== 'extension.js'
          ? { path: chunk, namespace: 'on-demand' }
          : // No module of the extension is imported for what loading it does: what nothing is taken from is not loaded.
            { path: chunk, external: true, sideEffects: false };
      });
      bundler.onLoad({ filter: /.*/, namespace: 'on-demand' }, ({ path }) => ({
        contents: `import { load } from './loader.js';
export const then = (resolve, reject) => load('${fileOf.get(path)}', '${path}').then(resolve, reject);`,
        resolveDir,
      }));
    },
  };
}

/** The chunks that one imports at once. */
function importsOf(outputs: Metafile['outputs'], path: string): readonly string[] {
  return (outputs[path]?.imports ?? [])
    .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
    .map((one) => one.path);
}

/** Puts files into a folder, in the place of the chunks that they were made of. */
async function replaceFiles(
  folder: string,
  chunks: Iterable<string>,
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
): Promise<void> {
  await Promise.all([...chunks].map((chunk) => rm(join(folder, chunk))));
  await Promise.all(files.map(([name, content]) => writeFile(join(folder, name), content)));
}

/** What went into a bundle. */
export interface Bundled {
  /** The sources of the extension without sandbox and webviews, and which of them import which. */
  readonly metafile: Metafile;
  /** The folders, below the project's, of the packages of which something is in it. */
  readonly packages: readonly string[];
}

/** The source that `activate` is in. */
export const extensionEntry = 'src/extension.ts';

/** The source that is loaded when activation is over. */
export const servicesEntry = 'src/services.ts';

/** The file in `dist/` that the sandbox is. */
export const sandboxFile = 'sandbox.js';

/**
 * The sandbox is bundled by itself, a program that shares nothing with the extension. With what it needs of packages in
 * chunks that both have, the extension would load that as well.
 */
const sandboxApart: Plugin = {
  name: 'sandbox-apart',
  setup(build) {
    build.onResolve({ filter: /\/server\.ts$/ }, ({ importer }) =>
      /[\\/]platform[\\/]node[\\/]network\.ts$/.test(importer)
        ? { path: `./${sandboxFile}`, external: true }
        : undefined,
    );
  },
};

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

/** The sources that a window loads together once somebody is signed in. */
const signedInEntries = ['src/activity/activityView.ts', 'src/errorTracking/errorTrackingServices.ts'];

/** Chunks of fewer bytes are not worth a file each. */
const smallChunk = 8000;

/**
 * Which chunks become one file, because each further file takes its time to load. All that `extension.js` loads is in it, in
 * `services.js` what every window loads after activation, and in `signedIn.js` what those load in which somebody is signed in.
 * Small chunks that several others share are in `shared.js`, as are entries that only name what is in it, if they need nothing
 * but that and these three, so that no two files wait for each other.
 *
 * @returns the names of the chunks by the name of the file that they become.
 */
function joinedFiles({ outputs }: Metafile): ReadonlyMap<string, readonly string[]> {
  const known = new Set<string>();
  /** What sources load at once, without what the files before have. */
  const takeAll = (entries: readonly string[]): readonly string[] => {
    const found = new Set(Object.keys(outputs).filter((path) => entries.includes(outputs[path]?.entryPoint ?? '')));
    for (const path of found) {
      importsOf(outputs, path).forEach((one) => found.add(one));
    }
    const added = [...found].filter((path) => !known.has(path));
    added.forEach((path) => known.add(path));
    return added.map((path) => basename(path));
  };
  const first: (readonly [string, readonly string[]])[] = [
    ['extension.js', takeAll([extensionEntry])],
    ['services.js', takeAll([servicesEntry])],
    ['signedIn.js', takeAll(signedInEntries)],
  ];
  const isShared = (path: string): boolean => {
    const { entryPoint, bytes = 0, inputs = {} } = outputs[path] ?? {};
    const hasCode = Object.values(inputs).some(({ bytesInOutput }) => bytesInOutput > 0);
    return bytes < smallChunk && !known.has(path) && (entryPoint === undefined || !hasCode);
  };
  let small = Object.keys(outputs).filter(isShared);
  for (let before = -1; before !== small.length;) {
    before = small.length;
    const all = new Set([...known, ...small]);
    small = small.filter((path) => importsOf(outputs, path).every((one) => all.has(one)));
  }
  return new Map([...first, ['shared.js', small.map((path) => basename(path))]]);
}

/** A chunk in the file that it became a part of. */
interface Part {
  readonly chunk: string;
  readonly file: string;
  /** What the chunk exports, by the names that the file exports it by. Chunks have the same short names for their exports. */
  readonly exports: ReadonlyMap<string, string>;
}

function partsOf(joined: ReadonlyMap<string, readonly string[]>, { outputs }: Metafile): readonly Part[] {
  const exportsOf = new Map(Object.entries(outputs).map(([path, { exports }]) => [basename(path), exports]));
  return [...joined].flatMap(([file, chunks]) =>
    chunks.map((chunk, index) => ({
      chunk,
      file,
      exports: new Map((exportsOf.get(chunk) ?? []).map((name) => [`${name}_${index}`, name])),
    })),
  );
}

/** A module with all that the chunks of a file export. */
function joinedModule(file: string, parts: readonly Part[]): string {
  return [
    ...(file === 'extension.js' ? [`export { activate } from './extension.js';`] : []),
    ...parts
      .filter((part) => part.file === file)
      .map(({ chunk, exports }) => {
        const names = [...exports].map(([name, original]) => `${original} as ${name}`);
        return `export { ${names.join()} } from './${chunk}';`;
      }),
  ].join('\n');
}

/** Lets a file take the chunks that it imports, and does not hold itself, from the files that they are in. */
function chunksBetween(file: string, parts: readonly Part[]): Plugin {
  const known = new Map(parts.map((part) => [part.chunk, part]));
  return {
    name: 'chunks-between',
    setup(build) {
      build.onResolve({ filter: /^\.\/[^/]+\.js$/ }, ({ path, namespace }) => {
        const part = known.get(basename(path));
        if (namespace === 'part' || !part) {
          // See `filesOnDemand`.
          return { path, external: true, sideEffects: false };
        }
        return part.file === file ? undefined : { path: part.chunk, namespace: 'part' };
      });
      build.onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => {
        const { file: place = '', exports = [] } = known.get(path) ?? {};
        const names = [...exports].map(([name, original]) => `${name} as ${original}`);
        return { contents: `export { ${names.join()} } from './${place}';` };
      });
    },
  };
}

const webviewStyle = 'src/webviews/webview.css';
const chartStyle = 'src/webviews/page/charts.css';
const mailStyle = 'src/notifications/noise/page/mails.css';

/** The pages of webviews by their names: the source of the script, and those of the styles in their order. */
const webviewPages: Readonly<Record<string, readonly [script: string, ...styles: string[]]>> = {
  activityEvent: ['src/activity/document/page/main.ts', webviewStyle, 'src/activity/document/page/event.css'],
  activityInsights: [
    'src/activity/insights/page/main.ts',
    ...[webviewStyle, chartStyle, 'src/activity/insights/page/insights.css'],
  ],
  notificationNoise: [
    'src/notifications/noise/page/main.ts',
    ...[webviewStyle, chartStyle, mailStyle, 'src/notifications/noise/page/noise.css'],
  ],
  notificationOverview: [
    'src/notifications/overview/page/main.ts',
    ...[webviewStyle, mailStyle, 'src/notifications/overview/page/overview.css'],
  ],
  notificationSettings: [
    'src/notifications/form/page/main.ts',
    ...[webviewStyle, mailStyle, 'src/notifications/form/page/form.css'],
  ],
};

/**
 * Bundles what runs in webviews. What pages share is in files of its own, and `pages.json` says by the name of a page which scripts and
 * styles it has, in their order. They are put into the document one after the other, where modules cannot import each other: each
 * script keeps what it exports in a global variable.
 *
 * @returns which sources went into it.
 */
export async function bundleWebviews(mode: 'production' | 'development', outdir: string): Promise<Metafile> {
  const shared = {
    absWorkingDir: projectRoot,
    bundle: true,
    platform: 'browser',
    target: 'es2023',
    minify: mode === 'production',
    legalComments: 'none',
    preserveSymlinks: true,
    logLevel: 'warning',
  } as const;
  const pages = Object.entries(webviewPages);
  const styleName = (source: string): string => basename(source, '.css');
  const styles = new Set(pages.flatMap(([, [, ...sources]]) => sources));
  const { metafile } = await build({
    ...shared,
    entryPoints: [
      ...pages.map(([out, [script]]) => ({ in: script, out })),
      ...[...styles].map((source) => ({ in: source, out: styleName(source) })),
    ],
    outdir,
    splitting: true,
    format: 'esm',
    metafile: true,
  });
  const scripts = Object.keys(metafile.outputs).filter((path) => path.endsWith('.js'));
  const global = (file: string): string => `beacon_${basename(file, '.js').replaceAll(/\W/g, '_')}`;
  const exportsOf = (file: string): readonly string[] =>
    scripts.flatMap((path) => (basename(path) === basename(file) ? (metafile.outputs[path]?.exports ?? []) : []));
  const between: Plugin = {
    name: 'globals-between',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\/[^/]+\.js$/ }, ({ path }) => ({ path, namespace: 'global' }));
      // By the names of its exports, which takes less code than a module of unknown ones does.
      bundler.onLoad({ filter: /.*/, namespace: 'global' }, ({ path }) => ({
        contents: `export const { ${exportsOf(path).join(', ')} } = ${global(path)};`,
      }));
    },
  };
  const bundled = scripts.map(async (path) => {
    const name = basename(path);
    const { outputFiles } = await build({
      ...shared,
      entryPoints: [join(outdir, name)],
      format: 'iife',
      globalName: global(name),
      plugins: [between],
      write: false,
    });
    return [name, outputFiles[0]?.contents ?? ''] as const;
  });
  await replaceFiles(outdir, [], await Promise.all(bundled));
  const filesOf = (path: string): readonly string[] => [
    ...importsOf(metafile.outputs, path).flatMap(filesOf),
    basename(path),
  ];
  const files = pages.map(([name, [, ...sources]]) => {
    const entry = scripts.find((path) => basename(path) === `${name}.js`) ?? '';
    return [
      name,
      { scripts: [...new Set(filesOf(entry))], styles: sources.map((source) => `${styleName(source)}.css`) },
    ] as const;
  });
  await writeFile(join(outdir, 'pages.json'), JSON.stringify(Object.fromEntries(files)));
  return metafile;
}

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
