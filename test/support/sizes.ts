import { globSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { webFile } from '../../scripts/bundle.ts';

const kilobyte = 1024;

/** What may be shipped and loaded at most, in bytes. */
export const sizeBudgets = {
  /** What every window loads before `activate` runs. */
  activation: 6 * kilobyte,
  /** What a window loads besides. */
  app: 450 * kilobyte,
  /** All JavaScript for Node and pages, but for the sandbox and undici. */
  javaScript: 750 * kilobyte,
  /** The script and style of the largest page of a webview. */
  page: 40 * kilobyte,
  /** What a window in a browser loads. */
  web: 600 * kilobyte,
  vsix: 700 * kilobyte,
} as const;

/** Measures what `bundleExtension` has made. */
export async function bundleSizes(folder: string) {
  const sum = async (files: readonly string[]): Promise<number> =>
    (await Promise.all(files.map((file) => stat(join(folder, file))))).reduce((total, { size }) => total + size, 0);
  const isApart = (file: string): boolean =>
    file.startsWith(normalize('web/')) || file === 'sandbox.js' || file === 'undici.js';
  const pages = globSync('webview/*.js', { cwd: folder });
  return {
    activation: await sum(['extension.js']),
    app: await sum(['app.js']),
    javaScript: await sum(globSync('**/*.js', { cwd: folder }).filter((file) => !isApart(file))),
    page: Math.max(...(await Promise.all(pages.map((file) => sum([file, file.replace(/js$/, 'css')]))))),
    web: await sum([webFile]),
  };
}
