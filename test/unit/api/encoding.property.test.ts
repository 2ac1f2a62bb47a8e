import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { encodeParameters } from '../../../src/api/url.ts';
import { runs } from '../../support/properties.ts';

/** What a server makes of a query or form: hashes by key, arrays by `[]`. */
interface Decoded {
  [name: string]: string | string[] | Decoded;
}

/** Reads a query the way the platform does: a plus is a space, escapes are resolved, then brackets are read. */
function decode(query: string): Decoded {
  const root: Decoded = Object.create(null) as Decoded;
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', value = ''] = pair.split('=').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    const keys = [...name.matchAll(/(?:^|\[)([^[\]]*)/g)].map(([, key = '']) => key);
    let place = root;
    while (keys.length > 1 && keys[1] !== '') {
      const key = keys.shift() ?? '';
      place = (place[key] ??= Object.create(null) as Decoded) as Decoded;
    }
    const [key = '', list] = keys;
    if (list === '') {
      ((place[key] ??= []) as string[]).push(value);
    } else {
      place[key] = value;
    }
  }
  return root;
}

/** What a server ought to decode: scalars as text, arrays of hashes as hashes by index. */
function expected(value: unknown): string | string[] | Decoded {
  if (Array.isArray(value)) {
    return value.every((element) => typeof element !== 'object')
      ? value.map(String)
      : expected(Object.fromEntries(value.entries()));
  }
  if (typeof value === 'object' && value !== null) {
    const result = Object.create(null) as Decoded;
    for (const [key, element] of Object.entries(value)) {
      result[key] = expected(element);
    }
    return result;
  }
  return String(value);
}

const text = fc.string({ unit: 'binary' });
const key = fc.string({ unit: 'binary', minLength: 1 }).filter((name) => !/[[\]]/.test(name));
const scalar = fc.oneof(text, fc.integer(), fc.boolean());
const hash = fc.dictionary(key, scalar, { minKeys: 1 });
const parameters = fc.dictionary(
  key,
  fc.oneof(scalar, fc.array(scalar, { minLength: 1 }), hash, fc.array(hash, { minLength: 1 })),
);

describe('encoding', () => {
  it('any scalar, array, hash and array of hashes survives encoding and a server reading it', () => {
    fc.assert(
      fc.property(parameters, (given) => {
        assert.deepEqual(decode(encodeParameters(given)), expected(given));
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
