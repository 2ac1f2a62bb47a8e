import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
export { inspect, isDeepStrictEqual } from 'node:util';

/** Whether names that differ only in case are one file: on Windows, and by default on macOS. */
export const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/** Lets other tasks of the process run, such as the user's typing. */
export async function yieldThread(): Promise<void> {
  await setImmediate();
}

// As they are: what is called here would keep `node:zlib` in the file that every window loads.
const decoders = new Map([
  ['gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
]);

/**
 * Undoes the compression of a body.
 *
 * @param encoding the Content-Encoding, in lower case.
 * @throws RangeError if there would be more than `maxBytes`; another error if the encoding is unknown or the bytes are not of it.
 */
export async function decompress(bytes: Uint8Array, encoding: string, maxBytes: number): Promise<Uint8Array> {
  const decode = decoders.get(encoding);
  if (!decode) {
    throw new TypeError('The encoding is unknown');
  }
  return await promisify(decode)(bytes, { maxOutputLength: maxBytes });
}
