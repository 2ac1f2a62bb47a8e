import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Address4, Address6 } from '../../../src/network/ipAddress.ts';

const standardForm = (address: string): string => new URL(`http://[${address}]`).hostname;

describe('an IP address, for SOCKS', () => {
  it('has the bytes of IPv4', () => {
    assert.deepEqual(new Address4('192.0.2.255').toArray(), [192, 0, 2, 255]);
  });

  it('has all groups of IPv6, however it is written', () => {
    assert.equal(new Address6('::').canonicalForm(), '0000:0000:0000:0000:0000:0000:0000:0000');
    assert.equal(new Address6('2001:DB8::1').canonicalForm(), '2001:0db8:0000:0000:0000:0000:0000:0001');
    assert.equal(new Address6('::ffff:192.0.2.1').canonicalForm(), '0000:0000:0000:0000:0000:ffff:c000:0201');
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const form = new Address6(address).canonicalForm();
        assert.match(form, /^(?:[\da-f]{4}:){7}[\da-f]{4}$/);
        assert.equal(standardForm(form), standardForm(address));
      }),
    );
  });

  it('is read from the 16 bytes of IPv6', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const form = Address6.fromByteArray([...bytes]).canonicalForm();
        assert.equal(form.replaceAll(':', ''), Buffer.from(bytes).toString('hex'));
      }),
    );
  });

  it('is refused with a zone, and where it is none', () => {
    assert.throws(() => new Address6('fe80::1%eth0'), TypeError);
    assert.throws(() => new Address6('a.example'), TypeError);
  });
});
