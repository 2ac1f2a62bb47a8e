import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../scripts/project.ts';
import { type HostRunOptions, runInHost } from '../../scripts/workbench/runInHost.ts';

/** What is measured, and where: the profile gets what was measured, too. */
interface MeasuredHost extends Omit<HostRunOptions, 'testsPath'> {
  /** The module of this folder that measures: its `run()` writes JSON to the file that BEACON_BENCH_RESULTS names. */
  readonly module: string;
}

/**
 * Measures inside the extension host of a real workbench.
 *
 * @returns what the module has written.
 * @throws Error if its `run()` fails.
 */
export async function measureInHost({ module, ...host }: MeasuredHost): Promise<unknown> {
  const [testsPath, results] = [join(host.profile, 'bench.cjs'), join(host.profile, 'results.json')];
  await build({
    absWorkingDir: projectRoot,
    entryPoints: [`test/bench/${module}`],
    outfile: testsPath,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const env = { BEACON_BENCH_RESULTS: results };
  if ((await runInHost({ ...host, env, testsPath })) !== 0) {
    throw new Error('The measurement in the workbench failed.');
  }
  return JSON.parse(await readFile(results, 'utf8')) as unknown;
}
