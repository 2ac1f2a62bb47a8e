import { isAbsolute, relative } from 'node:path';

/**
 * Whether a path of this computer is that of a folder or of something in it.
 *
 * @param path how paths are written: as here, or as on another platform.
 */
export function isInside(folder: string, file: string, path = { isAbsolute, relative }): boolean {
  const way = path.relative(folder, file);
  return !/^\.\.(?:[/\\]|$)/.test(way) && !path.isAbsolute(way);
}
