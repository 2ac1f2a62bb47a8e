import assert from 'node:assert/strict';
import { textOfBytes } from '../../../src/workspace/batches.ts';

describe('the text of a file', () => {
  it('is read as UTF-8, without its byte order mark', () => {
    assert.equal(textOfBytes(Buffer.from('\uFEFFgrüße', 'utf8')), 'grüße');
    assert.equal(textOfBytes(new Uint8Array()), '');
  });

  it('is read as UTF-16 if it has such a byte order mark', () => {
    const little = Buffer.from('\uFEFFgrüße', 'utf16le');
    assert.equal(textOfBytes(little), 'grüße');
    assert.equal(textOfBytes(Buffer.from(little).swap16()), 'grüße');
  });

  it('is not there in a binary file', () => {
    assert.equal(textOfBytes(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 1])), undefined);
  });

  it('may hold what is not UTF-8', () => {
    assert.equal(textOfBytes(Uint8Array.from([0x61, 0xe9, 0x62])), 'a\uFFFDb');
  });
});
