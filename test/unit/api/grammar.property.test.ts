import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isDate, isFullPath, isRef, isSha, isUsername, isTimestamp, readTimestamp } from '../../../src/api/grammar.ts';
import { excessOf, parseBounded } from '../../../src/common/boundedJson.ts';
import { webAddress } from '../../../src/common/instanceUrl.ts';
import { hostileText, hugeText, runs } from '../../support/properties.ts';

const anyText = fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.constant(hugeText));
const offsets = fc.constantFrom('Z', '+00:00', '-11:00', '+14:00', '+0530', 'z');

describe('the forms of what an instance sends', () => {
  it('a SHA is nothing but 40 or 64 hexadecimal digits, so that git never takes it for an option or an expression', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.stringMatching(/^[\da-fA-F]{38,42}$/), fc.stringMatching(/^[\da-f]{64}$/)),
        (text) => {
          assert.equal(
            isSha(text),
            [40, 64].includes(text.length) && /^[\da-fA-F]*$/.test(text) && !text.endsWith('\n'),
          );
        },
      ),
      runs(500),
    );
    for (const other of [`${'a'.repeat(40)}\n`, '--output=x', '', undefined, null, 7, ['a'.repeat(40)]]) {
      assert.ok(!isSha(other));
    }
  });

  it('a full path leads nowhere else, wherever it is put into an address', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.stringMatching(/^[a-z./%\\]{1,12}$/)), (text) => {
        if (isFullPath(text)) {
          const { href, pathname } = new URL(`https://gitlab.example/base/${text}/-/issues`);
          assert.ok(href.startsWith('https://gitlab.example/base/') && pathname.endsWith('/-/issues'), text);
          assert.equal(pathname.split('/').length, text.split('/').length + 4);
          assert.doesNotMatch(text, /[\p{Cc}\p{Cs}\s\\]/u);
        }
      }),
      runs(1000),
    );
    for (const path of [
      ...'a harbor/tide-table grün/höhe _a/b.c .github/x a/b..c'.split(' '),
      Array(30).fill('a').join('/'),
    ]) {
      assert.ok(isFullPath(path), path);
    }
    for (const path of [
      ...'/a a/ a//b .. a/../b ./a a%2fb a?b a#b'.split(' '),
      '',
      'a\\b',
      'a\nb',
      '\ud800',
      'a/'.repeat(31),
    ]) {
      assert.ok(!isFullPath(path), path);
    }
  });

  it('a ref and a username hold no control characters and begin with no hyphen', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        assert.ok(!isUsername(text) || (!/[\p{Cc}\p{Zl}\p{Zp}\s]|^-/u.test(text) && text.length <= 2048));
        // Git takes every space but that of ASCII.
        assert.ok(!isRef(text) || (!/[\p{Cc} ]|^-/u.test(text) && text.length <= 2048));
      }),
      runs(500),
    );
    for (const ref of ['main', 'feature/höhe-2', 'v1.2.3', 'renovate/node-22.x', 'a@b', '日本語']) {
      assert.ok(isRef(ref), ref);
    }
    for (const ref of [...'-x --output=x a..b a~1 a^ a:b a? a* a[ @{-1} @ a.lock'.split(' '), '', 'a b', 'a\nb']) {
      assert.ok(!isRef(ref), ref);
    }
    for (const username of ['ada', 'project_1_bot_0a', 'a.b-c', '日本']) {
      assert.ok(isUsername(username), username);
    }
    for (const username of ['', '.', '..', '-x', 'a b', '[x](command:y)', 'a/b', 'a\u202eb', 'a'.repeat(256)]) {
      assert.ok(!isUsername(username), username);
    }
  });

  it('an address is of the web, names nobody before its host, and holds nothing that ends or hides it', () => {
    const schemes = fc.constantFrom('', 'https://', 'http:', 'command:', 'javascript:', '\u0001https://', 'vscode://');
    fc.assert(
      fc.property(schemes, anyText, (scheme, text) => {
        const address = webAddress(scheme + text);
        assert.ok(address === undefined || /^https?:$/.test(new URL(address).protocol));
        assert.doesNotMatch(address ?? '', /[\p{Cc}\p{Zl}\p{Zp}\s]/u);
        assert.ok((address ?? '').length <= 2048);
      }),
      runs(500),
    );
    for (const address of [
      ...'javascript:x command:x file:///etc/passwd data:text/html,x mailto:a@b view-source:https://host'.split(' '),
      ...'https://user:password@host https://user@host http:// http:host https:/\\host //host host'.split(' '),
      ...['https://a\\b', 'https://a b', ' https://host', 'https://host\n', '', null, undefined],
    ]) {
      assert.equal(webAddress(address), undefined, String(address));
    }
    for (const address of 'https://h:8443/a?b=c#d http://127.0.0.1:3000/x HTTPS://Host https://[::1]/x'.split(' ')) {
      assert.equal(webAddress(address), address);
    }
  });

  it('a timestamp is a moment from 1970 to 9999 that every calendar and format takes', () => {
    const year = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(0, 1, 999, 1000, 1969, 1970, 9998, 9999));
    const timestamp = fc
      .tuple(year, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }), offsets)
      .map(([y, m, d, offset]) => {
        const [month, day] = [m, d].map((part) => String(part).padStart(2, '0'));
        return `${String(y).padStart(4, '0')}-${month}-${day}T12:34:56.789${offset}`;
      });
    fc.assert(
      fc.property(fc.oneof(timestamp, timestamp, anyText), (text) => {
        const time = readTimestamp(text);
        assert.equal(isTimestamp(text), time !== undefined, text);
        if (time !== undefined) {
          for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC']) {
            const date = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(time);
            assert.match(date, /^(?:1969-12-31|19[789]\d-|[2-9]\d{3}-)/);
          }
        } else if (/^(?:19[89]|[2-8]\d)\d\d?-/.test(text) && /T12:34:56\.789/.test(text)) {
          // A day that the month does not have.
          assert.notEqual(new Date(text.slice(0, 10)).getUTCDate(), Number(text.slice(8, 10)), text);
        }
      }),
      runs(1000),
    );
    for (const text of [
      ...'0001-01-01T00:00:00Z +012026-01-01T00:00:00Z 10000-01-01T00:00:00Z 2026-01-01 7'.split(' '),
      '',
    ]) {
      assert.equal(readTimestamp(text), undefined, text);
    }
    assert.equal(readTimestamp('2024-12-09T13:05:25.469+01:00'), Date.UTC(2024, 11, 9, 12, 5, 25, 469));
    assert.ok(isDate('2026-12-31') && !isDate('2026-12-31T') && !isDate('0001-01-01'));
  });

  it('JSON that is out of all proportion is found before it is parsed, and that of the API is not', () => {
    for (const [text, what] of [
      ['['.repeat(1_000_000), /nesting/],
      [`[${'{},'.repeat(1_000_000)}`, /values/],
      [`{"a":[${'0,'.repeat(1_000_000)}`, /values/],
    ] as const) {
      assert.match(excessOf(text) ?? '', what);
      const read = parseBounded(text);
      assert.match('excess' in read ? read.excess : '', what);
    }
    for (const text of [
      ...''.split(' '),
      `["${'a'.repeat(1_000_000)}"]`,
      String.raw`["${String.raw`\"`.repeat(500_000)}[{,"]`,
      String.raw`["${String.raw`\\`.repeat(500_000)}"]`,
      `[${'"'.repeat(1_000_000)}`,
      ' '.repeat(1_000_000),
    ]) {
      assert.equal(excessOf(text), undefined);
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        assert.equal(excessOf(JSON.stringify(value)), undefined);
        assert.equal(excessOf(JSON.stringify({ text: '[{,'.repeat(300_000), value })), undefined);
      }),
      runs(20),
    );
  });

  it('a short text is parsed or refused as a long one is', () => {
    const nested = (levels: number, isList: boolean): unknown =>
      levels === 0 ? null : isList ? [0, nested(levels - 1, false)] : { a: 'x', b: nested(levels - 1, true) };
    const sized = fc
      .tuple(fc.nat(1010), fc.boolean(), fc.integer({ min: 1, max: 1005 }))
      .map(([levels, isList, count]) => {
        const value = nested(levels, isList);
        return count > 995 ? [...Array.from({ length: count - 1 }, () => 0), value] : value;
      });
    const spaces = ' '.repeat(200_001);
    fc.assert(
      fc.property(fc.oneof(sized, fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseBounded(text), parseBounded(text + spaces));
        assert.equal('excess' in parseBounded(text), excessOf(text) !== undefined);
      }),
      runs(300),
    );
    for (const [levels, is] of [
      [1000, false],
      [1001, true],
    ] as const) {
      assert.equal('excess' in parseBounded(JSON.stringify(nested(levels, true))), is);
    }
    assert.throws(() => parseBounded('[1'), SyntaxError);
  });
});
