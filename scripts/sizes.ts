import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sandboxFile } from './bundle.ts';

const kilobyte = 1024;

/** What may be shipped and loaded at most, in bytes. */
export const sizeBudgets = { activation: 100 * kilobyte, javaScript: 940 * kilobyte, vsix: 700 * kilobyte } as const;

/** The sizes of a bundle, in bytes. */
export interface BundleSizes {
  /** What every window loads: before `activate` runs, and once it is over. */
  readonly activation: number;
  /** All JavaScript, that of webviews too, but not the sandbox. */
  readonly javaScript: number;
}

/** Measures what `bundleExtension` has made. */
export async function bundleSizes(folder: string): Promise<BundleSizes> {
  const sizeOf = async (file: string): Promise<number> => (await stat(join(folder, file))).size;
  const sum = async (files: Iterable<string>): Promise<number> =>
    (await Promise.all([...files].map(sizeOf))).reduce((total, size) => total + size, 0);
  const loaded = new Set(['extension.js', 'services.js']);
  for (const file of loaded) {
    (await loadedAtOnce(join(folder, file))).forEach((one) => loaded.add(one));
  }
  return {
    activation: await sum(loaded),
    javaScript: await sum(globSync('**/*.js', { cwd: folder }).filter((file) => file !== sandboxFile)),
  };
}

/** The files that a file requires where it is not for an `import()`, which esbuild makes a `then` with a `require`. */
async function loadedAtOnce(file: string): Promise<readonly string[]> {
  const code = await readFile(file, 'utf8');
  const later = /Promise\.resolve\(\)\.then\(\(\) ?=> ?[\w$]+\(require\("[^"]+"\)\)\)/g;
  return [...code.replaceAll(later, '').matchAll(/require\("\.\/([^"]+)"\)/g)].map(([, name = '']) => name);
}
