import { globSync } from 'node:fs';
import { mkdtemp, readFile, writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { makeCertificate } from '../test/support/certificates.ts';
import { runMocha, type TestCounts } from '../test/support/runMocha.ts';
import { bundleExtension, bundleHostTests } from './bundle.ts';
import { run } from './processes.ts';
import { projectRoot } from './project.ts';
import { installCodeServer } from './workbench/codeServer.ts';

/** The levels of tests, the lowest first. */
const levels = { unit: runInNode, contract: runInNode, host: runInExtensionHost, ui: runInWorkbench };
type Level = keyof typeof levels;

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
const unknown = wanted.find((level) => !(level in levels));
if (unknown !== undefined) {
  console.error(`There is no level "${unknown}"; there are ${Object.keys(levels).join(', ')}.`);
  process.exit(2);
}

const chosen = (Object.keys(levels) as Level[]).filter((level) => wanted.length === 0 || wanted.includes(level));
if (wanted.length === 0) {
  console.log('=== format, lint, types, unused code ===');
  await import('./check.ts');
}
const results = new Map<Level, TestCounts>();
for (const level of chosen) {
  console.log(`\n=== ${level} ===`);
  results.set(level, await levels[level](level));
}

console.log('');
for (const [level, { passed, failed, skipped }] of results) {
  console.log(`${level.padEnd(9)} ${passed} passed, ${failed} failed, ${skipped} skipped`);
}
const sum = (count: keyof TestCounts): number =>
  [...results.values()].reduce((total, counts) => total + counts[count], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
// Playwright and mocha may leave handles open; the run is over.
process.exit(sum('failed') === 0 && [...results.values()].every(({ passed }) => passed > 0) ? 0 : 1);

/** The files of a level's tests; with `--only`, those whose path holds its value. */
function testFiles(level: Level): string[] {
  return globSync(`test/${level}/**/*.test.ts`, { cwd: projectRoot })
    .filter((file) => file.includes(options.only))
    .sort()
    .map((file) => join(projectRoot, file));
}

async function runInNode(level: Level): Promise<TestCounts> {
  return runMocha(testFiles(level));
}

async function runInExtensionHost(level: Level): Promise<TestCounts> {
  await bundleExtension('development');
  const testsFolder = await bundleHostTests(testFiles(level), join(projectRoot, 'test', 'host', 'index.ts'));
  await installCodeServer();
  const profile = await mkdtemp(join(tmpdir(), 'beacon-host-'));
  const countsFile = join(profile, 'counts.json');
  const authorities = await storeAuthorities(profile);
  try {
    const exitCode = await runTests({
      vscodeExecutablePath: join(projectRoot, 'scripts', 'workbench', 'launcher.ts'),
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: join(testsFolder, 'index.js'),
      extensionTestsEnv: { BEACON_TEST_COUNTS: countsFile, ...authorities },
      launchArgs: [`--user-data-dir=${join(profile, 'data')}`, `--extensions-dir=${join(profile, 'extensions')}`],
    }).catch((error: unknown) => {
      console.error(error);
      return 1;
    });
    const counts = await readFile(countsFile, 'utf8').then(
      (text) => JSON.parse(text) as TestCounts,
      () => ({ passed: 0, failed: 1, skipped: 0 }),
    );
    return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

/**
 * Makes an authority that the operating system trusts, as far as Node asks it, and one that Node trusts besides, so that
 * tests can have certificates from them.
 *
 * @returns the environment in which they are trusted.
 */
async function storeAuthorities(folder: string): Promise<Record<string, string>> {
  for (const kind of ['system', 'extra']) {
    const { cert, key } = makeCertificate({ name: `Test authority (${kind})`, isAuthority: true });
    await writeFile(join(folder, `${kind}.cert.pem`), cert);
    await writeFile(join(folder, `${kind}.key.pem`), key);
  }
  return {
    BEACON_TEST_AUTHORITIES: folder,
    SSL_CERT_FILE: join(folder, 'system.cert.pem'),
    NODE_EXTRA_CA_CERTS: join(folder, 'extra.cert.pem'),
  };
}

async function runInWorkbench(level: Level): Promise<TestCounts> {
  await run(process.execPath, [...process.execArgv, join(projectRoot, 'scripts', 'package.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await installCodeServer();
  return runMocha(testFiles(level));
}
