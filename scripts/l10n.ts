import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { manifestTexts, read, readBundles, writeTexts } from './manifestTexts.ts';
import { projectRoot } from './project.ts';

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

if (import.meta.main) {
  // Brings the translations in line with the texts: what is new or changed is left without a translation, what is gone is removed.
  const wanted = [...new Set([...sourceTexts(), ...manifestTexts()])].sort();
  for (const { language, file, translations } of readBundles()) {
    writeTexts(join(projectRoot, file), Object.fromEntries(wanted.map((text) => [text, translations[text] ?? ''])));
    const open = wanted.filter((text) => !translations[text]).length;
    console.log(`${language}: ${wanted.length} texts, ${open} without a translation`);
  }
}
