import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import * as nodeRuntime from '../../../src/platform/node/runtime.ts';
import { randomText, sha256 } from '../../../src/common/bytes.ts';
import { withLock } from '../../../src/platform/web/locks.ts';
import * as webRuntime from '../../../src/platform/web/runtime.ts';
import { runs } from '../../support/properties.ts';

describe('what takes the place of Node in a browser', () => {
  it('gives texts the same SHA-256, in the same letters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const encoding of ['hex', 'base64url'] as const) {
          assert.equal(sha256(text, encoding), hash('sha256', text, encoding));
        }
      }),
      runs(200),
    );
  });

  it('makes texts of as many bytes by chance', () => {
    assert.match(randomText(16, 'hex'), /^[0-9a-f]{32}$/);
    assert.match(randomText(32, 'base64url'), /^[\w-]{43}$/);
    assert.notEqual(randomText(16, 'hex'), randomText(16, 'hex'));
  });

  it('compares what JSON can hold as Node does, in any order of fields', () => {
    const value = fc.jsonValue();
    const same = (one: unknown, other: unknown): void =>
      assert.equal(webRuntime.isDeepStrictEqual(one, other), nodeRuntime.isDeepStrictEqual(one, other));
    fc.assert(
      fc.property(value, value, (one, other) => {
        same(one, other);
        same([one], [structuredClone(one)]);
        same(new Set([one]), new Set([other]));
        same(new Map([['a', one]]), new Map([['a', other]]));
        same({ a: one }, { a: other });
        same({ a: one }, [one]);
        same({ a: one, b: other }, { b: other, a: one });
      }),
      runs(200),
    );
  });

  it('describes an error for the log with its stack, fields and causes, and anything else', () => {
    const cause = Object.assign(new TypeError('Failed to fetch'), { code: 'CORS' });
    const text = webRuntime.inspect(Object.assign(new Error('No answer', { cause }), { reason: 'unavailable' }));
    for (const part of [
      /^Error: No answer\n\s+at /,
      /"reason":"unavailable"/,
      /\[cause\]: TypeError: Failed/,
      /"CORS"/,
    ]) {
      assert.match(text, part);
    }
    const circle: { self?: unknown } = {};
    circle.self = circle;
    assert.equal(webRuntime.inspect(circle), '[object Object]');
    assert.deepEqual(
      ['text', undefined, { a: 1 }].map((value) => webRuntime.inspect(value)),
      ['text', 'undefined', '{"a":1}'],
    );
  });

  it('lets other tasks run', async () => {
    const steps: string[] = [];
    setTimeout(() => steps.push('other'), 0);
    while (!steps.includes('other')) {
      await webRuntime.yieldThread();
    }
  });
});

describe('a lock between tabs', () => {
  it('does not wait longer for a tab that hangs than what it does takes at most', async () => {
    const lease = `lease-${crypto.randomUUID()}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    const hanging = withLock(lease, 60_000, () => promise);
    assert.equal(await withLock(lease, 1, async () => 'run'), 'run');
    resolve();
    await hanging;
  });
});
