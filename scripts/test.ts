import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestCounts } from '../test/support/runMocha.ts';
import { bundleExtension } from './bundle.ts';
import { endWith, readOptions } from './options.ts';
import { packageExtension } from './packaging.ts';
import { step, temporaryFolder } from './processes.ts';
import { hostsFolder, isHostedByDesktop, projectRoot } from './project.ts';
import { drawMoment, drawZone } from './testMoment.ts';
import { findOrInstallChromium } from './workbench/chromium.ts';
import { installCodeServer, oldestCodeServer } from './workbench/codeServer.ts';
import { installCodeOss } from '../test/web/webHost.ts';

const help = `Usage: npm test [-- LEVEL…] [options]
  LEVEL           unit, contract, host, ui or web; without one: all of them, format, lint, types and unused code
  --only WORD     the test files alone whose path contains the word
  --grep TEXT     the tests alone whose full title contains the text
  --zone ZONE     the time zone, such as Asia/Kolkata; drawn without it
  --clock MOMENT  when the run begins, such as 2028-02-29T00:05 (in that zone) or "now"; drawn without it
  --oldest        host tests in the oldest editor that the manifest claims, instead of the newest
  --junit FOLDER  writes a file of JUnit XML for each job`;

/** The levels of tests in the order in which they are begun, the longest first. */
const levels = ['ui', 'host', 'web', 'contract', 'unit'] as const;
type Level = (typeof levels)[number];

/** What runs in a process of its own. */
interface Job {
  readonly name: string;
  readonly level: Level | 'check';
  readonly files: readonly string[];
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
const has = (...wanted: readonly Job['level'][]): boolean => jobs.some(({ level }) => wanted.includes(level));
const prepared = has('host', 'ui', 'web') ? prepare() : Promise.resolve();
const results = new Map<Job, TestCounts>();
const waiting = [...jobs];
// Two jobs side by side keep two processors busy by 97 percent.
await Promise.all([workOff(), workOff()]);
summarize();

/** Runs one job after another until none is left. */
async function workOff(): Promise<void> {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    await (['host', 'ui', 'web'].includes(job.level) ? prepared : undefined);
    const begun = performance.now();
    const { output, counts } = await runJob(job);
    const took = performance.now() - begun;
    results.set(job, counts);
    process.stdout.write(`\n=== ${job.name} (${(took / 1000).toFixed(0)} s) ===\n${output}`);
  }
}

/** Runs a job in a process of its own, whose output is kept, so that what runs side by side is shown one after the other. */
async function runJob({ name, level, files }: Job): Promise<{
  output: string;
  counts: TestCounts;
}> {
  await using temporary = await temporaryFolder();
  const { path: folder } = temporary;
  const countsFile = join(folder, 'counts.json');
  const [file = '', ...args] = level === 'check' ? ['check.ts'] : ['testJob.ts', level, countsFile, ...files];
  const child = spawn(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', file), ...args], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...(level === 'check' ? process.env : moment.environment),
      // What tests leave in the folder of temporary files goes with it.
      ...{ TMPDIR: folder, TEMP: folder, TMP: folder, BEACON_TEST_GREP: options.grep },
      BEACON_TEST_REPORT: options.junit && resolve(options.junit, `${name.replaceAll(/\W+/g, '-')}.xml`),
    },
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const text = await readFile(countsFile, 'utf8').catch(() => '{ "passed": 0, "failed": 0, "skipped": 0 }');
  const counts = JSON.parse(text) as TestCounts;
  return code === 0 || counts.failed > 0
    ? { output, counts }
    : { output: `${output}\n${name} ended with code ${code}.\n`, counts: { ...counts, failed: 1 } };
}

/** The jobs in the order in which they are begun; the longest level is two of them. */
function makeJobs(): Job[] {
  const ofLevels = wantedLevels.flatMap((level): Job[] => {
    const files = globSync(`test/${level}/**/*.test.ts`, { cwd: projectRoot })
      .filter((file) => file.includes(options.only))
      .sort()
      .map((file) => join(projectRoot, file));
    const half = (rest: number): string[] => files.filter((_, index) => index % 2 === rest);
    return level === 'ui'
      ? [0, 1].map((rest) => ({ name: `ui ${rest + 1}`, level, files: half(rest) }))
      : [{ name: level, level, files }];
  });
  const checks: Job[] = positionals.length === 0 ? [{ name: 'check', level: 'check', files: [] }] : [];
  return [...checks, ...ofLevels.filter(({ files }) => files.length > 0)];
}

/** Builds what workbenches run, and installs what they need. */
async function prepare(): Promise<void> {
  // One build for all. What measures coverage runs none of ui and web, and needs the source maps.
  await (has('ui', 'web')
    ? step('Packaging the extension', () => packageExtension())
    : step('Building the extension', () => bundleExtension('development')));
  await (has('web') ? installCodeOss() : undefined);
  const inBrowser = has('ui') || !isHostedByDesktop;
  await (has('ui', 'host') && inBrowser ? installCodeServer() : undefined);
  await (has('ui') ? installCodeServer(oldestCodeServer) : undefined);
  await (has('web') || inBrowser ? findOrInstallChromium() : undefined);
}

/** A time zone and a clock, as given or drawn, with the options of `npm test` that repeat them. */
function chooseMoment() {
  // A desktop VS Code leaves out what shifts the clock.
  const { zone = process.env['TZ'] ?? drawZone(), clock = isHostedByDesktop ? 'now' : undefined } = options;
  process.env['TZ'] = zone;
  const begin = clock === undefined ? drawMoment() : clock === 'now' ? new Date() : new Date(clock);
  if (Number.isNaN(begin.getTime())) {
    endWith(`"${clock}" is not a moment.`, help);
  }
  const repeating = `npm test -- --zone ${zone} --clock ${clock === 'now' ? 'now' : begin.toISOString()}`;
  const text = begin.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' });
  console.log(`Time zone ${zone}, clock ${text} (to repeat it: ${repeating})`);
  const environment = {
    ...process.env,
    BEACON_CLOCK_OFFSET: clock === 'now' ? '0' : String(begin.getTime() - Date.now()),
    NODE_COMPILE_CACHE: process.env['NODE_V8_COVERAGE'] === undefined ? compiledFolder() : undefined,
    NODE_OPTIONS: `--require=${join(projectRoot, 'test', 'support', 'shiftedClock.cjs')}`,
  };
  return { environment, repeating };
}

/** Where Node keeps what it has compiled, which is less exact where coverage is measured. Temporary files are compiled anew in each run. */
function compiledFolder(): string {
  const folder = join(hostsFolder, 'compiled');
  if (globSync('*/*', { cwd: folder }).length > 5000) {
    // Another run may write into it.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return folder;
}

function summarize(): void {
  const sum = (count: 'passed' | 'failed' | 'skipped', level?: Level): number =>
    [...results].reduce((total, [job, counts]) => total + ((level ?? job.level) === job.level ? counts[count] : 0), 0);
  console.log('');
  for (const level of wantedLevels.filter((one) => has(one))) {
    const counts = (['passed', 'failed', 'skipped'] as const).map((count) => `${sum(count, level)} ${count}`);
    console.log(`${level.padEnd(9)} ${counts.join(', ')}`);
  }
  for (const [{ name }, { failures = [] }] of [...results].filter(([, counts]) => counts.failed > 0)) {
    console.log(`FAILED    ${[name, ...failures].join('\n  ')}`);
    console.log(`At the same time and in the same zone: ${moment.repeating}`);
  }
  console.log(`\nTook ${process.uptime().toFixed(0)} s.`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  const isEmpty =
    options.grep === ''
      ? [...results].some(([{ level }, { passed }]) => level !== 'check' && passed === 0)
      : sum('passed') === 0;
  process.exit(sum('failed') === 0 && !isEmpty ? 0 : 1);
}
