import { setTimeout as sleep } from 'node:timers/promises';
import { recognize, recognizeInSlices, type Source } from '../../src/apiChanges/recognize.ts';
import { OverBudgetError } from '../../src/apiChanges/tokenizer.ts';
import { readBatched } from '../../src/workspace/batches.ts';
import { languageOfPath } from '../../src/workspace/languages.ts';
import { compare, readCorpus } from './apiChanges/learnedCorpus.ts';
import { type Workspace, writeWorkspace } from './apiChanges/workspace.ts';
import { measureInTurns, medianRatio, medianTime } from './measure.ts';
import type { Part } from './report.ts';

const fileCount = 50_000;
const rounds = 5;
/** The length of a frame in milliseconds: what comes later is noticed. */
const frame = 16;

/** How well the uses of announced changes are distinguished from what looks like them, and what the search costs. */
export async function benchApiChanges(): Promise<Part> {
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
    scan(workspace, async (path, text) => {
      const source = { text, path, languageId: languageOfPath(path, text) };
      await recognizeInSlices(source, Number.POSITIVE_INFINITY, () => false);
    });
  const times = await measureInTurns(
    [
      { name: 'reading', run: read },
      { name: 'scan', run: recognizeAll },
    ],
    rounds,
    1,
  );
  const worst = worstSource();
  const tasks = await longestTasks(recognizeAll);
  const large = largeSources.map(sourceOf);
  const worstTasks = await longestTasks(async () => {
    for (const source of large) {
      await recognizeInSlices(source, Number.POSITIVE_INFINITY, () => false).catch(ignoreTooMany);
    }
  });
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return {
    title: 'Announced changes',
    about: `Recognition on a corpus of ${samples.length} programs, scripts and CI files that it learned from, ${clean} of them without any use, kept as regression. Then on a workspace of ${fileCount.toLocaleString('en')} files (${(workspace.bytes / 1e6).toFixed(0)} MB), which the system has in its memory from the first round on, ${rounds} rounds. A task is how long the work keeps its thread before a keystroke's document could be looked at, at worst but for one in a hundred, in time of the processor.`,
    results: [
      {
        what: 'precision on the learned corpus',
        ratio: found / (found + wrong),
        bound: { atLeast: 0.95 },
        times: `${found} of ${found + wrong} findings are right`,
        isCount: true,
      },
      {
        what: 'recall on the learned corpus',
        ratio: found / (found + missed),
        bound: { atLeast: 0.7 },
        times: `${found} of ${found + missed} uses are found`,
        isCount: true,
      },
      {
        what: 'one source of 1 MiB to a second',
        ratio: worst.milliseconds / 1000,
        bound: { atMost: 1 },
        times: `${worst.what}: ${worst.milliseconds.toFixed(0)} ms at worst`,
      },
      {
        what: 'scan of the workspace to reading its files',
        ratio: medianRatio(times, 'scan', 'reading'),
        bound: { atMost: 2 },
        times: `scan ${seconds(medianTime(times, 'scan'))}, reading ${seconds(medianTime(times, 'reading'))}`,
      },
      {
        what: `tasks of the scan to a frame of ${frame} ms`,
        ratio: tasks.usual / frame,
        bound: { atMost: 1 },
        times: `${tasks.usual.toFixed(1)} ms, at worst ${tasks.worst.toFixed(1)} ms`,
      },
      {
        what: `tasks of one source of 1 MiB to a frame of ${frame} ms`,
        ratio: worstTasks.usual / frame,
        bound: { atMost: 1 },
        times: `${worstTasks.usual.toFixed(1)} ms, at worst ${worstTasks.worst.toFixed(1)} ms`,
      },
    ],
  };
}

/** Sources of 1 MiB, each designed to make a parser slow. */
const largeSources: readonly (readonly [what: string, languageId: string, lines: string])[] = [
  ['repeated assignments', 'javascript', 'x = x + "/a";\n'],
  ['a chain', 'javascript', '.map(r => r.active)\n'],
  ['maps of YAML', 'yaml', '- name: a\n  spec:\n    containers:\n      - image: "x"\n        env: {a: b, c: "d"}\n'],
  [
    'a lock file',
    'yaml',
    "  '@a/b@7.0.0':\n    resolution: {integrity: sha512-aaaaaaaaaaaaaaaaaaa==}\n    dev: true\n",
  ],
  ['literals that do not end', 'javascript', '`a ${ b \n'],
  ['a minified bundle', 'javascript', `${'function a(b){return b.active?c("/runners/"+b.id):d};'.repeat(300)}\n`],
  ['brackets', 'go', '((([[[{{{\n'],
  ['brackets with words', 'javascript', '[a[a[a[a\n'],
  ['loops', 'python', 'for runner in runners:\n  use(runner)\n'],
  ['here documents', 'shellscript', 'cat <<A\n'],
  ['functions of a shell', 'shellscript', 'a() {\n'],
  ['texts of 12,000 characters', 'javascript', `f("${'/projects/ '.repeat(1100)}");\n`],
  ['fences', 'markdown', '```sh\n$CI_API_V4_URL/runners\n```\n'],
  ['fences of no language', 'markdown', '```\n'],
  ['quotes of a shell', 'shellscript', `'"\`$(\\"\n`],
  ['one literal', 'javascript', '/api/v4/runners?active=true `;\n'],
];

function sourceOf([, languageId, lines]: (typeof largeSources)[number]): Source {
  const text = `# gitlab /api/v4/runners\n${lines.repeat((1024 * 1024) / lines.length)}`;
  // Read once, as a file's text was: what `repeat` makes is put together when it is first searched.
  text.includes('\0');
  return { text, languageId, path: 'a' };
}

/** A source with thousands of findings ends there. */
function ignoreTooMany(error: unknown): void {
  if (!(error instanceof OverBudgetError)) {
    throw error;
  }
}

function worstSource(): { readonly what: string; readonly milliseconds: number } {
  const times = largeSources.map((large) => {
    const source = sourceOf(large);
    const runs = [1, 2, 3].map(() => {
      const before = process.threadCpuUsage();
      try {
        recognize(source);
      } catch (error) {
        ignoreTooMany(error);
      }
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    });
    return { what: large[0], milliseconds: Math.min(...runs) };
  });
  return times.toSorted((one, other) => other.milliseconds - one.milliseconds)[0] ?? { what: '', milliseconds: 0 };
}

async function scan(workspace: Workspace, look: (path: string, text: string) => Promise<void> | void): Promise<void> {
  for await (const { file, text } of readBatched(
    workspace.paths,
    (path) => workspace.read(path),
    () => false,
  )) {
    await look(file, text);
  }
}

/**
 * Does work, and measures how long it keeps the thread between two chances for other tasks, such as what looks at a
 * keystroke: the 99th percentile and the longest, in milliseconds. Time of the processor, so that other programs on the machine do not count.
 */
async function longestTasks(work: () => Promise<unknown>): Promise<{ readonly usual: number; readonly worst: number }> {
  const tasks: number[] = [];
  const done = new AbortController();
  const waiting = (async () => {
    while (!done.signal.aborted) {
      const before = process.threadCpuUsage();
      await sleep(1);
      const { user, system } = process.threadCpuUsage(before);
      tasks.push((user + system) / 1000);
    }
  })();
  await work();
  done.abort();
  await waiting;
  const ordered = tasks.toSorted((one, other) => one - other);
  return { usual: ordered[Math.floor(ordered.length * 0.99)] ?? 0, worst: ordered.at(-1) ?? 0 };
}
