/** How many bytes decide whether a file is binary; git looks at as many. */
const inspected = 8000;

/**
 * The text that the bytes of a file stand for: UTF-8, or UTF-16 with a byte order mark.
 *
 * @returns undefined for a binary file.
 */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff;
  if (utf16 !== false) {
    return new TextDecoder(utf16 === true ? 'utf-16be' : utf16).decode(bytes);
  }
  return bytes.subarray(0, inspected).includes(0) ? undefined : new TextDecoder().decode(bytes);
}
