import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DsnScanMeasurements } from './dsnScanHost.ts';
import { median } from './measure.ts';
import { measureInHost } from './measuredHost.ts';
import { limited, type Part } from './report.ts';

const fileCount = 50_000;
const filesPerFolder = 100;
/** One file in so many has a DSN. */
const dsnEvery = 1000;
/** One folder in so many is what a build has made, which git ignores. */
const ignoredEvery = 10;
/** The length of a frame in milliseconds: later than that, a user notices. */
const frame = 16;

/** The search for DSNs in a workspace of 50,000 files, and what it does to typing. */
export async function bench(folder: string): Promise<Part> {
  const { files, found, rounds, turns, longestTurn } = await measureInWorkbench(folder);
  const seconds = (times: readonly number[]): string => `${(median(times) / 1000).toFixed(1)} s`;
  const worst = (times: readonly number[]): string => `${Math.max(...times).toFixed(0)} ms`;
  const ratioOf = (one: (round: Round) => number, other: (round: Round) => number): number =>
    median(rounds.map((round) => one(round) / other(round)));
  const idle = (round: Round): number => median(round.typingIdle);
  const scanning = (round: Round): number => median(round.typingWhileScanning);
  const keystrokes = rounds.reduce((sum, { typingWhileScanning }) => sum + typingWhileScanning.length, 0);
  return {
    title: 'DSN scan',
    about: `In a real workbench, a repository of ${fileCount.toLocaleString('en')} files of 2 KB, of which git ignores every tenth and the scan looks through ${files.toLocaleString('en')}; ${found} have a DSN. ${rounds.length} rounds. Reading is that of the same files by Node, and nothing else; the scan lets git search them. Typing is measured from a keystroke until the extension host has the change and has brought it back, ${keystrokes} times while one scan follows another, which rests for ten seconds at most while somebody types, and as often without. A turn is how long the extension host's thread is busy before a keystroke could be looked at during a scan, at worst but for one in a hundred, in time of the processor.`,
    results: [
      {
        what: 'the scan to reading the files',
        ratio: ratioOf(
          ({ scan }) => scan,
          ({ reading }) => reading,
        ),
        bound: { atMost: 3 },
        times: `scan ${seconds(rounds.map(({ scan }) => scan))}, reading ${seconds(rounds.map(({ reading }) => reading))}`,
      },
      {
        what: 'typing during the scan to typing without',
        ratio: ratioOf(scanning, idle),
        bound: { atMost: 1.3 },
        times: `during ${median(rounds.map(scanning)).toFixed(1)} ms, at worst ${worst(rounds.flatMap(({ typingWhileScanning }) => typingWhileScanning))}; without ${median(rounds.map(idle)).toFixed(1)} ms, at worst ${worst(rounds.flatMap(({ typingIdle }) => typingIdle))}`,
      },
      limited(
        `turns of the scan to a frame of ${frame} ms`,
        turns,
        frame,
        `${turns.toFixed(1)} ms, at worst ${longestTurn.toFixed(0)} ms`,
      ),
    ],
  };
}

type Round = DsnScanMeasurements['rounds'][number];

async function measureInWorkbench(profile: string): Promise<DsnScanMeasurements> {
  const [folder, developmentPath] = [join(profile, 'workspace'), join(profile, 'extension')];
  await makeRepository(folder);
  await makeExtension(developmentPath);
  return (await measureInHost('dsnScanHost.ts', profile, { folder, developmentPath })) as DsnScanMeasurements;
}

/** Makes an extension that does nothing by itself, so that one scan runs and not two. */
async function makeExtension(folder: string): Promise<void> {
  await mkdir(folder);
  const manifest = { name: 'bench', publisher: 'bench', version: '0.0.1', engines: { vscode: '*' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
}

/** Makes a repository of source files of 2 KB, and of folders that git ignores. */
async function makeRepository(workspace: string): Promise<void> {
  const line = 'export const value = compute(input, { retries: 3, label: "tide" });\n';
  const text = line.repeat(30);
  for (let folder = 0; folder < fileCount / filesPerFolder; folder += 1) {
    const path = join(workspace, `package-${folder}`, folder % ignoredEvery === 0 ? 'dist' : 'src');
    await mkdir(path, { recursive: true });
    await Promise.all(
      Array.from({ length: filesPerFolder }, async (_, file) => {
        const number = folder * filesPerFolder + file;
        const dsn = `const dsn = 'https://glet_${number}@gitlab.example/errortracking/api/v1/projects/${number}';\n`;
        await writeFile(join(path, `module-${file}.ts`), number % dsnEvery === 500 ? text + dsn : text);
      }),
    );
  }
  await writeFile(join(workspace, '.gitignore'), 'dist/\n*.log\n');
  // All of it committed: as many changes would keep the editor's own Git view busy, which is not what is measured.
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@harbor.example'];
  for (const step of [
    ['init', '-q'],
    ['add', '.'],
    [...author, 'commit', '-q', '-m', 'Begin'],
  ]) {
    await promisify(execFile)('git', step, { cwd: workspace });
  }
}
