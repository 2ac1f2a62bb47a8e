import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from '../support/certificates.ts';

/** An authority that the runner of the tests has put into the store of this computer, or besides it into Node's. */
export function storedAuthority(kind: 'system' | 'extra'): Certificate {
  const folder = process.env['BEACON_TEST_AUTHORITIES'] ?? '';
  const read = (file: string): string => readFileSync(join(folder, `${kind}.${file}.pem`), 'utf8');
  return { cert: read('cert'), key: read('key'), fingerprint: '' };
}
