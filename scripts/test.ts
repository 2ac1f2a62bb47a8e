import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestCounts } from '../test/support/runMocha.ts';
import { bundleExtension } from './bundle.ts';
import { changedTestFiles } from './changedTests.ts';
import { endWith, readOptions } from './options.ts';
import { runQuietly, step, timeTaken } from './processes.ts';
import { isHostedByDesktop, projectRoot, testFolder } from './project.ts';
import { describeMoment, drawMoment, drawZone, momentOf } from './testMoment.ts';
import { findOrInstallChromium } from './workbench/chromium.ts';
import { installCodeServer } from './workbench/codeServer.ts';
import { installCodeOss } from './workbench/webHost.ts';

const help = `Usage: npm test [-- LEVEL…] [options]
  LEVEL           unit, contract, host, ui or web; without one: all of them, format, lint, types and unused code
  --only WORD     the test files alone whose path contains the word
  --grep TEXT     the tests alone whose full title contains the text
  --repeat N      runs the same N times, each at a moment of its own, which is what shows a race
  --changed       the test files of unit, contract and host alone that what changed since the last commit reaches
  --zone ZONE     the time zone, such as Asia/Kolkata; drawn without it
  --clock MOMENT  when the run begins, such as 2028-02-29T00:05 (in that zone) or "now"; drawn without it
  --junit FOLDER  writes a file of JUnit XML for each job
  --jobs N        how many jobs run side by side (default: as many as processors)`;

/** The levels of tests, the lowest first. */
const levels = ['unit', 'contract', 'host', 'ui', 'web'] as const;
type Level = (typeof levels)[number];

/** How many jobs the files of a level are divided into. The ui tests of a job share their workbenches. */
const jobsOf: Readonly<Record<Level, number>> = { unit: 1, contract: 1, host: 1, ui: 2, web: 1 };

/** Milliseconds for a byte of a test file, roughly: which jobs are long where none has run yet. */
const millisecondsPerByte: Readonly<Record<Level, number>> = {
  unit: 0.1,
  contract: 0.15,
  host: 0.5,
  ui: 4.5,
  web: 4.5,
};

/**
 * Tests that run a second time over what takes the place of Node in a browser, which the condition "browser" leads to: those that need it
 * for what they find out, and no editor.
 */
const platformTests = [
  'test/contract/sandbox/{ingest,oauth,pagination}.test.ts',
  'test/unit/apiChanges/readinessReport.test.ts',
  'test/unit/workspace/batches.test.ts',
];

/** What runs in a process of its own. */
interface Job {
  readonly name: string;
  readonly level: Level | 'check';
  readonly files: readonly string[];
  readonly moment: TestMoment;
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
}

/** The time zone and the clock of tests. */
interface TestMoment {
  readonly environment: NodeJS.ProcessEnv;
  /** The options of `npm test` that repeat it. */
  readonly options: string;
}

type TestJob = Job & { readonly level: Level };

const { values: options, positionals } = readOptions(help, {
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    grep: { type: 'string', default: '' },
    repeat: { type: 'string', default: '1' },
    changed: { type: 'boolean', default: false },
    zone: { type: 'string' },
    clock: { type: 'string' },
    junit: { type: 'string' },
    // Two keep two processors busy by 97 percent; one more costs more for changing between processes than it gains.
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});
const unknown = positionals.find((level) => !levels.some((one) => one === level));
if (unknown !== undefined) {
  endWith(`There is no level "${unknown}"; there are ${levels.join(', ')}.`, help);
}

/** Whether jobs run all of their tests: how long others take says nothing of them. */
const isWhole = options.only === '' && options.grep === '' && !options.changed;
/** The time zone that the command was given. */
const givenZone = process.env['TZ'];
const moments = Array.from({ length: Math.max(1, Number(options.repeat)) }, chooseMoment);
const wantedLevels = levels.filter((level) => positionals.length === 0 || positionals.includes(level));
const durationsFile = join(testFolder, 'durations.json');
/** How long each job took the last time, in milliseconds: the longest one begins. */
const durations = new Map<string, number>(
  Object.entries(
    await readFile(durationsFile, 'utf8').then(
      (text) => JSON.parse(text) as Record<string, number>,
      () => ({}),
    ),
  ),
);
const jobs = await makeJobs();
if (options.only !== '' && jobs.every(({ level }) => level === 'check')) {
  endWith(`No test file has "${options.only}" in its path.`, help);
}
const prepared = jobs.some(({ level }) => needsHost(level)) ? prepare() : Promise.resolve();
const results = new Map<Job, TestCounts>();
const waiting = [...jobs];
await Promise.all(Array.from({ length: Math.max(1, Number(options.jobs)) }, workOff));
await mkdir(testFolder, { recursive: true });
await writeFile(durationsFile, JSON.stringify(Object.fromEntries(durations), undefined, 1));
summarize();

/** Runs one job after another until none is left. */
async function workOff(): Promise<void> {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    if (needsHost(job.level)) {
      await prepared;
    }
    const begun = performance.now();
    const { output, counts } = await runJob(job);
    const took = performance.now() - begun;
    if (isWhole) {
      durations.set(job.name, Math.round(took));
    }
    results.set(job, counts);
    process.stdout.write(`\n=== ${job.name} (${(took / 1000).toFixed(0)} s) ===\n${output}`);
  }
}

/** Whether a level needs what is built and installed first. */
function needsHost(level: Job['level']): boolean {
  return level === 'host' || level === 'ui' || level === 'web';
}

/** Runs a job in a process of its own, whose output is kept, so that what runs side by side is shown one after the other. */
async function runJob({ name, level, files, moment, nodeOptions = [] }: Job): Promise<{
  output: string;
  counts: TestCounts;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'beacon-test-'));
  const countsFile = join(folder, 'counts.json');
  try {
    const script = level === 'check' ? ['check.ts'] : ['testJob.ts', level, countsFile, ...files];
    const [file = '', ...args] = script;
    const nodeArgs = [...process.execArgv, ...nodeOptions, join(projectRoot, 'scripts', file)];
    const child = spawn(process.execPath, [...nodeArgs, ...args], {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...(level === 'check' ? process.env : moment.environment),
        // What tests leave in the folder of temporary files goes with it.
        ...{ TMPDIR: folder, TEMP: folder, TMP: folder },
        ...reportVariable(name),
        ...(options.grep === '' ? {} : { BEACON_TEST_GREP: options.grep }),
      },
    });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    const none = { passed: 0, failed: 0, skipped: 0 };
    const counts =
      level === 'check'
        ? none
        : await readFile(countsFile, 'utf8').then(
            (text) => JSON.parse(text) as TestCounts,
            () => none,
          );
    if (code === 0 || counts.failed > 0) {
      return { output, counts };
    }
    return { output: `${output}\n${name} ended with code ${code}.\n`, counts: { ...counts, failed: 1 } };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Where the tests of a job write their report, if they are to write one. */
function reportVariable(job: string): Record<string, string> {
  return options.junit === undefined
    ? {}
    : { BEACON_TEST_REPORT: resolve(options.junit, `${job.replaceAll(/\W+/g, '-')}.xml`) };
}

/** The jobs in the order in which they are begun. */
async function makeJobs(): Promise<Job[]> {
  const reached = options.changed ? await changedTestFiles() : undefined;
  const testJobs = wantedLevels.flatMap((level): TestJob[] => {
    const filesOf = (pattern: string | string[]): string[] =>
      globSync(pattern, { cwd: projectRoot })
        .filter((file) => file.includes(options.only) && (reached?.has(file) ?? true))
        .sort()
        .map((file) => join(projectRoot, file));
    const parts = distribute(filesOf(`test/${level}/**/*.test.ts`), jobsOf[level]);
    const again = level === 'web' ? filesOf(platformTests) : [];
    const oneRun = [
      ...parts.map((files, index) => ({ name: parts.length > 1 ? `${level} ${index + 1}` : level, level, files })),
      ...(again.length > 0
        ? [{ name: 'web platform', level, files: again, nodeOptions: ['--conditions=browser'] }]
        : []),
    ];
    return moments.flatMap((moment, run) =>
      oneRun.map((job) => ({ ...job, name: `${job.name}${run > 0 ? `, run ${run + 1}` : ''}`, moment })),
    );
  });
  const expected = ({ name, level, files }: TestJob): number =>
    durations.get(name) ?? files.reduce((sum, file) => sum + statSync(file).size, 0) * millisecondsPerByte[level];
  const byLength = testJobs.sort((a, b) => expected(b) - expected(a));
  const [moment] = moments;
  const checks: Job[] =
    positionals.length === 0 && moment ? [{ name: 'check', level: 'check', files: [], moment }] : [];
  return [...checks, ...byLength];
}

/** Lists of about the same size in bytes, whatever the order of the files; none of them is empty. */
function distribute(files: readonly string[], count: number): string[][] {
  const lists = Array.from({ length: Math.min(count, files.length) }, () => ({ files: [] as string[], size: 0 }));
  for (const { file, size } of files
    .map((one) => ({ file: one, size: statSync(one).size }))
    .sort((a, b) => b.size - a.size)) {
    const smallest = lists.reduce((best, list) => (list.size < best.size ? list : best));
    smallest.files.push(file);
    smallest.size += size;
  }
  return lists.map((list) => list.files);
}

/** Builds what workbenches run, and installs what they need. */
async function prepare(): Promise<void> {
  const hasJob = (wanted: Level): boolean => jobs.some(({ level }) => level === wanted);
  if (hasJob('ui')) {
    await step('Packaging the extension', () =>
      runQuietly(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'package.ts')]),
    );
  }
  if (hasJob('host')) {
    // With source maps, which what is packaged has not.
    await step('Building the extension', () => bundleExtension('development'));
  }
  if (hasJob('web')) {
    await installCodeOss();
    await findOrInstallChromium();
  }
  if (!hasJob('ui') && (isHostedByDesktop || !hasJob('host'))) {
    return;
  }
  await installCodeServer();
  if (hasJob('ui')) {
    const { engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      engines: { vscode: string };
    };
    await installCodeServer(engines.vscode.replace('^1.', '4.'));
  }
  await findOrInstallChromium();
}

/** A time zone and a clock, as given or drawn. */
function chooseMoment(): TestMoment {
  // A desktop VS Code leaves out what shifts the clock.
  const clock = options.clock ?? (isHostedByDesktop ? 'now' : undefined);
  const zone = options.zone ?? givenZone ?? drawZone();
  process.env['TZ'] = zone;
  const moment = clock === undefined ? drawMoment() : momentOf(clock);
  const repeating = `--zone ${zone} --clock ${clock === 'now' ? 'now' : moment.toISOString()}`;
  console.log(`Time zone ${zone}, clock ${describeMoment(moment)} (to repeat it: npm test -- ${repeating})`);
  const environment = {
    ...process.env,
    BEACON_CLOCK_OFFSET: clock === 'now' ? '0' : String(moment.getTime() - Date.now()),
    NODE_OPTIONS: `--require=${join(projectRoot, 'test', 'support', 'shiftedClock.cjs')}`,
  };
  return { environment, options: repeating };
}

function summarize(): void {
  console.log('');
  for (const level of wantedLevels) {
    const counts = [...results].filter(([job]) => job.level === level).map(([, count]) => count);
    if (counts.length > 0) {
      const total = (count: 'passed' | 'failed' | 'skipped'): number =>
        counts.reduce((sum, one) => sum + one[count], 0);
      console.log(
        `${level.padEnd(9)} ${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`,
      );
    }
  }
  const failed = [...results].filter(([, counts]) => counts.failed > 0);
  for (const [{ name, moment }, { failures = [] }] of failed) {
    console.log(`FAILED    ${[name, ...failures].join('\n  ')}`);
    console.log(`At the same time and in the same zone: npm test -- ${moment.options}`);
  }
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    [...results.values()].reduce((total, counts) => total + counts[count], 0);
  console.log(`\nTook ${timeTaken()}.`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  const isEmpty =
    options.grep === ''
      ? !options.changed && [...results].some(([{ level }, { passed }]) => level !== 'check' && passed === 0)
      : sum('passed') === 0;
  process.exit(sum('failed') === 0 && !isEmpty ? 0 : 1);
}
