import { sha256 as digest } from '@noble/hashes/sha2.js';

export type BytesEncoding = 'hex' | 'base64url';

/** The SHA-256 of a text in UTF-8, without waiting, as only Node's own has it. */
export function sha256(text: string, encoding: BytesEncoding): string {
  return written(digest(new TextEncoder().encode(text)), encoding);
}

/** Bytes that nobody guesses. */
export function randomText(count: number, encoding: BytesEncoding): string {
  return written(crypto.getRandomValues(new Uint8Array(count)), encoding);
}

function written(bytes: Uint8Array, encoding: BytesEncoding): string {
  if (encoding === 'hex') {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
