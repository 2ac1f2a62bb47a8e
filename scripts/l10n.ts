import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { projectRoot } from './project.ts';

/** Where strings come from: the sources, by their English text, or the manifest, by a key. */
type BundleKind = 'sources' | 'manifest';

/** The texts of a language by English text or key; empty where there is none yet. */
export interface Bundle {
  readonly kind: BundleKind;
  readonly language: string;
  readonly file: string;
  readonly translations: Readonly<Record<string, string>>;
}

/** All translations: those of the languages besides English. */
export function readBundles(): readonly Bundle[] {
  const files = { sources: 'l10n/bundle.l10n.*.json', manifest: 'package.nls.*.json' };
  return (['sources', 'manifest'] as const).flatMap((kind) =>
    globSync(files[kind], { cwd: projectRoot })
      .sort()
      .map((file) => ({ kind, language: file.split('.').at(-2) ?? '', file, translations: readTexts(file) })),
  );
}

/**
 * The English texts of the manifest as they were when they were translated, by their keys: a key stays the same when its text
 * changes.
 */
export const translatedManifest = 'l10n/manifest.json';

export function readTexts(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(projectRoot, file), 'utf8')) as Record<string, string>;
}

function writeTexts(file: string, texts: Readonly<Record<string, string>>): void {
  writeFileSync(join(projectRoot, file), `${JSON.stringify(texts, null, 2)}\n`);
}

/** The English texts by the keys of a bundle. */
export function sourceStrings(kind: BundleKind): Readonly<Record<string, string>> {
  if (kind === 'manifest') {
    return readTexts('package.nls.json');
  }
  const texts = globSync('src/**/*.ts', { cwd: projectRoot }).flatMap(textsIn);
  return Object.fromEntries(texts.map((text) => [text, text]));
}

/**
 * The texts that a source file has translated: first arguments of `vscode.l10n.t`, of `t` where it was taken from there,
 * and of an `l10n` that was passed on, all of which the usual exporters do not see.
 *
 * @throws Error for a text that is composed at run time, because it cannot be translated.
 */
function textsIn(file: string): readonly string[] {
  const texts: string[] = [];
  const source = readFileSync(join(projectRoot, file), 'utf8');
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) {
    throw new Error(`${file} cannot be parsed.`);
  }
  new Visitor({
    CallExpression({ callee, arguments: [first], start }) {
      if (!/^(?:t|[\w.]*\bl10n\.t)$/.test(source.slice(callee.start, callee.end))) {
        return;
      }
      if (first?.type !== 'Literal' || typeof first.value !== 'string') {
        const line = source.slice(0, start).split('\n').length;
        throw new Error(`${file}:${line}: the text to translate is not a literal.`);
      }
      texts.push(first.value);
    },
  }).visit(program);
  return texts;
}

if (import.meta.main) {
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
}
