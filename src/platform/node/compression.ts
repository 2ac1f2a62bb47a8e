import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
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
  return await decode(bytes, { maxOutputLength: maxBytes });
}
