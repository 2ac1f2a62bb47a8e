import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
  const contents = await Promise.all(bundled);
  await Promise.all(chunks.map((chunk) => rm(join(outdir, chunk))));
  await Promise.all(contents.map(([name, content]) => writeFile(join(outdir, name), content)));
  const ofWebviews = await bundleWebviews(mode, join(outdir, 'webview'));
  const ofWeb = await bundleForWeb(mode, join(outdir, webFile));
  const packages = bundledPackages([metafile, ofSandbox, ofWebviews, ofWeb]);
  await writeFile(join(outdir, noticesFile), await thirdPartyNotices(packages));
  return { metafile, packages };
}

/** The file in `dist/` that is all of the extension where its host is a worker of a browser. */
export const webFile = 'web/extension.js';

/**
 * Bundles the extension for a host that is a worker of a browser, which loads one CommonJS module and nothing after it. The imports of
 * package.json that begin with `#platform` lead to what a browser has.
 *
 * @returns which sources went into it.
 */
async function bundleForWeb(mode: 'production' | 'development', outfile: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [extensionEntry],
    outfile,
    bundle: true,
    // What Node alone has does not build.
    platform: 'browser',
    target: 'es2023',
    format: 'cjs',
    external: ['vscode'],
    // A worker has no environment to read credentials from, whatever it is built for.
    define: { 'process.env.BEACON_BUILD': JSON.stringify('production') },
    plugins: [oneEditorImport],
    minify: mode === 'production',
    sourcemap: mode === 'development' ? 'inline' : false,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  return metafile;
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
      /[\\/]platform[\\/]node[\\/]sandbox\.ts$/.test(importer)
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
  const importsOf = (path: string): string[] =>
    (outputs[path]?.imports ?? [])
      .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .map((one) => one.path);
  const known = new Set<string>();
  /** What sources load at once, without what the files before have. */
  const takeAll = (entries: readonly string[]): readonly string[] => {
    const found = new Set(Object.keys(outputs).filter((path) => entries.includes(outputs[path]?.entryPoint ?? '')));
    for (const path of found) {
      importsOf(path).forEach((one) => found.add(one));
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
    small = small.filter((path) => importsOf(path).every((one) => all.has(one)));
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
          return { path, external: true };
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

/** What runs in webviews, by its name in `dist/webview/`. */
const webviewEntries = [
  { in: 'src/notifications/form/page/main.ts', out: 'notificationSettings' },
  { in: 'src/notifications/form/page/form.css', out: 'notificationSettings' },
  { in: 'src/notifications/overview/page/main.ts', out: 'notificationOverview' },
  { in: 'src/notifications/overview/page/overview.css', out: 'notificationOverview' },
];

/**
 * Bundles what runs in webviews: for each a script and a style.
 *
 * @returns which sources went into it.
 */
export async function bundleWebviews(mode: 'production' | 'development', outdir: string): Promise<Metafile> {
  const { metafile } = await build({
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
    metafile: true,
  });
  return metafile;
}

/**
 * Bundles the tests that run inside the extension host into one CommonJS module per test file.
 *
 * @param outdir a folder of the project, from which its packages are found.
 */
export async function bundleHostTests(testFiles: readonly string[], entry: string, outdir: string): Promise<void> {
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
}
