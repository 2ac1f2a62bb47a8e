// Runs the tests of one job in a process of its own, as `npm test` starts it: `testJob.ts LEVEL COUNTS_FILE TEST_FILE…`.
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { makeCertificate } from '../test/support/certificates.ts';
import { runMocha } from '../test/support/runMocha.ts';
import { writeTruthExtension } from '../test/host/truthExtension.ts';
import { bundleForHost } from './bundle.ts';
import { hostsFolder, isHostedByDesktop, projectRoot } from './project.ts';
import { runInHost } from './workbench/runInHost.ts';

const [level, countsFile = '', ...testFiles] = process.argv.slice(2);
if (level === 'host') {
  await runInExtensionHost();
} else {
  // Modules of the extension import `vscode`; in plain Node it is a stand-in.
  await import('../test/support/editor/register.ts');
  await writeFile(countsFile, JSON.stringify(await runMocha(testFiles, process.env['BEACON_TEST_REPORT'])));
}
// Playwright and mocha may leave handles open; the job is over.
process.exit(0);

async function runInExtensionHost(): Promise<void> {
  // It goes with the other temporary files of the job.
  const profile = await mkdtemp(join(tmpdir(), 'host-'));
  // Empty: what tests look for there is their own.
  const folder = join(profile, 'workspace');
  await mkdir(folder);
  await writeTruthExtension(join(profile, 'extensions'));
  // From there the tests find the packages of the project.
  await symlink(join(projectRoot, 'node_modules'), join(profile, 'node_modules'), 'junction');
  const testsPath = join(profile, 'tests.js');
  await bundleTests(testsPath);
  const env = { BEACON_TEST_COUNTS: countsFile, ...(await storeAuthorities(profile)) };
  const options = { folder, profile, env, developmentPath: projectRoot, testsPath, onLog };
  const exitCode = isHostedByDesktop
    ? await runTests({
        cachePath: hostsFolder,
        extensionDevelopmentPath: projectRoot,
        extensionTestsPath: testsPath,
        extensionTestsEnv: env,
        launchArgs: [
          ...[folder, `--user-data-dir=${join(profile, 'data')}`, `--extensions-dir=${join(profile, 'extensions')}`],
          // No question of a keyring, and no other extension.
          ...['--use-inmemory-secretstorage', '--disable-workspace-trust'],
        ],
      })
    : // Tests of this level look at no pixel: drawing a large window costs as much as many of them.
      await runInHost({ ...options, viewport: { width: 500, height: 400 }, isSeen: false, hasAllExtensions: false });
  const counts = JSON.parse(await readFile(countsFile, 'utf8')) as { failed: number };
  if (exitCode !== 0 && counts.failed === 0) {
    throw new Error(`The extension host ended with code ${exitCode}.`);
  }
}

/** Bundles all tests into one module: what they have in common is in it once. */
async function bundleTests(outfile: string): Promise<void> {
  const runner = JSON.stringify(join(projectRoot, 'test', 'host', 'index.ts'));
  const loading = testFiles.map((file) => `require(${JSON.stringify(file)});`).join('\n');
  const contents = `const { runTests } = require(${runner});\nexports.run = () => runTests(() => {\n${loading}\n});`;
  const stdin = { contents, resolveDir: projectRoot };
  await bundleForHost({ stdin, outfile, external: ['vscode', 'mocha'], sourcemap: 'inline' });
}

/** Shows what the host says, but not of native modules that it does without. */
function onLog(_type: string, args: readonly unknown[]): void {
  if (!args.some((arg) => /Could not locate the bindings file|build\/Release\/watchdog/.test(String(arg)))) {
    console.log(...args);
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
