import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, type Metafile, type Plugin, transform } from 'esbuild';
import { bundledPackages, noticesFile, thirdPartyNotices } from './notices.ts';
import { projectRoot } from './project.ts';
import { undiciParts } from './undici.ts';

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
    define: { ...undiciParts.define, 'process.env.BEACON_BUILD': JSON.stringify(mode) },
    plugins: [...undiciParts.plugins, oneEditorImport, sandboxApart],
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
  const commonJs = { ...shared, format: 'cjs', supported: { 'dynamic-import': false } } as const;
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  const codes = new Map<string, string>();
  for (const [name, members] of joined) {
    const { outputFiles } = await build({
      ...commonJs,
      stdin: {
        contents: [
          ...(name === 'extension.js' ? [`export { activate } from './extension.js';`] : []),
          ...members.map((file, index) => `export * as part${index} from './${file}';`),
        ].join('\n'),
        resolveDir: outdir,
      },
      outfile: join(outdir, name),
      bundle: true,
      external: [...files, sandboxFile].filter((file) => !members.includes(file)).map((file) => join(outdir, file)),
      write: false,
    });
    codes.set(name, outputFiles[0]?.text ?? '');
  }
  const members = new Set([...joined.values()].flat());
  for (const file of files.filter((one) => !members.has(one))) {
    codes.set(file, (await transform(await readFile(join(outdir, file), 'utf8'), commonJs)).code);
  }
  await Promise.all(files.map((file) => rm(join(outdir, file))));
  for (const [name, code] of codes) {
    await writeFile(join(outdir, name), takeFromJoined(code, joined));
  }
  const ofWebviews = await bundleWebviews(mode, join(outdir, 'webview'));
  const packages = bundledPackages([metafile, ofSandbox, ofWebviews]);
  await writeFile(join(outdir, noticesFile), await thirdPartyNotices(packages));
  return { metafile, packages };
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
      importer.endsWith('embeddedSandbox.ts') ? { path: `./${sandboxFile}`, external: true } : undefined,
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

/** Chunks of fewer bytes are not worth a file each. */
const smallChunk = 20_000;

/**
 * Which files become one. All that `extension.js` loads is in it, and in `services.js` what every window loads after activation.
 * What several of the other chunks share is in `shared.js` if it is small and needs nothing but that and these two, so that no
 * two files wait for each other.
 *
 * @returns the names of the files by the name of the one that they become.
 */
function joinedFiles({ outputs }: Metafile): ReadonlyMap<string, readonly string[]> {
  const importsOf = (path: string): string[] =>
    (outputs[path]?.imports ?? [])
      .filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .map((one) => one.path);
  const withImports = (entry: string): ReadonlySet<string> => {
    const found = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entry));
    for (const path of found) {
      importsOf(path).forEach((one) => found.add(one));
    }
    return found;
  };
  const extension = withImports(extensionEntry);
  const first = new Set([...extension, ...withImports(servicesEntry)]);
  const parts = [...first].filter((path) => !extension.has(path));
  let small = Object.entries(outputs)
    .filter(([path, { entryPoint, bytes }]) => entryPoint === undefined && bytes < smallChunk && !first.has(path))
    .map(([path]) => path);
  for (let before = -1; before !== small.length;) {
    before = small.length;
    const known = new Set([...first, ...small]);
    small = small.filter((path) => importsOf(path).every((one) => known.has(one)));
  }
  const names = (paths: Iterable<string>): string[] => [...paths].map((path) => basename(path));
  return new Map([
    ['extension.js', names(extension)],
    ['services.js', names(parts)],
    ['shared.js', names(small)],
  ]);
}

/** Lets code take what it imports from files that have become one from there. */
function takeFromJoined(code: string, joined: ReadonlyMap<string, readonly string[]>): string {
  return [...joined].reduce(
    (text, [name, files]) =>
      files.reduce(
        (rest, file, index) => rest.replaceAll(`require("./${file}")`, `require("./${name}").part${index}`),
        text,
      ),
    code,
  );
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
