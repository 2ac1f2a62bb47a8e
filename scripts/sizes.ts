import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { sandboxFile, webFile } from './bundle.ts';

const kilobyte = 1024;

/** What may be shipped and loaded at most, in bytes. */
export const sizeBudgets = {
  activation: 46 * kilobyte,
  signedIn: 72 * kilobyte,
  javaScript: 1060 * kilobyte,
  page: 60 * kilobyte,
  web: 330 * kilobyte,
  webInAll: 750 * kilobyte,
  vsix: 840 * kilobyte,
} as const;

/** The sizes of a bundle, in bytes. */
export interface BundleSizes {
  /** What every window loads: before `activate` runs, and once it is over. */
  readonly activation: number;
  /** What a window loads besides as soon as somebody is signed in, before any view is seen. */
  readonly signedIn: number;
  /** All JavaScript, that of webviews too, but neither the sandbox nor what is for browsers. */
  readonly javaScript: number;
  /** The script and style of the largest page of a webview. */
  readonly page: number;
  /** What every window in a browser loads. */
  readonly web: number;
  /** That and what such a window loads on demand, the sandbox included. */
  readonly webInAll: number;
}

/** Measures what `bundleExtension` has made. */
export async function bundleSizes(folder: string): Promise<BundleSizes> {
  const sum = async (files: readonly string[]): Promise<number> =>
    (await Promise.all(files.map((file) => stat(join(folder, file))))).reduce((total, { size }) => total + size, 0);
  const files = globSync('**/*.js', { cwd: folder });
  const pages = Object.values(
    JSON.parse(await readFile(join(folder, 'webview', 'pages.json'), 'utf8')) as Record<
      string,
      Record<string, string[]>
    >,
  ).map((page) =>
    sum(
      Object.values(page)
        .flat()
        .map((file) => join('webview', file)),
    ),
  );
  const isForWeb = (file: string): boolean => file.startsWith(normalize('web/'));
  return {
    activation: await sum(['extension.js', 'services.js']),
    signedIn: await sum(['signedIn.js']),
    javaScript: await sum(files.filter((file) => file !== sandboxFile && !isForWeb(file))),
    page: Math.max(...(await Promise.all(pages))),
    web: await sum([webFile]),
    webInAll: await sum(files.filter(isForWeb)),
  };
}
