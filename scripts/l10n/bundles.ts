import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { projectRoot } from '../project.ts';

/** The languages besides English. */
const languages = ['de', 'ja'] as const;
type Language = (typeof languages)[number];

/** Where strings come from: the sources, by their English text, or the manifest, by a key. */
export type BundleKind = 'sources' | 'manifest';

export interface Bundle {
  readonly kind: BundleKind;
  readonly language: Language;
  /** The texts in the language by English text or key; empty where there is none yet. */
  readonly translations: Readonly<Record<string, string>>;
}

function fileOf(kind: BundleKind, language: Language): string {
  return join(projectRoot, kind === 'sources' ? `l10n/bundle.l10n.${language}.json` : `package.nls.${language}.json`);
}

/** All translations. A file that is not there counts as empty. */
export async function readBundles(): Promise<Bundle[]> {
  return Promise.all(
    (['sources', 'manifest'] as const).flatMap((kind) =>
      languages.map(async (language) => ({ kind, language, translations: await readJson(fileOf(kind, language)) })),
    ),
  );
}

/** The English texts of the manifest that its translations are of: a key stays the same when its text changes. */
const translatedManifest = join(projectRoot, 'l10n', 'manifest.json');

/** The English texts of the manifest as they were when they were translated, by their keys. */
export async function translatedTexts(): Promise<Readonly<Record<string, string>>> {
  return readJson(translatedManifest);
}

/** Says that the translations of the manifest are those of its present texts. */
export async function writeTranslatedTexts(): Promise<void> {
  const texts = Object.fromEntries(await sourceStrings('manifest'));
  await writeFile(translatedManifest, `${JSON.stringify(texts, null, 2)}\n`);
}

export async function writeBundle(
  kind: BundleKind,
  language: Language,
  translations: Readonly<Record<string, string>>,
): Promise<void> {
  await writeFile(fileOf(kind, language), `${JSON.stringify(translations, null, 2)}\n`);
}

/** The English texts by the keys of a bundle. */
export async function sourceStrings(kind: BundleKind): Promise<ReadonlyMap<string, string>> {
  if (kind === 'manifest') {
    return new Map(Object.entries(await readJson(join(projectRoot, 'package.nls.json'))));
  }
  const strings = new Map<string, string>();
  for await (const file of glob('src/**/*.ts', { cwd: projectRoot })) {
    for (const text of textsIn(file, await readFile(join(projectRoot, file), 'utf8'))) {
      strings.set(text, text);
    }
  }
  return strings;
}

/**
 * The texts that a source file has translated: first arguments of `vscode.l10n.t`, of `t` where it was taken from there,
 * and of an `l10n` that was passed on, all of which the usual exporters do not see.
 *
 * @throws Error for a text that is composed at run time, because it cannot be translated.
 */
function textsIn(file: string, source: string): string[] {
  const texts: string[] = [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) {
    throw new Error(`${file} cannot be parsed.`);
  }
  new Visitor({
    CallExpression({ callee, arguments: [first], start }) {
      const isTranslated =
        (callee.type === 'Identifier' && callee.name === 't') ||
        (callee.type === 'MemberExpression' &&
          callee.property.type === 'Identifier' &&
          callee.property.name === 't' &&
          /\bl10n$/.test(source.slice(callee.object.start, callee.object.end)));
      if (!isTranslated) {
        return;
      }
      if (first?.type !== 'Literal' || typeof first.value !== 'string') {
        throw new Error(
          `${file}:${source.slice(0, start).split('\n').length}: the text to translate is not a literal.`,
        );
      }
      texts.push(first.value);
    },
  }).visit(program);
  return texts;
}

async function readJson(file: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return {};
    }
    throw error;
  }
}
