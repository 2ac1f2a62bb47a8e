import { readBundles, readTexts, sourceStrings, translatedManifest, writeTexts } from './l10n/bundles.ts';

// Brings the translations in line with the sources: what is new or changed is left without a translation, what is gone is removed.
const translated = readTexts(translatedManifest);
for (const { kind, language, file, translations } of readBundles()) {
  const wanted = sourceStrings(kind);
  const isCurrent = (key: string): boolean => kind === 'sources' || translated[key] === wanted[key];
  const keys = Object.keys(wanted).sort();
  const next = Object.fromEntries(keys.map((key) => [key, isCurrent(key) ? (translations[key] ?? '') : '']));
  writeTexts(file, next);
  const open = Object.values(next).filter((text) => text === '').length;
  console.log(`${kind} ${language}: ${keys.length} texts, ${open} without a translation`);
}
// From now on the translations of the manifest are those of its present texts.
writeTexts(translatedManifest, sourceStrings('manifest'));
