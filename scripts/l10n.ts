import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
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

function read(file: string): string {
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

/** The English texts of the sources, each once. */
export function sourceTexts(): readonly string[] {
  return [...new Set(globSync('src/**/*.ts', { cwd: projectRoot }).flatMap(textsIn))];
}

/**
 * The texts that a source file has translated: first arguments of `vscode.l10n.t`, of `t` where it was taken from there,
 * and of an `l10n` that was passed on, all of which the usual exporters do not see.
 *
 * @throws Error for a text that is composed at run time, because it cannot be translated.
 */
function textsIn(file: string): readonly string[] {
  const texts: string[] = [];
  const source = read(file);
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

/** Writes the files in which the editor looks for the texts of the manifest, beside it: one for English and one for each language. */
export function writeManifestTexts(folder: string): void {
  const texts = manifestTexts();
  const write = (name: string, translations: Texts): void =>
    writeTexts(join(folder, name), Object.fromEntries(texts.map((text) => [text, translations[text] || text])));
  write('package.nls.json', {});
  readBundles().forEach(({ language, translations }) => write(`package.nls.${language}.json`, translations));
}

function writeTexts(file: string, texts: Texts): void {
  writeFileSync(file, `${JSON.stringify(texts, null, 2)}\n`);
}

if (import.meta.main) {
  // Brings the translations in line with the texts: what is new or changed is left without a translation, what is gone is removed.
  const wanted = [...new Set([...sourceTexts(), ...manifestTexts()])].sort();
  for (const { language, file, translations } of readBundles()) {
    writeTexts(join(projectRoot, file), Object.fromEntries(wanted.map((text) => [text, translations[text] ?? ''])));
    const open = wanted.filter((text) => !translations[text]).length;
    console.log(`${language}: ${wanted.length} texts, ${open} without a translation`);
  }
}
