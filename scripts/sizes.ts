import { globSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxFile, webFile } from './bundle.ts';

const kilobyte = 1024;

/** What may be shipped and loaded at most, in bytes. */
export const sizeBudgets = {
  activation: 45 * kilobyte,
  signedIn: 65 * kilobyte,
  javaScript: 984 * kilobyte,
  // All features in one file, because a worker loads no chunks.
  web: 630 * kilobyte,
  vsix: 800 * kilobyte,
} as const;

/** The sizes of a bundle, in bytes. */
export interface BundleSizes {
  /** What every window loads: before `activate` runs, and once it is over. */
  readonly activation: number;
  /** What a window loads besides as soon as somebody is signed in, before any view is seen. */
  readonly signedIn: number;
  /** All JavaScript, that of webviews too, but neither the sandbox nor what is for browsers. */
  readonly javaScript: number;
  /** The one file for hosts in a browser, the sandbox included. */
  readonly web: number;
}

/** Measures what `bundleExtension` has made. */
export async function bundleSizes(folder: string): Promise<BundleSizes> {
  const sum = async (files: readonly string[]): Promise<number> =>
    (await Promise.all(files.map((file) => stat(join(folder, file))))).reduce((total, { size }) => total + size, 0);
  return {
    activation: await sum(['extension.js', 'services.js']),
    signedIn: await sum(['signedIn.js']),
    javaScript: await sum(
      globSync('**/*.js', { cwd: folder }).filter((file) => ![sandboxFile, join(webFile)].includes(file)),
    ),
    web: await sum([webFile]),
  };
}
