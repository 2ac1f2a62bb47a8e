import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleExtension, bundleHostTests } from '../scripts/bundle.ts';
import { projectRoot } from '../scripts/project.ts';
import { installCodeServer } from '../scripts/workbench/codeServer.ts';
import type { LensTimes } from './lensHost.ts';
import { median } from './measure.ts';
import type { Part } from './report.ts';

const folders = 500;
const filesPerFolder = 100;
/** One file in so many has a DSN. */
const dsnEvery = 1000;

/** The search for DSNs in a workspace of 50,000 files, and what it does to typing. */
export async function benchLens(): Promise<Part> {
  const { files, found, scan, plainReading, typingIdle, typingWhileScanning, longestTurn } = await measure();
  const seconds = (time: number): string => `${(time / 1000).toFixed(1)} s`;
  const [idle, scanning] = [median(typingIdle), median(typingWhileScanning)];
  return {
    title: 'DSN lens',
    about: `A repository of ${files.toLocaleString('en')} files, ${found} of them with a DSN, in a real workbench. Typing is measured from the keystroke until the extension host has the change, ${typingWhileScanning.length} times during a scan. The scan keeps the thread for ${longestTurn.toFixed(0)} ms at a time at most (99th percentile).`,
    results: [
      {
        what: 'typing during the scan to typing without',
        ratio: scanning / idle,
        bound: { atMost: 1.5 },
        times: `during ${scanning.toFixed(1)} ms, without ${idle.toFixed(1)} ms`,
      },
      {
        what: 'the scan to reading the files alone',
        ratio: scan / plainReading,
        bound: { atMost: 6 },
        times: `scan ${seconds(scan)}, reading ${seconds(plainReading)}`,
      },
    ],
  };
}

async function measure(): Promise<LensTimes> {
  const profile = await mkdtemp(join(tmpdir(), 'beacon-bench-lens-'));
  try {
    const workspace = join(profile, 'workspace');
    await makeFiles(workspace);
    await bundleExtension('production');
    const bench = join(projectRoot, 'bench', 'lensHost.ts');
    const bundle = await bundleHostTests([], bench);
    await installCodeServer();
    const result = join(profile, 'result.json');
    await runTests({
      vscodeExecutablePath: join(projectRoot, 'scripts', 'workbench', 'launcher.ts'),
      extensionDevelopmentPath: projectRoot,
      // esbuild's way to name what lies outside of the folder of the host tests.
      extensionTestsPath: join(bundle, ...['_.._', '_.._', 'bench', 'lensHost.js']),
      extensionTestsEnv: { BEACON_BENCH_RESULT: result },
      launchArgs: [
        workspace,
        `--user-data-dir=${join(profile, 'data')}`,
        `--extensions-dir=${join(profile, 'extensions')}`,
      ],
    });
    return JSON.parse(await readFile(result, 'utf8')) as LensTimes;
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

/** Makes a repository of source files of 2 KB. */
async function makeFiles(workspace: string): Promise<void> {
  const line = 'export const value = compute(input, { retries: 3, label: "tide" });\n';
  const text = line.repeat(30);
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(workspace, `package-${folder}`);
    await mkdir(path, { recursive: true });
    await Promise.all(
      Array.from({ length: filesPerFolder }, async (_, file) => {
        const number = folder * filesPerFolder + file;
        const dsn = `const dsn = 'https://glet_${number}@gitlab.example/errortracking/api/v1/projects/${number}';\n`;
        await writeFile(join(path, `module-${file}.ts`), number % dsnEvery === 0 ? text + dsn : text);
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
    execFileSync('git', step, { cwd: workspace });
  }
}
