import { joined } from '../../api/transport.ts';

/** See that of Node. */
export async function decompress(bytes: Uint8Array, encoding: string, maxBytes: number): Promise<Uint8Array> {
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    throw new TypeError('The encoding is unknown');
  }
  const unpacked = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream(encoding));
  const reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> = unpacked.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > maxBytes) {
      await reader.cancel();
      throw new RangeError('There are too many bytes');
    }
    chunks.push(next.value);
  }
  return joined(chunks);
}
