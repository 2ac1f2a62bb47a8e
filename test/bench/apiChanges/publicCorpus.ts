import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Confidence } from '../../../src/apiChanges/catalogue.ts';
import { isRelevant, recognize } from '../../../src/apiChanges/recognize.ts';
import { languageOfPath } from '../../../src/workspace/languages.ts';

/** Lists of files of public code with labels. */
export type CorpusName = 'publicCorpus' | 'freshCorpus';

/** A file of public code, with the uses in it: `change line` or `change first-last`. */
interface ListedFile {
  readonly repository: string;
  readonly path: string;
  readonly commit: string;
  readonly uses: readonly string[];
  /** Lines of which opinions differ, such as accessors of a field: neither right nor wrong. */
  readonly undecided?: readonly string[];
}

/** What was found in the files of the list, compared with their labels. */
export interface PublicFigures {
  readonly files: number;
  readonly cleanFiles: number;
  readonly uses: number;
  readonly found: number;
  /** Right and wrong findings by tier. */
  readonly byTier: Readonly<Record<Confidence, { readonly right: number; readonly wrong: number }>>;
  /** Hints in files without any use. */
  readonly falseAlarms: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

interface Label {
  readonly change: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Compares the recognizer with the labels of a list, which were written before a recognizer was run on any of these files.
 *
 * @param name the list.
 * @param folder holds `owner/name/path` of each file in the listed commit; the files themselves are not part of this project.
 */
export function comparePublicCorpus(name: CorpusName, folder: string): PublicFigures {
  const files = JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as readonly ListedFile[];
  const byTier = { certain: { right: 0, wrong: 0 }, likely: { right: 0, wrong: 0 }, possible: { right: 0, wrong: 0 } };
  const [missed, wrong]: [string[], string[]] = [[], []];
  let [uses, found, falseAlarms, cleanFiles] = [0, 0, 0, 0];
  for (const { repository, path, uses: listed, undecided = [] } of files) {
    const text = readFileSync(join(folder, repository, path), 'utf8');
    const source = { text, path, languageId: languageOfPath(path, text) };
    const lineOf = lines(text);
    const findings = (isRelevant(source) ? recognize(source) : []).map((finding) => ({
      ...finding,
      line: lineOf(finding.start),
    }));
    const [labels, open] = [listed.map(labelOf), undecided.map(labelOf)];
    const isAt = ({ change, first, last }: Label, finding: (typeof findings)[number]): boolean =>
      finding.change === change && finding.line >= first && finding.line <= last;
    const where = (line: number, change: string): string => `${repository}/${path}:${line} ${change}`;
    for (const label of labels) {
      const isFound = findings.some((finding) => isAt(label, finding));
      uses += 1;
      found += isFound ? 1 : 0;
      if (!isFound) {
        missed.push(where(label.first, label.change));
      }
    }
    const isClean = labels.length === 0 && open.length === 0;
    cleanFiles += isClean ? 1 : 0;
    for (const finding of findings) {
      if (labels.some((label) => isAt(label, finding))) {
        byTier[finding.tier].right += 1;
      } else if (!open.some((label) => isAt(label, finding))) {
        byTier[finding.tier].wrong += 1;
        falseAlarms += isClean && finding.tier !== 'possible' ? 1 : 0;
        wrong.push(`${where(finding.line, finding.change)} ${finding.tier}`);
      }
    }
  }
  return { files: files.length, cleanFiles, uses, found, byTier, falseAlarms, missed, wrong };
}

function labelOf(text: string): Label {
  const [change = '', range = ''] = text.split(' ');
  const [first = '0', last = first] = range.split('-');
  return { change, first: Number(first), last: Number(last) };
}

function lines(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
