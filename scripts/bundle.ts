import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { projectRoot } from './project.ts';
import { undiciParts } from './undici.ts';

/**
 * Bundles the extension: `extension.js` with what activation needs, and a chunk for everything that is first asked
 * for by a dynamic import, such as the API client, the sandbox, and the larger parts of the features. What several of them use
 * is in chunks of its own, so that every module exists once.
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
  const { outputFiles } = await build({
    ...shared,
    ...undiciParts,
    absWorkingDir: projectRoot,
    entryPoints: ['src/extension.ts'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    external: ['vscode'],
    write: false,
  });
  await mkdir(outdir, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
      ...shared,
      format: 'cjs',
      supported: { 'dynamic-import': false },
    });
    await writeFile(path, code);
  }
  await bundleWebviews(mode, join(outdir, 'webview'));
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
