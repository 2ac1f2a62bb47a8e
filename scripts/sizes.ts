import { globSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxFile } from './bundle.ts';

const kilobyte = 1024;

/** What may be shipped and loaded at most, in bytes. */
export const sizeBudgets = {
  activation: 44 * kilobyte,
  signedIn: 64 * kilobyte,
  javaScript: 944 * kilobyte,
  vsix: 700 * kilobyte,
} as const;

/** The sizes of a bundle, in bytes. */
export interface BundleSizes {
  /** What every window loads: before `activate` runs, and once it is over. */
  readonly activation: number;
  /** What a window loads besides as soon as somebody is signed in, before any view is seen. */
  readonly signedIn: number;
  /** All JavaScript, that of webviews too, but not the sandbox. */
  readonly javaScript: number;
}

/** Measures what `bundleExtension` has made. */
export async function bundleSizes(folder: string): Promise<BundleSizes> {
  const sum = async (files: readonly string[]): Promise<number> =>
    (await Promise.all(files.map((file) => stat(join(folder, file))))).reduce((total, { size }) => total + size, 0);
  return {
    activation: await sum(['extension.js', 'services.js']),
    signedIn: await sum(['signedIn.js']),
    javaScript: await sum(globSync('**/*.js', { cwd: folder }).filter((file) => file !== sandboxFile)),
  };
}
