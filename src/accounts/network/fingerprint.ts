import type { TLSSocket } from 'node:tls';

/** The instance shows another certificate than the one that is trusted by its fingerprint. Nothing was sent. */
class FingerprintError extends Error {
  override readonly name = 'FingerprintError';
  readonly code = 'ERR_TLS_CERT_FINGERPRINT';
  /** The SHA-256 fingerprint of the certificate that it shows. */
  readonly fingerprint: string;

  constructor(fingerprint: string) {
    super('The certificate is not the one that is trusted');
    this.fingerprint = fingerprint;
  }
}

/**
 * Reads a SHA-256 fingerprint in any of the spellings in which tools show it, such as `ab:cd:…`, `AB CD …` or `SHA256=abcd…`.
 *
 * @returns upper-case pairs between colons, as Node writes it; undefined if it is none.
 */
export function parseFingerprint(text: string): string | undefined {
  const digits = text.replace(/^\s*sha-?256(?:\s+fingerprint)?\s*[=:]?/i, '').replace(/[\s:]/g, '');
  return /^[\da-f]{64}$/i.test(digits) ? digits.toUpperCase().match(/../g)?.join(':') : undefined;
}

/**
 * Makes sure that a connection is to whoever holds the trusted certificate. To be called before anything is sent.
 *
 * @throws FingerprintError with the fingerprint of the certificate that is shown.
 */
export function checkFingerprint(socket: TLSSocket, trusted: string): void {
  const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
  if (shown !== trusted) {
    throw new FingerprintError(shown);
  }
}
