import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project.ts';

type Texts = Readonly<Record<string, string>>;

/** What a text of the manifest stands between. */
const marked = /^%(.+)%$/s;

/** The translations of a language besides English, by the English texts; empty where there is none yet. */
export interface Bundle {
  readonly language: string;
  readonly file: string;
  readonly translations: Texts;
}

export function readBundles(): readonly Bundle[] {
  return globSync('l10n/bundle.l10n.*.json', { cwd: projectRoot })
    .sort()
    .map((file) => ({ language: file.split('.').at(-2) ?? '', file, translations: JSON.parse(read(file)) as Texts }));
}

export function read(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}

/** The English texts of the manifest, which stand in it as `%Sign In…%`. */
export function manifestTexts(): readonly string[] {
  const texts = new Set<string>();
  JSON.parse(read('package.json'), (_name, value: unknown) => {
    const text = typeof value === 'string' ? marked.exec(value)?.[1] : undefined;
    if (text !== undefined) {
      texts.add(text);
    }
  });
  return [...texts];
}

/** Writes the files in which the editor looks for the texts of the manifest, beside it: one for English and one for each language. */
export function writeManifestTexts(folder: string): void {
  const texts = manifestTexts();
  const write = (name: string, translations: Texts): void =>
    writeTexts(join(folder, name), Object.fromEntries(texts.map((text) => [text, translations[text] || text])));
  write('package.nls.json', {});
  readBundles().forEach(({ language, translations }) => write(`package.nls.${language}.json`, translations));
}

export function writeTexts(file: string, texts: Texts): void {
  writeFileSync(file, `${JSON.stringify(texts, null, 2)}\n`);
}
