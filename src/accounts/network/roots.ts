import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

/**
 * The certificates of the authorities that are trusted for every instance: those that come with the editor, those in
 * NODE_EXTRA_CA_CERTS and, if wanted, those that the operating system trusts.
 *
 * @param includeSystem `http.systemCertificates`.
 * @returns PEM.
 */
export function trustedRoots(includeSystem: boolean): string[] {
  return [...new Set([...defaultRoots(), ...(includeSystem ? systemRoots() : [])])];
}

function defaultRoots(): readonly string[] {
  // Older versions of Node have no such function.
  if (typeof tls.getCACertificates === 'function') {
    return tls.getCACertificates('default');
  }
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  return [...tls.rootCertificates, ...(extra === undefined ? [] : certificatesIn(extra))];
}

function systemRoots(): readonly string[] {
  try {
    return typeof tls.getCACertificates === 'function' ? tls.getCACertificates('system') : [];
  } catch {
    // A store that cannot be read adds nothing; an instance that needs it is told to be of unknown issuer.
    return [];
  }
}

function certificatesIn(file: string): readonly string[] {
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return []; // As Node does, which only warns.
  }
}
