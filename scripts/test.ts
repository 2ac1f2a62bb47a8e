import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestCounts } from '../test/support/runMocha.ts';
import { bundleExtension } from './bundle.ts';
import { endWith, readOptions } from './options.ts';
import { packageExtension, packagedExtension } from './packaging.ts';
import { step, timeTaken } from './processes.ts';
import { isHostedByDesktop, projectRoot } from './project.ts';
import { describeMoment, drawMoment, drawZone, momentOf } from './testMoment.ts';
import { findOrInstallChromium } from './workbench/chromium.ts';
import { installCodeServer, oldestCodeServer } from './workbench/codeServer.ts';
import { installCodeOss } from './workbench/webHost.ts';

const help = `Usage: npm test [-- LEVEL…] [options]
  LEVEL           unit, contract, host, ui or web; without one: all of them, format, lint, types and unused code
  --only WORD     the test files alone whose path contains the word
  --grep TEXT     the tests alone whose full title contains the text
  --zone ZONE     the time zone, such as Asia/Kolkata; drawn without it
  --clock MOMENT  when the run begins, such as 2028-02-29T00:05 (in that zone) or "now"; drawn without it
  --oldest        host tests in the oldest editor that the manifest claims, instead of the newest
  --junit FOLDER  writes a file of JUnit XML for each job`;

/** The levels of tests, the lowest first. */
const levels = ['unit', 'contract', 'host', 'ui', 'web'] as const;
type Level = (typeof levels)[number];

/** How many jobs run side by side: two keep two processors busy by 97 percent. */
const lanes = 2;
/** The levels in the order in which they are begun, the longest first, and how many jobs their files are divided into. */
const jobsOf = [
  ['ui', 2],
  ['host', 1],
  ['web', 1],
  ['contract', 1],
  ['unit', 1],
] as const satisfies readonly (readonly [Level, number])[];

/**
 * Tests that run a second time over what takes the place of Node in a browser, which the condition "browser" leads to: those that need it
 * for what they find out, and no editor.
 */
const platformTests = [
  'test/contract/sandbox/{ingest,oauth,pagination}.test.ts',
  'test/unit/workspace/batches.test.ts',
];

/** What runs in a process of its own. */
interface Job {
  readonly name: string;
  readonly level: Level | 'check';
  readonly files: readonly string[];
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
}

/** The time zone and the clock of tests. */
interface TestMoment {
  readonly environment: NodeJS.ProcessEnv;
  /** The options of `npm test` that repeat it. */
  readonly options: string;
}

const { values: options, positionals } = readOptions(help, {
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    grep: { type: 'string', default: '' },
    zone: { type: 'string' },
    clock: { type: 'string' },
    oldest: { type: 'boolean', default: false },
    junit: { type: 'string' },
  },
});
if (options.oldest) {
  process.env['BEACON_CODE_SERVER'] = oldestCodeServer;
}
const unknown = positionals.find((level) => !levels.some((one) => one === level));
if (unknown !== undefined) {
  endWith(`There is no level "${unknown}"; there are ${levels.join(', ')}.`, help);
}

const moment = chooseMoment();
const wantedLevels = levels.filter((level) => positionals.length === 0 || positionals.includes(level));
const jobs = makeJobs();
if (options.only !== '' && jobs.every(({ level }) => level === 'check')) {
  endWith(`No test file has "${options.only}" in its path.`, help);
}
const prepared = jobs.some(({ level }) => needsHost(level)) ? prepare() : Promise.resolve();
const results = new Map<Job, TestCounts>();
const waiting = [...jobs];
await Promise.all(Array.from({ length: lanes }, workOff));
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
    results.set(job, counts);
    process.stdout.write(`\n=== ${job.name} (${(took / 1000).toFixed(0)} s) ===\n${output}`);
  }
}

/** Whether a level needs what is built and installed first. */
function needsHost(level: Job['level']): boolean {
  return level === 'host' || level === 'ui' || level === 'web';
}

/** Runs a job in a process of its own, whose output is kept, so that what runs side by side is shown one after the other. */
async function runJob({ name, level, files, nodeOptions = [] }: Job): Promise<{
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
function makeJobs(): Job[] {
  const filesOf = (pattern: string | string[]): string[] =>
    globSync(pattern, { cwd: projectRoot })
      .filter((file) => file.includes(options.only))
      .sort()
      .map((file) => join(projectRoot, file));
  const testJobs = jobsOf
    .filter(([level]) => wantedLevels.includes(level))
    .flatMap(([level, count]): Job[] => {
      const files = filesOf(`test/${level}/**/*.test.ts`);
      return Array.from({ length: count }, (_, part) => ({
        name: count > 1 ? `${level} ${part + 1}` : level,
        level,
        files: files.filter((_file, index) => index % count === part),
      }));
    });
  const again = { name: 'web platform', level: 'web', nodeOptions: ['--conditions=browser'] } as const;
  const ofPlatform: Job[] = wantedLevels.includes('web') ? [{ ...again, files: filesOf(platformTests) }] : [];
  const checks: Job[] = positionals.length === 0 ? [{ name: 'check', level: 'check', files: [] }] : [];
  return [...checks, ...[...testJobs, ...ofPlatform].filter(({ files }) => files.length > 0)];
}

/** Builds what workbenches run, and installs what they need. */
async function prepare(): Promise<void> {
  const hasJob = (wanted: Level): boolean => jobs.some(({ level }) => level === wanted);
  // One build for all. What measures coverage runs none of ui and web, and needs the source maps.
  await (hasJob('ui') || hasJob('web')
    ? step('Packaging the extension', () => packageExtension({ packagePath: packagedExtension }))
    : step('Building the extension', () => bundleExtension('development')));
  if (hasJob('web')) {
    await installCodeOss();
  }
  if (hasJob('ui') || (hasJob('host') && !isHostedByDesktop)) {
    await installCodeServer();
  }
  if (hasJob('ui')) {
    await installCodeServer(oldestCodeServer);
  }
  if (hasJob('web') || hasJob('ui') || !isHostedByDesktop) {
    await findOrInstallChromium();
  }
}

/** A time zone and a clock, as given or drawn. */
function chooseMoment(): TestMoment {
  // A desktop VS Code leaves out what shifts the clock.
  const clock = options.clock ?? (isHostedByDesktop ? 'now' : undefined);
  const zone = options.zone ?? process.env['TZ'] ?? drawZone();
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
  for (const [{ name }, { failures = [] }] of failed) {
    console.log(`FAILED    ${[name, ...failures].join('\n  ')}`);
    console.log(`At the same time and in the same zone: npm test -- ${moment.options}`);
  }
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    [...results.values()].reduce((total, counts) => total + counts[count], 0);
  console.log(`\nTook ${timeTaken()}.`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  const isEmpty =
    options.grep === ''
      ? [...results].some(([{ level }, { passed }]) => level !== 'check' && passed === 0)
      : sum('passed') === 0;
  process.exit(sum('failed') === 0 && !isEmpty ? 0 : 1);
}
