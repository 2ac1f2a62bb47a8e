import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  excessOf,
  isDate,
  isFullPath,
  isProportionate,
  isRef,
  isSha,
  isUsername,
  isWebAddress,
  isTimestamp,
  mostUnseen,
  readTimestamp,
} from '../../../src/api/grammar.ts';
import { ExcessiveBody, jsonOf, malformed } from '../../../src/api/responses.ts';
import { hostileText, hugeText, runs } from '../../support/properties.ts';

const anyText = fc.oneof(hostileText, fc.string({ unit: 'binary' }), fc.constant(hugeText));
const offsets = fc.constantFrom('Z', '+00:00', '-11:00', '+14:00', '+0530', 'z');

/** A text that counts how many of its characters are looked at. */
function counted(text: string): { readonly text: string; readonly steps: () => number } {
  let steps = 0;
  const looked = {
    length: text.length,
    charCodeAt: (index: number) => {
      steps += 1;
      return text.charCodeAt(index);
    },
    indexOf: (part: string, from: number) => {
      const found = text.indexOf(part, from);
      steps += (found < 0 ? text.length : found) - from + 1;
      return found;
    },
    toString: () => text.slice(0, 10),
  };
  return { text: looked as unknown as string, steps: () => steps };
}

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
      'a',
      'harbor/tide-table',
      'grün/höhe',
      '_a/b.c',
      '.github/x',
      'a/b..c',
      Array(30).fill('a').join('/'),
    ]) {
      assert.ok(isFullPath(path), path);
    }
    for (const path of [
      '',
      '/a',
      'a/',
      'a//b',
      '..',
      'a/../b',
      './a',
      'a\\b',
      'a%2fb',
      'a?b',
      'a#b',
      'a\nb',
      '\ud800',
      'a/'.repeat(31),
    ]) {
      assert.ok(!isFullPath(path), path);
    }
  });

  it('a ref, a username and an address hold no control characters and begin with no hyphen', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const fits of [isRef, isUsername, isWebAddress]) {
          assert.ok(!fits(text) || (!/[\p{Cc}\p{Zl}\p{Zp}\s]|^-|\.\.(?=[^/]*$)\n/u.test(text) && text.length <= 2048));
        }
        assert.ok(!isWebAddress(text) || /^https?:/i.test(text));
      }),
      runs(500),
    );
    for (const ref of ['main', 'feature/höhe-2', 'v1.2.3', 'renovate/node-22.x', 'a@b', '日本語']) {
      assert.ok(isRef(ref), ref);
    }
    for (const ref of [
      '',
      '-x',
      '--output=x',
      'a b',
      'a..b',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a*',
      'a[',
      '@{-1}',
      '@',
      'a\nb',
      'a.lock',
    ]) {
      assert.ok(!isRef(ref), ref);
    }
    for (const username of ['ada', 'project_1_bot_0a', 'a.b-c', '日本']) {
      assert.ok(isUsername(username), username);
    }
    for (const username of ['', '-x', 'a b', '[x](command:y)', 'a/b', 'a\u202eb', 'a'.repeat(256)]) {
      assert.ok(!isUsername(username), username);
    }
    for (const address of [
      'javascript:x',
      'https://user:password@host',
      'https://user@host',
      'http://',
      '//host',
      'https://a\\b',
    ]) {
      assert.ok(!isWebAddress(address), address);
    }
    assert.ok(isWebAddress('https://gitlab.example.com:8443/a/b?c=d#e'));
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
          assert.fail(text);
        }
      }),
      runs(1000),
    );
    for (const text of [
      '0001-01-01T00:00:00Z',
      '+012026-01-01T00:00:00Z',
      '10000-01-01T00:00:00Z',
      '2026-01-01',
      '',
      '7',
    ]) {
      assert.equal(readTimestamp(text), undefined, text);
    }
    assert.equal(readTimestamp('2024-12-09T13:05:25.469+01:00'), Date.UTC(2024, 11, 9, 12, 5, 25, 469));
    assert.ok(isDate('2026-12-31') && !isDate('2026-12-31T') && !isDate('0001-01-01'));
  });

  const worst: Record<string, (length: number) => string> = {
    strings: (length) => `["${'a'.repeat(length)}"]`,
    'quotation marks': (length) => `[${'"'.repeat(length)}`,
    'escaped quotation marks': (length) => String.raw`["${String.raw`\"`.repeat(length / 2)}`,
    backslashes: (length) => `["${'\\'.repeat(length)}"]`,
    'backslashes before each quotation mark': (length) => `["${String.raw`\\\"`.repeat(length / 4)}"]`,
    brackets: (length) => '[]{}'.repeat(length / 4),
    spaces: (length) => ' '.repeat(length),
  };
  for (const [name, make] of Object.entries(worst)) {
    it(`a JSON text is looked through in steps that grow no faster than it: ${name}`, () => {
      const [one, two, four] = [1, 2, 4].map((times) => {
        const { text, steps } = counted(make(times * 64 * 1024));
        excessOf(text);
        return steps() / (times * 64 * 1024);
      });
      assert.ok((one ?? 0) <= 6 && (two ?? 0) <= 6 && (four ?? 0) <= 6, `${one} ${two} ${four} steps a character`);
    });
  }

  it('what is out of all proportion is found before the rest is looked at, and JSON of the API is not', () => {
    for (const [text, what] of [
      ['['.repeat(1_000_000), /nesting/],
      [`[${'{},'.repeat(1_000_000)}`, /records/],
      [` \n[${'{},'.repeat(1_000_000)}`, /records/],
      [`{"a":[${'0,'.repeat(1_000_000)}`, /values/],
    ] as const) {
      const { text: looked, steps } = counted(text);
      assert.match(excessOf(looked) ?? '', what);
      assert.ok(steps() < 1_000_000);
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        assert.equal(excessOf(JSON.stringify(value)), undefined);
        assert.equal(excessOf(JSON.stringify({ text: '[{,'.repeat(300_000), value })), undefined);
      }),
      runs(20),
    );
  });

  it('a value that is parsed is in proportion where its text is', () => {
    const nested = (levels: number, isList: boolean): unknown =>
      levels === 0 ? null : isList ? [0, nested(levels - 1, false)] : { a: 'x', b: nested(levels - 1, true) };
    const sized = fc
      .tuple(fc.nat(36), fc.boolean(), fc.integer({ min: 1, max: 1005 }))
      .map(([levels, isList, count]) => {
        const value = nested(levels, isList);
        return count > 995 ? [...Array.from({ length: count - 1 }, () => 0), value] : value;
      });
    fc.assert(
      fc.property(fc.oneof(sized, fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        assert.equal(isProportionate(JSON.parse(text)), excessOf(text) === undefined);
      }),
      runs(500),
    );
    for (const [levels, is] of [
      [32, true],
      [33, false],
    ] as const) {
      assert.equal(isProportionate(nested(levels, true)), is);
      assert.equal(excessOf(JSON.stringify(nested(levels, true))) === undefined, is);
    }
  });

  it('what is parsed before it is looked through holds no more values than may be', () => {
    const text = `{"a":[${'[],'.repeat(Math.floor(mostUnseen / 3) - 3)}0]}`;
    assert.ok(text.length <= mostUnseen);
    assert.equal(excessOf(text), undefined);
  });

  it('a short answer is parsed or refused as a long one is', () => {
    const answerOf = (text: string) => jsonOf({ status: 200, header: () => 'application/json', text });
    const spaces = ' '.repeat(mostUnseen);
    for (const [text, is] of [
      ['[{"id":1}]', /^\[{"id":1}]$/],
      [`[${'0,'.repeat(1000)}0]`, /records/],
      ['['.repeat(40) + ']'.repeat(40), /nesting/],
      ['['.repeat(40), /nesting/],
      ['[1', /malformed/],
    ] as const) {
      for (const answer of [answerOf(text), answerOf(text + spaces)]) {
        const found =
          answer instanceof ExcessiveBody ? answer.excess : answer === malformed ? 'malformed' : JSON.stringify(answer);
        assert.match(found, is);
      }
    }
  });
});
