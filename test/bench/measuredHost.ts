import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../scripts/project.ts';
import { installCodeServer, startCodeServer } from '../../scripts/workbench/codeServer.ts';
import { type HostRunOptions, runInHost } from '../../scripts/workbench/runInHost.ts';

/** What is measured, and where. */
interface MeasuredHost {
  /** Holds the profile of the workbench, and what was measured. */
  readonly profile: string;
  /** The folder that the workbench opens. */
  readonly folder: string;
  /** The folder of the extension that is loaded. */
  readonly developmentPath: string;
  /** The module of this folder that measures: its `run()` writes JSON to the file that BEACON_BENCH_RESULTS names. */
  readonly module: string;
}

/**
 * Measures inside the extension host of a real workbench.
 *
 * @returns what the module has written.
 * @throws Error if its `run()` fails.
 */
export async function measureInHost(
  { profile, folder, developmentPath, module }: MeasuredHost,
  options: HostRunOptions,
): Promise<unknown> {
  const [testsPath, results] = [join(profile, 'bench.cjs'), join(profile, 'results.json')];
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
  const server = await startCodeServer(await installCodeServer(), {
    folder,
    userDataDir: join(profile, 'data'),
    extensionsDir: join(profile, 'extensions'),
    env: { BEACON_BENCH_RESULTS: results },
  });
  try {
    if ((await runInHost(server.url({ extension: { developmentPath, testsPath } }), options)) !== 0) {
      throw new Error('The measurement in the workbench failed.');
    }
    return JSON.parse(await readFile(results, 'utf8')) as unknown;
  } finally {
    await server.stop();
  }
}
