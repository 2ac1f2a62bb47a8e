import assert from 'node:assert/strict';
import { parseFingerprint } from '../../../src/network/tls.ts';

const pairs = Array.from({ length: 32 }, (_, index) => (index * 7).toString(16).padStart(2, '0'));
const canonical = pairs.join(':').toUpperCase();

describe('a fingerprint', () => {
  for (const spelling of [
    canonical,
    canonical.toLowerCase(),
    pairs.join(''),
    pairs.join(' '),
    `SHA256 Fingerprint=${canonical}`,
    `sha-256: ${canonical}`,
    `  ${canonical}\n`,
  ]) {
    it(`is read from "${spelling.slice(0, 40).trim()}…"`, () => {
      assert.equal(parseFingerprint(spelling), canonical);
    });
  }

  for (const wrong of [
    '',
    pairs.slice(1).join(''),
    `${pairs.join('')}00`,
    pairs.join('').replace('0', 'g'),
    'SHA256=',
  ]) {
    it(`is not "${wrong}"`, () => {
      assert.equal(parseFingerprint(wrong), undefined);
    });
  }
});
