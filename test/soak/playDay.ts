import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInHost } from '../../scripts/workbench/runInHost.ts';
import type { Violation } from './invariants/violations.ts';
import type { DayResult } from './report.ts';
import { freePort, prepareWorkspace } from './workspace.ts';

/** Milliseconds after which a day that does not end is ended. */
const patience = 10 * 60_000;

/**
 * Plays the day of a seed in a workbench of its own.
 *
 * @param extension the folder that `bundleProduct` has filled.
 * @param trace the file to write down what happens; nowhere if absent.
 * @throws Error if the day cannot be played to its end.
 */
export async function playDay(seed: number, extension: string, trace?: string): Promise<DayResult> {
  const profile = await mkdtemp(join(tmpdir(), 'beacon-soak-day-'));
  const [workspace, results] = [join(profile, 'workspace'), join(profile, 'results.json')];
  const port = await freePort();
  await prepareWorkspace(workspace, port);
  const errors: string[] = [];
  try {
    const code = await runInHost({
      folder: workspace,
      profile,
      // The window is not seen, and an animated progress costs more than everything else.
      settings: { 'workbench.reduceMotion': 'on' },
      env: {
        BEACON_SOAK_SEED: String(seed),
        BEACON_SOAK_PORT: String(port),
        BEACON_SOAK_RESULTS: results,
        BEACON_SOAK_WORKSPACE: workspace,
        BEACON_SOAK_TRACE: trace ?? '',
      },
      developmentPath: extension,
      testsPath: join(extension, 'dist', 'extension.js'),
      viewport: { width: 800, height: 600 },
      deadline: patience,
      onLog: (type, args) => {
        if (type === 'error') {
          errors.push(args.map(String).join(' '));
        }
      },
    });
    const written = await readFile(results, 'utf8').catch(() => undefined);
    if (written === undefined) {
      throw new Error(`The day of seed ${seed} ended with code ${code}: ${errors.at(-1) ?? ''}`);
    }
    const { result, tokens } = JSON.parse(written) as { result: DayResult; tokens: readonly string[] };
    // The answer of a failed tool, which the editor logs as an error.
    const failures = errors.filter(
      (error) =>
        error.includes(extension) && !error.startsWith('[LanguageModelToolsService#invokeTool] Error from tool '),
    );
    return {
      ...result,
      violations: [
        ...result.violations,
        ...failures.slice(0, 5).map((detail) => atTheEnd('failures', detail)),
        ...(await leaksBelow(join(profile, 'data'), tokens)).map((file) => atTheEnd('tokens', `the file ${file}`)),
      ],
    };
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

function atTheEnd(invariant: Violation['invariant'], detail: string): Violation {
  return { invariant, step: 0, at: 'the end', detail };
}

/** The files that hold one of the tokens. The secret store is elsewhere: the browser has it. */
async function leaksBelow(folder: string, tokens: readonly string[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) {
      const text = await readFile(file, 'latin1');
      if (tokens.some((token) => text.includes(token))) {
        leaks.push(file);
      }
    }
  }
  return leaks;
}
