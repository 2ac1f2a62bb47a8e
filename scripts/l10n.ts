import { readBundles, sourceStrings, writeBundle } from './l10n/bundles.ts';

// Brings the translations in line with the sources: what is new is added without a translation, what is gone is removed.
for (const { kind, language, translations } of await readBundles()) {
  const wanted = await sourceStrings(kind);
  const next = Object.fromEntries([...wanted.keys()].sort().map((key) => [key, translations[key] ?? '']));
  await writeBundle(kind, language, next);
  const open = Object.values(next).filter((text) => text === '').length;
  console.log(`${kind} ${language}: ${wanted.size} strings, ${open} without a translation`);
}
