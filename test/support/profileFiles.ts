import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What the files of a folder hold, by their paths. One that is gone when it is read holds nothing: many are written under another name
 * first.
 */
export async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths.map(async (path) => [path, await readFile(path, 'latin1').catch(nothingIfGone)] as const);
  return new Map(await Promise.all(texts));
}

function nothingIfGone(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') {
    throw error;
  }
  return '';
}
