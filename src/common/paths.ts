import { ignoresCase as ignoresCaseHere } from '#platform/runtime.ts';

interface FileLocation {
  readonly scheme: string;
  readonly path: string;
}

/** Whether a file or folder is below a folder. On Windows git and the editor write the letter of a drive in different cases. */
export function isBelow(folder: FileLocation, file: FileLocation, ignoresCase = ignoresCaseHere): boolean {
  const start = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return file.scheme === folder.scheme && isEqual(file.path.slice(0, start.length), start, ignoresCase);
}

export function isSamePlace(one: FileLocation, other: FileLocation, ignoresCase = ignoresCaseHere): boolean {
  return one.scheme === other.scheme && isEqual(one.path, other.path, ignoresCase);
}

function isEqual(one: string, other: string, ignoresCase: boolean): boolean {
  return ignoresCase ? one.toLowerCase() === other.toLowerCase() : one === other;
}
