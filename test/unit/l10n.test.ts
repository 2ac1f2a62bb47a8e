import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { sourceTexts } from '../../scripts/l10n.ts';
import { manifestTexts, readBundles } from '../../scripts/manifestTexts.ts';

/** What has to be the same in every language: places of arguments, icons, links, code, settings. */
function fixedParts(text: string): string[] {
  return (text.match(/\{\d+\}|\$\([\w~-]+\)|\(command:[\w.]+\)|`[^`]*`|#[\w.]+#/g) ?? []).sort();
}

const bundles = readBundles();
const texts = new Set([...sourceTexts(), ...manifestTexts()]);

describe('translations', () => {
  for (const { language, translations } of bundles) {
    it(`into ${language} are there for every text and no other`, () => {
      assert.deepEqual(Object.keys(translations).sort(), [...texts].sort(), 'npm run l10n updates them');
      const open = Object.entries(translations).filter(([, translation]) => translation.trim() === '');
      assert.deepEqual(open, []);
    });

    it(`into ${language} keep what is not for translators`, () => {
      for (const [text, translation] of Object.entries(translations)) {
        assert.deepEqual(fixedParts(translation), fixedParts(text), text);
      }
    });
  }

  it('of what stands in the field of a list fit into it: the editor cuts the rest', async () => {
    const placeholder = /place[hH]older[:=]\s*(?:\w+\.)*t\(\s*'([^'\\]+)'/g;
    const tooLong: string[] = [];
    for await (const file of glob('src/**/*.ts')) {
      for (const [, text = ''] of (await readFile(file, 'utf8')).matchAll(placeholder)) {
        const shown = [text, ...bundles.map(({ translations }) => translations[text] ?? '')];
        // A sign of Japanese is as wide as two letters.
        tooLong.push(...shown.filter((one) => one.replaceAll(/[\u3000-\uffef]/g, 'xx').length > 85));
      }
    }
    assert.deepEqual(tooLong, []);
  });

  it('give as examples of days what can be typed, which is the same in every language', () => {
    const examples = /\byesterday\b|\blast (?:week|3 weeks)\b|\b3 days ago\b|\d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)?/g;
    const withExamples = [...texts].filter((text) => /\byesterday\b/.test(text));
    assert.equal(withExamples.length, 2);
    for (const { language, translations } of bundles) {
      for (const text of withExamples) {
        const [wanted, given] = [text, translations[text] ?? ''].map((one) => (one.match(examples) ?? []).sort());
        assert.deepEqual(given, wanted, `${language}: ${text}`);
      }
    }
  });

  it('say where long headings of pages may break: the editor has no dictionary of German', () => {
    const german = bundles.find(({ language }) => language === 'de')?.translations ?? {};
    for (const heading of ['Notification Settings']) {
      const parts = german[heading]?.split(/[\s\u00AD]/) ?? [];
      assert.ok(parts.length > 1 && parts.every(({ length }) => length <= 20), heading);
    }
  });

  it('of Japanese have no space between sentences', () => {
    for (const { language, translations } of bundles) {
      const spaced = Object.entries(translations).filter(
        ([text, own]) => own.includes('。 ') || (/^\{0\} [A-Z].*[.”]$/.test(text) && own.startsWith('{0} ')),
      );
      assert.deepEqual(language === 'ja' ? spaced : [], []);
    }
  });
});
