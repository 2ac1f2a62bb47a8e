import { hash, randomBytes } from 'node:crypto';

/** How bytes are written as text. */
export type BytesEncoding = 'hex' | 'base64url';

/** The SHA-256 of a text in UTF-8. */
export function sha256(text: string, encoding: BytesEncoding): string {
  return hash('sha256', text, encoding);
}

/** Bytes that nobody guesses. */
export function randomText(count: number, encoding: BytesEncoding): string {
  return randomBytes(count).toString(encoding);
}

/** Writes a text, in UTF-8, in letters and digits that addresses take. */
export function toBase64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Reads what `toBase64url` wrote; anything else is read as far as it goes. */
export function fromBase64url(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
