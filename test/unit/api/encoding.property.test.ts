import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { encodeParameters } from '../../../src/api/url.ts';
import { readParameters } from '../../../src/sandbox/parameters.ts';
import { runs } from '../../support/properties.ts';

/** What a server ought to read: scalars as text, by names that mean nothing else. */
function expected(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(expected);
  }
  return typeof value === 'object' && value !== null
    ? Object.assign(
        Object.create(null),
        Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expected(inner)])),
      )
    : String(value);
}

const text = fc.string({ unit: 'binary' });
// A hash whose names are all numbers is a list to the platform.
const key = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !/[[\]]|^\d+$|^__proto__$/.test(name));
const scalar = fc.oneof(text, fc.integer(), fc.boolean());
const hash = fc.dictionary(key, scalar, { minKeys: 1 });
const parameters = fc.dictionary(
  key,
  fc.oneof(scalar, fc.array(scalar, { minLength: 1 }), hash, fc.array(hash, { minLength: 1 })),
);

describe('encoding', () => {
  it('any scalar, array, hash and array of hashes survives encoding and a server reading it', async () => {
    await fc.assert(
      fc.asyncProperty(parameters, async (given) => {
        const read = await readParameters(new Request(`http://sandbox/?${encodeParameters(given)}`));
        assert.deepEqual(read, expected(given));
      }),
      runs(100),
    );
  });

  it('what the notation cannot express is refused, what is undefined or empty is left out', () => {
    for (const name of ['', 'a]', '[', 'a[b]']) {
      assert.throws(() => encodeParameters({ [name]: 1 }), TypeError);
      assert.throws(() => encodeParameters({ a: { [name]: 1 } }), TypeError);
    }
    assert.equal(encodeParameters({ a: undefined, b: [], c: {}, d: { e: undefined }, f: false }), 'f=false');
  });

  it('a Date is a timestamp in UTC', () => {
    assert.equal(encodeParameters({ at: new Date(0) }), 'at=1970-01-01T00%3A00%3A00.000Z');
    assert.throws(() => encodeParameters({ at: new Date(Number.NaN) }), TypeError);
  });
});
