import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../scripts/processes.ts';
import { launchChromium } from '../scripts/workbench/chromium.ts';
import { installCodeServer, startCodeServer } from '../scripts/workbench/codeServer.ts';
import type { Violation } from './invariants/violations.ts';
import type { DayResult } from './report.ts';

/** Milliseconds after which a day that does not end is given up. */
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
  const [workspace, userDataDir, results] = ['workspace', 'data', 'results.json'].map((name) =>
    join(profile, name),
  ) as [string, string, string];
  const port = await freePort();
  await prepareWorkspace(workspace, port);
  const server = await startCodeServer(await installCodeServer(), {
    folder: workspace,
    userDataDir,
    extensionsDir: join(profile, 'extensions'),
    // Nobody looks at the window, and a progress that moves takes more of the machine than all else.
    settings: { 'workbench.reduceMotion': 'on' },
    env: {
      BEACON_SOAK_SEED: String(seed),
      BEACON_SOAK_PORT: String(port),
      BEACON_SOAK_RESULTS: results,
      BEACON_SOAK_WORKSPACE: workspace,
      BEACON_SOAK_TRACE: trace ?? '',
    },
  });
  const browser = await launchChromium();
  const errors: string[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    const ended = Promise.withResolvers<number>();
    await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
      const text = args.map(String).join(' ');
      if (type === 'error') {
        errors.push(text);
      }
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
    page.on('crash', () => ended.reject(new Error('The browser page of the workbench crashed.')));
    const timer = setTimeout(() => ended.reject(new Error(`The day of seed ${seed} does not end.`)), patience);
    await page.goto(server.url({ developmentPath: extension, testsPath: join(extension, 'dist', 'extension.js') }));
    const code = await ended.promise.finally(() => clearTimeout(timer));
    const written = await readFile(results, 'utf8').catch(() => undefined);
    if (written === undefined) {
      throw new Error(`The day of seed ${seed} ended with code ${code}: ${errors.at(-1) ?? ''}`);
    }
    const { result, tokens } = JSON.parse(written) as { result: DayResult; tokens: readonly string[] };
    const failures = errors.filter((error) => error.includes(extension));
    return {
      ...result,
      violations: [
        ...result.violations,
        ...failures.slice(0, 5).map((detail) => atTheEnd('failures', detail)),
        ...(await leaksBelow(userDataDir, tokens)).map((file) => atTheEnd('tokens', `the file ${file}`)),
      ],
    };
  } finally {
    await browser.close();
    await server.stop();
    await rm(profile, { recursive: true, force: true });
  }
}

function atTheEnd(invariant: Violation['invariant'], detail: string): Violation {
  return { invariant, step: 0, at: 'the end', detail };
}

/** A repository whose remote leads to a project of the instance. */
async function prepareWorkspace(folder: string, port: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const git = async (...args: readonly string[]): Promise<void> =>
    await run('git', args, { cwd: folder, stdio: 'ignore' });
  await git('init');
  await git('remote', 'add', 'origin', `http://127.0.0.1:${port}/harbor/tide-table.git`);
}

/** The files that hold one of the tokens. The secret store is elsewhere: the browser has it. */
async function leaksBelow(folder: string, tokens: readonly string[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) {
      // The workbench still runs, and removes files of its own.
      const text = await readFile(file, 'latin1').catch(() => '');
      if (tokens.some((token) => text.includes(token))) {
        leaks.push(file);
      }
    }
  }
  return leaks;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
