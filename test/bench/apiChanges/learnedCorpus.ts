import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recognize } from '../../../src/apiChanges/recognize.ts';
import { languageOfPath } from '../../../src/workspace/languages.ts';

/** A file of the corpus without its marks, and the uses in it. */
export interface Sample {
  readonly name: string;
  readonly source: string;
  readonly expected: readonly Expected[];
}

interface Expected {
  readonly change: string;
  readonly start: number;
  readonly end: number;
}

/** How the findings of a file compare with what is expected; places are given as `file:line change`. */
export interface Comparison {
  readonly found: number;
  readonly missed: readonly string[];
  readonly false: readonly string[];
}

const folder = join(import.meta.dirname, 'learnedCorpus');

/**
 * The files of the corpus: programs, scripts and CI files as they are written. What relies on an announced change stands
 * between `⟦change:` and `⟧`. Their names end in `.txt`, because with the marks they are programs no longer.
 */
export function readCorpus(): Sample[] {
  return readdirSync(folder).map((file) => {
    const expected: Expected[] = [];
    let source = '';
    for (const piece of readFileSync(join(folder, file), 'utf8').split('⟦')) {
      const [, change, inside = '', rest = ''] = /^(\w+):([^⟧]*)⟧([^]*)$/.exec(piece) ?? [];
      if (change === undefined) {
        source += piece;
      } else {
        expected.push({ change, start: source.length, end: source.length + inside.length });
        source += inside + rest;
      }
    }
    return { name: file.replace(/\.txt$/, ''), source, expected };
  });
}

/** Compares what is found in a file with what is expected: the change and the place have to be the same. */
export function compare({ name, source, expected }: Sample): Comparison {
  const findings = recognize({ text: source, path: name, languageId: languageOfPath(name, source) }).filter(
    ({ tier }) => tier !== 'possible',
  );
  const isSame = (finding: (typeof findings)[number], wanted: Expected): boolean =>
    finding.change === wanted.change && finding.start < wanted.end && wanted.start < finding.end;
  const place = ({ change, start }: { change: string; start: number }): string =>
    `${name}:${source.slice(0, start).split('\n').length} ${change}`;
  return {
    found: expected.filter((wanted) => findings.some((finding) => isSame(finding, wanted))).length,
    missed: expected.filter((wanted) => !findings.some((finding) => isSame(finding, wanted))).map(place),
    false: findings.filter((finding) => !expected.some((wanted) => isSame(finding, wanted))).map(place),
  };
}
