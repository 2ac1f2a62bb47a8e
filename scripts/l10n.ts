import { readBundles, sourceStrings, translatedTexts, writeBundle, writeTranslatedTexts } from './l10n/bundles.ts';

// Brings the translations in line with the sources: what is new or changed is left without a translation, what is gone is removed.
const translated = await translatedTexts();
for (const { kind, language, translations } of await readBundles()) {
  const wanted = await sourceStrings(kind);
  const isCurrent = (key: string): boolean => kind === 'sources' || translated[key] === wanted.get(key);
  const next = Object.fromEntries(
    [...wanted.keys()].sort().map((key) => [key, isCurrent(key) ? (translations[key] ?? '') : '']),
  );
  await writeBundle(kind, language, next);
  const open = Object.values(next).filter((text) => text === '').length;
  console.log(`${kind} ${language}: ${wanted.size} texts, ${open} without a translation`);
}
await writeTranslatedTexts();
