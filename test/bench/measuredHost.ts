import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleForHost } from '../../scripts/bundle.ts';
import { projectRoot } from '../../scripts/project.ts';
import { type HostRunOptions, runInHost } from '../../scripts/workbench/runInHost.ts';

/** Milliseconds after which a measurement that does not end is ended. */
const deadline = 240_000;

/**
 * Measures inside the extension host of a real workbench, which has this project's extension unless the options name another one.
 *
 * @param module of this folder: its `run()` writes JSON to the file that BEACON_BENCH_RESULTS names.
 * @param profile the folder of the profile, which gets what was measured, too.
 * @returns what the module has written.
 * @throws Error if its `run()` fails.
 */
export async function measureInHost(
  module: string,
  profile: string,
  options: Partial<HostRunOptions> = {},
): Promise<unknown> {
  const [testsPath, results] = [join(profile, 'bench.cjs'), join(profile, 'results.json')];
  await bundleForHost({ entryPoints: [`test/bench/${module}`], outfile: testsPath });
  const host = { profile, folder: profile, developmentPath: projectRoot, testsPath, deadline, ...options };
  if ((await runInHost({ ...host, env: { ...options.env, BEACON_BENCH_RESULTS: results } })) !== 0) {
    throw new Error('The measurement in the workbench failed.');
  }
  return JSON.parse(await readFile(results, 'utf8')) as unknown;
}
