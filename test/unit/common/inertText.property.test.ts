import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  escapeMarkdown,
  inertText,
  filled,
  inSequence,
  plainLines,
  plainText,
  visibleText,
} from '../../../src/common/inertText.ts';
import { hostileText, hugeText, runs } from '../../support/properties.ts';

const harmful = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u2800]|(?!\u200D|\uFE0F)\p{Default_Ignorable_Code_Point}|\p{M}{3}/u;

describe('text of others', () => {
  it('is one line of characters that are seen and do not turn what is around them', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 80 }), (text, most) => {
        const plain = plainText(text, most);
        assert.doesNotMatch(plain, harmful);
        assert.ok(plain.length <= most + 1);
        assert.equal(plainText(plain, most + 1), plain);
        assert.doesNotThrow(() => encodeURIComponent(plain));
      }),
      runs(500),
    );
    assert.equal(plainText('a\r\nb\u2028c\u0000d'), 'a b c d');
  });

  it('makes neither icons nor links of commands where the editor would', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const inert = inertText(text);
        assert.ok(!/\$\(|\]\(/.test(inert), inert);
      }),
      runs(500),
    );
  });

  it('keeps its lines where several are meant', () => {
    fc.assert(
      fc.property(fc.array(hostileText), (texts) => {
        const lines = plainLines(texts.join('\n'), 200).split('\n');
        assert.ok(lines.every((line) => !harmful.test(line)));
      }),
      runs(200),
    );
    assert.equal(plainLines('one\r\ntwo\n\nthree'), 'one\ntwo\n\nthree');
  });

  it('stays as it is where it is harmless, in any language', () => {
    for (const text of ['Fix the door', 'إصلاح الباب', 'תיקון הדלת', '修复门', 'naïve', '👩‍💻 ships', 'a_b*c', '']) {
      assert.equal(plainText(text), text);
    }
    assert.equal(inertText('Costs $5 (net) [x] (y)'), 'Costs $5 (net) [x] (y)');
  });

  it('has nothing that is not seen between its letters, nor towers of marks', () => {
    const invisible = '\u200B \u00AD \u2060 \uFEFF \u{E0041} \u034F \u115F \u3164 \uFE0F \u200D \u202E \u180E \u2800';
    for (const character of invisible.split(' ')) {
      const typed = 'glpat-abc'.split('').join(character);
      assert.equal(plainText(typed), 'glpat-abc', JSON.stringify(character));
      assert.equal(visibleText(`${typed}\n`.repeat(200)), 'glpat-abc '.repeat(200), JSON.stringify(character));
    }
    assert.equal(plainText('a\u2800b \u2800'), 'ab ');
    assert.equal(plainText(`e${'\u0301'.repeat(50)}`), 'e\u0301\u0301');
    for (const text of ['❤️', '👨‍👩‍👧', '1️⃣', 'می‌خواهم', 'क्‍ष']) {
      assert.equal(plainText(text), text);
    }
  });

  it('is cut where it is huge, never in the middle of a character', () => {
    assert.equal(plainText(hugeText).length, 301);
    assert.equal(plainText('😀'.repeat(10), 5), '😀😀…');
    assert.equal(plainLines(hugeText).length, 1001);
  });

  it('is no address that a renderer of Markdown makes a link of', () => {
    assert.equal(escapeMarkdown('bo@gitlab.example.com'), String.raw`bo\@gitlab.example.com`);
    assert.equal(escapeMarkdown('see WWW.evil.example'), String.raw`see WWW\.evil.example`);
    fc.assert(
      fc.property(hostileText, (text) => {
        assert.doesNotMatch(escapeMarkdown(`${text} a@b.example www.${text}`), /[\w.+-]@|www\.|(?<!\\):\/\//i);
      }),
      runs(500),
    );
  });

  for (const piece of ['a', ' ', '\n', '\r\n', '$(', '](', '\u202e', '\ud83d', '<b>', '\\', '`']) {
    it(`is made in work that does not grow with the text beyond what is shown: ${JSON.stringify(piece)}`, () => {
      const most = 300;
      const [first, ...longer] = [1, 2, 4, 16].map((times) => piece.repeat((times * 64 * 1024) / piece.length));
      for (const make of [plainText, plainLines, inertText]) {
        for (const text of longer) {
          // Whatever comes later is not looked at: any other end gives the same.
          assert.equal(make(text, most), make(first ?? '', most));
          assert.equal(make(`${text}x\n](y`, most), make(first ?? '', most));
          assert.ok(make(text, most).length <= 2 * most + 1);
        }
      }
    });
  }
});

describe('sentences one after the other', () => {
  it('have a space between them where the language has one', () => {
    assert.equal(inSequence('One.', '', 'Two.'), 'One. Two.');
    assert.equal(inSequence('一つです。', '二つです。'), '一つです。二つです。');
  });

  it('have none between Japanese characters where a template is filled', () => {
    const template = '{0} が {1} にコメントしました';
    assert.equal(filled(template, ['ada', 'issue #3「高い」']), 'ada が issue #3「高い」にコメントしました');
    assert.equal(filled(template, ['愛子', '#3']), '愛子が #3 にコメントしました');
    assert.equal(filled('{0} commented on {1}', ['ada', '#3']), 'ada commented on #3');
  });
});
