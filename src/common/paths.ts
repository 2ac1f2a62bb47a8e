import { isAbsolute, relative } from 'node:path';

/** A folder or file by its address, as the editor has it. */
interface FileLocation {
  readonly scheme: string;
  readonly path: string;
}

/** Whether names that differ only in case are one file: on Windows, and by default on macOS. */
const ignoresCaseHere = process.platform === 'win32' || process.platform === 'darwin';

/** Whether a file or folder is below a folder. On Windows git and the editor write the letter of a drive in different cases. */
export function isBelow(folder: FileLocation, file: FileLocation, ignoresCase = ignoresCaseHere): boolean {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return file.scheme === folder.scheme && isEqual(file.path.slice(0, start.length), start, ignoresCase);
}

/** Whether two addresses are of the same folder, see `isBelow`. */
export function isSamePlace(one: FileLocation, other: FileLocation, ignoresCase = ignoresCaseHere): boolean {
  return one.scheme === other.scheme && isEqual(one.path, other.path, ignoresCase);
}

function isEqual(one: string, other: string, ignoresCase: boolean): boolean {
  return ignoresCase ? one.toLowerCase() === other.toLowerCase() : one === other;
}

/**
 * Whether a path of this computer is that of a folder or of something in it.
 *
 * @param path how paths are written: as here, or as on another platform.
 */
export function isInside(folder: string, file: string, path = { isAbsolute, relative }): boolean {
  const relative = path.relative(folder, file);
  return !/^\.\.(?:[/\\]|$)/.test(relative) && !path.isAbsolute(relative);
}
